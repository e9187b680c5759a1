import { expect, test } from "vitest";
import { type Approval, approvalState } from "../versions/approval.tsx";
import type { Decision } from "../versions/approvals.ts";
import { kinds } from "./kinds.ts";
import { isSameWords } from "./post-approval.ts";
import { mainActionOf } from "./post-bar.tsx";
import { draftOf } from "./post-schema.ts";
import { newPost } from "./stored-posts.ts";

const document = {
  title: "Wills",
  tagline: "Who and how",
  category: "Family",
  author: "Ed",
  slug: "wills",
  alt: "Two chairs",
  image_url: "/images/posts/old-oak.svg",
  content: [{ type: "paragraph", text: "Ask first." }],
  related_services: [],
};
const draft = draftOf(document);
const opened = newPost({ id: "1", kind: kinds.post });

const newest = (event: Decision["event"]): Decision => ({
  ...{
    number: 1,
    event,
    document,
    at: "2026-11-22T09:00:00Z",
    by_name: "Olive",
    ...{ by_id: null, by_email: null, link_by_name: null },
    comment: "",
  },
});

test.each<[event: Decision["event"] | null, isSame: boolean, state: string]>([
  [null, false, "none"],
  ["submitted", true, "submitted"],
  ["submitted", false, "changed"],
  ["approved", true, "approved"],
  ["approved", false, "changed"],
  ["returned", true, "returned"],
  // The comment stays while the post is changed.
  ["returned", false, "returned"],
])("after %j, with the same words %j, a post is %s", (event, isSame, state) => {
  expect(approvalState(event && newest(event), isSame)).toBe(state);
});

test.each<[what: string, changes: Partial<typeof draft>, isSame: boolean]>([
  ["nothing", {}, true],
  ["the address", { slug: "other" }, false],
  ["the author left empty", { author: "" }, true],
  ["the author", { author: "Ada" }, false],
  ["the text", { content: [{ type: "paragraph", text: "Ask last." }] }, false],
  ["the image", { imageUrl: "/images/posts/other.svg" }, false],
  ["the services", { relatedServices: ["annuities"] }, false],
  ["a part that is missing now", { title: "" }, false],
])("the words compared after a change of: %s", (_what, changes, isSame) => {
  const shown = { draft: { ...draft, ...changes }, opened };
  expect(isSameWords(document, shown)).toBe(isSame);
});

const mustSubmit: Approval = {
  ...{ newest: null, state: "none", isOwner: false },
  ...{ maySubmit: true, mustSubmit: true, mayApprove: false },
};
test.each<
  [approval: Approval | null | undefined, button: string, isAllowed: boolean, mayAsk?: boolean]
>([
  // The editor must not publish before it knows whether posts need approval.
  [undefined, "Publish Post", false],
  [null, "Publish Post", true],
  [mustSubmit, "Ask for approval", true],
  [{ ...mustSubmit, state: "submitted" }, "Ask for approval", false],
  // An owner may ask as well.
  [{ ...mustSubmit, mustSubmit: false }, "Publish Post", true, true],
  [{ ...mustSubmit, mustSubmit: false, maySubmit: false }, "Publish Post", true],
])("with the approval %j the editor offers: %s", (approval, button, isAllowed, mayAsk = false) => {
  const { label, ...main } = mainActionOf(opened, approval);
  expect(label.join("")).toBe(button);
  expect(main).toMatchObject({ isAllowed, mayAsk });
});
