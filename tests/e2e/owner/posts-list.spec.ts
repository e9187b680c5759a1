import type { Page } from "@playwright/test";
import { findingsOf } from "../access/axe.ts";
import { openPage, toast } from "../test.ts";
import {
  editNewPost,
  expect,
  fillPost,
  imageExists,
  logIn,
  test,
  uniqueTitle,
  uploadImage,
} from "./owner.ts";

function rowOf(page: Page, title: string) {
  return page.getByRole("listitem").filter({ hasText: title });
}

test("the list finds posts of every state, and a deleted post comes back with its image", async ({
  page,
  owner,
}) => {
  test.slow();
  const title = uniqueTitle("Listed");
  await logIn(page, "/blog/new");
  await fillPost(page, title);
  const image = await uploadImage(page);
  await page.getByRole("button", { name: "Publish Post" }).click();
  await expect(page).toHaveURL("/blog");

  const { data: post } = await owner.from("posts").select("id").eq("title", title).single();

  const draft = uniqueTitle("Begun");
  await openPage(page, "/blog/new");
  await page.getByLabel("Title").fill(draft);
  await expect(page.getByText(/^Saved \d\d:\d\d$/)).toBeVisible();
  const draftId = new URL(page.url()).searchParams.get("draft") ?? "";

  await openPage(page, "/manage/posts");
  await page.getByLabel("Search posts").fill(title);
  await page.keyboard.press("Enter");
  await expect(page.getByText("1 post found")).toBeVisible();
  await expect(rowOf(page, title)).toContainText("Published");
  await page.getByLabel("Search posts").fill(draft);
  await page.keyboard.press("Enter");
  await expect(rowOf(page, draft)).toContainText("Draft");
  await rowOf(page, draft).getByRole("link", { name: draft }).click();
  await expect(page.getByLabel("Title")).toHaveValue(draft);

  await openPage(page, `/manage/posts?q=${encodeURIComponent(title)}`);
  await rowOf(page, title).getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(toast(page, "Post Deleted")).toBeVisible();
  await expect.poll(() => imageExists(image)).toBe(false);
  await page.getByRole("link", { name: /^Deleted/ }).click();
  await expect(rowOf(page, title)).toContainText("Deleted");
  expect(await findingsOf(page)).toEqual([]);
  await rowOf(page, title).getByRole("button", { name: "Restore as draft" }).click();
  await expect(toast(page, "Post Restored")).toContainText("It is a draft now, and not public.");
  expect(await imageExists(image)).toBe(true);
  const id = post?.id ?? "";
  const { data } = await owner.from("post_drafts").select("image_url").eq("id", id).single();
  expect(data?.image_url).toBe(image);
  expect((await owner.from("posts").select("id").eq("id", id)).data).toEqual([]);

  await openPage(page, `/manage/posts?q=${encodeURIComponent(draft)}`);
  await rowOf(page, draft).getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("alertdialog")).toContainText(
    "This deletes the draft. You can restore it under Posts, Deleted for 30 days.",
  );

  for (const used of [draftId, id]) {
    await owner.rpc("discard_draft", { draft_id: used, seen_version: null }).throwOnError();
  }
});

test("two versions of a post are compared, and an earlier one is restored as a draft", async ({
  page,
  rows,
  owner,
}) => {
  const { slug } = await editNewPost(page, rows, "Versions");
  const { data: before } = await owner.from("posts").select("content").eq("slug", slug).single();
  await page.getByLabel("Content").fill("Quite another text.");
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(page).toHaveURL("/blog");

  await openPage(page, `/blog/${slug}/edit`);
  await page.getByRole("button", { name: "History" }).click();
  const versions = page.getByRole("listitem").filter({ has: page.getByText("Published") });
  await expect(versions).toHaveCount(2);
  await versions.last().getByRole("button", { name: "Compare" }).click();
  await expect(versions.last().locator("ins")).not.toHaveCount(0);
  expect(await findingsOf(page)).toEqual([]);
  await versions.last().getByRole("button", { name: "Restore" }).click();
  await expect(toast(page, "Version restored")).toBeVisible();
  await expect(page.getByLabel("Content")).not.toHaveValue("Quite another text.");
  const { data: unchanged } = await owner.from("posts").select("content").eq("slug", slug).single();
  expect(unchanged?.content).toEqual([{ type: "paragraph", text: "Quite another text." }]);
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(page).toHaveURL("/blog");
  const { data: after } = await owner.from("posts").select("content").eq("slug", slug).single();
  expect(after?.content).toEqual(before?.content);
});
