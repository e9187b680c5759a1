// Runs after all other end-to-end tests: no post of theirs may have lost its image.
import { expect, test } from "../test.ts";

// Files that no post refers to may be there: a form that was closed leaves its upload to the scheduled job
// (tests/contract/unused-images.test.ts).
test("every image that a post refers to is in the bucket", async ({ owner }) => {
  const { data: posts } = await owner
    .from("posts")
    .select("title, image_url")
    .not("image_url", "is", null);
  const missing = [];
  for (const { title, image_url } of posts ?? []) {
    if (!image_url?.includes("/object/public/images/")) continue;
    if (!(await fetch(image_url, { method: "HEAD" })).ok) missing.push(title);
  }
  expect(missing).toEqual([]);
});
