import type { Page } from "@playwright/test";
import { storeDraft } from "../../post-calls.ts";
import { findingsOf } from "../access/axe.ts";
import { openPage, toast } from "../test.ts";
import {
  addPost,
  choose,
  expect,
  imageExists,
  logIn,
  referenceOf,
  storeImage,
  test,
  uniqueTitle,
} from "./owner.ts";

function rowOf(page: Page, title: string) {
  return page.getByRole("listitem").filter({ hasText: title });
}

test("the list finds posts of every state, and a deleted post comes back with its image", {
  tag: ["@long", "@translated"],
}, async ({ page, owner, rows }) => {
  const image = await storeImage(owner);
  const id = crypto.randomUUID();
  const { title } = await addPost(rows, "Listed", { id, image_url: image });
  const begun = { id: crypto.randomUUID(), title: uniqueTitle("Begun"), category: "" };

  await logIn(page, "/manage/posts");
  await page.getByLabel("Search posts").fill(begun.title);
  await page.keyboard.press("Enter");
  await expect(page.getByText("0 posts found")).toBeVisible();
  // Another device begins it.
  await storeDraft(owner, begun);
  await expect(page.getByText("1 post found")).toBeVisible();
  await expect(rowOf(page, begun.title)).toContainText("Draft");
  await choose(rowOf(page, begun.title), "Delete");
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toContainText(
    "This action cannot be undone. This will permanently delete this draft.",
  );
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await rowOf(page, begun.title).getByRole("link", { name: begun.title, exact: true }).click();
  await expect(page.getByLabel("Title")).toHaveValue(begun.title);

  await openPage(page, `/manage/posts?q=${encodeURIComponent(title)}`);
  await expect(rowOf(page, title).getByText(/^(Draft|Deleted)$/)).toHaveCount(0);
  await choose(rowOf(page, title), "Delete");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(toast(page, "Post Deleted")).toBeVisible();
  await expect.poll(() => imageExists(image)).toBe(false);
  await toast(page, "Post Deleted").getByRole("button", { name: "Undo" }).click();
  await expect(toast(page, "Post Restored")).toContainText("It is public again, as it was.");
  await expect(rowOf(page, title).getByText(/^(Draft|Deleted)$/)).toHaveCount(0);
  expect(await imageExists(image)).toBe(true);

  await choose(rowOf(page, title), "Delete");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(toast(page, "Post Deleted")).toBeVisible();
  await expect.poll(() => imageExists(image)).toBe(false);
  await page.getByRole("link", { name: /^Deleted/ }).click();
  await expect(rowOf(page, title)).toContainText("Deleted");
  expect(await findingsOf(page)).toEqual([]);
  await rowOf(page, title).getByRole("button", { name: "Restore as draft" }).click();
  await expect(toast(page, "Post Restored")).toContainText("It is a draft now, and not public.");
  expect(await imageExists(image)).toBe(true);
  const { data } = await owner.from("drafts").select("document").eq("thing", id).single();
  expect(data?.document).toMatchObject({ image_url: referenceOf(image) });
  expect((await owner.from("posts").select("id").eq("id", id)).data).toEqual([]);
  for (const used of [begun.id, id]) {
    await owner.rpc("discard_draft", { kind: "post", thing: used, replaced: null }).throwOnError();
  }

  await page.reload();
  await choose(rowOf(page, title), "Delete for good");
  await expect(page.getByRole("alertdialog")).toContainText("stays in the archive.");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("It has been permanently removed.")).toBeVisible();
  await expect(rowOf(page, title)).toHaveCount(0);
});

test("a post is duplicated, and unpublished in the list and in its editor", async ({
  page,
  rows,
  owner,
}) => {
  const stateOf = async (id: string) => {
    const [posts, drafts] = await Promise.all([
      owner.from("posts").select("id").eq("id", id).throwOnError(),
      owner.from("drafts").select("document").eq("thing", id).throwOnError(),
    ]);
    return [posts.data.length, drafts.data.map(({ document }) => Object(document).title)];
  };
  const [one, other] = [crypto.randomUUID(), crypto.randomUUID()];
  const { title } = await addPost(rows, "Repeated", { id: one });
  const { slug } = await addPost(rows, "Revised", { id: other });
  await logIn(page, `/manage/posts?q=${encodeURIComponent(title)}`);
  await choose(rowOf(page, title), "Unpublish…");
  const dialog = page.getByRole("alertdialog", { name: "Unpublish this post?" });
  await dialog.getByRole("button", { name: "Unpublish" }).click();
  await expect(toast(page, "Unpublished")).toContainText("The post is a draft again.");
  await expect(rowOf(page, title)).toContainText("Draft");
  expect(await stateOf(one)).toEqual([0, [title]]);

  await choose(rowOf(page, title), "Duplicate");
  await expect(page.getByLabel("Title")).toHaveValue(`Copy of ${title}`);
  const copy = new URL(page.url()).searchParams.get("draft") ?? "";
  expect(await stateOf(copy)).toEqual([0, [`Copy of ${title}`]]);

  await openPage(page, `/blog/${slug}/edit`);
  await page.getByLabel("Title").fill("Revised again");
  await choose(page.locator(".post-bar"), "Unpublish…");
  await dialog.getByRole("button", { name: "Unpublish" }).click();
  await expect(page).toHaveURL(`/blog/new?draft=${other}`);
  await expect(page.getByLabel("Title")).toHaveValue("Revised again");
  await expect(page.getByRole("button", { name: "Publish Post" })).toBeVisible();
  expect(await stateOf(other)).toEqual([0, ["Revised again"]]);
  for (const thing of [one, other, copy]) {
    await owner.rpc("discard_draft", { kind: "post", thing, replaced: null }).throwOnError();
  }
});

test("two versions of a post are compared, and an earlier one is restored as a draft", {
  tag: "@long",
}, async ({ page, rows, owner }) => {
  const { slug } = await addPost(rows, "Versions");
  const contentOf = async () =>
    (await owner.from("posts").select("content").eq("slug", slug).single()).data?.content;
  const before = await contentOf();
  const content = [{ type: "paragraph", text: "Quite another text." }];
  await owner.from("posts").update({ content }).eq("slug", slug).throwOnError();

  await logIn(page, `/blog/${slug}/edit`);
  await page.getByRole("button", { name: "History" }).click();
  const versions = page.getByRole("listitem").filter({ has: page.getByText("Published") });
  await expect(versions).toHaveCount(2);
  await versions.last().getByRole("button", { name: "Compare" }).click();
  await expect(versions.last().locator("ins")).not.toHaveCount(0);
  expect(await findingsOf(page)).toEqual([]);
  await versions.last().getByRole("button", { name: "Restore" }).click();
  await expect(toast(page, "Version restored")).toBeVisible();
  await expect(page.getByLabel("Content")).not.toHaveText("Quite another text.");
  expect(await contentOf()).toEqual(content);
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(page).toHaveURL("/blog");
  expect(await contentOf()).toEqual(before);
});
