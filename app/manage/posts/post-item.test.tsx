import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";
import { kinds } from "./kinds.ts";
import type { ManagedPost } from "./managed-posts.ts";
import { PostItem } from "./post-item.tsx";

test("a scheduled post that could not be published shows the reason and what to do", () => {
  const post: ManagedPost = {
    id: "1",
    state: "scheduled",
    slug: "a",
    title: "A",
    category: "",
    author: "",
    date: "2026-11-22T09:00:00Z",
    has_draft: false,
    is_sample: false,
    image_url: null,
    failure: "the image is being removed",
    ...{ place: null, hidden: false },
  };
  const Stub = createRoutesStub([
    {
      path: "/",
      Component: () => (
        <PostItem post={post} kind={kinds.post} timeZone="UTC" onChanged={() => {}} />
      ),
    },
  ]);
  const text = renderToStaticMarkup(<Stub />).replace(/<[^>]+>/g, "");
  expect(text).toContain("Was to go public Nov 22, 2026, 9:00 AM");
  expect(text).toContain(
    "Not published: the image is being removed. It is tried again every hour. Open the post to change it, publish it or choose another time.",
  );
});
