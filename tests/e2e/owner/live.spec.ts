import type { Browser, Page } from "@playwright/test";
import { followChanges } from "../follow-changes.ts";
import { expect, fillPost, logIn, test, uniqueTitle, uploadImage } from "./owner.ts";

/** A visitor's browser beside the owner's. */
async function openVisitorPage(browser: Browser, baseURL = ""): Promise<Page> {
  const context = await browser.newContext({ baseURL });
  return context.newPage();
}

test("the owner's changes appear in a visitor's browser with one refetch per change", async ({
  page,
  browser,
  baseURL,
}) => {
  test.slow();
  const title = uniqueTitle("Live");
  const blog = await openVisitorPage(browser, baseURL);
  const home = await openVisitorPage(browser, baseURL);
  const seenOnBlog = followChanges(blog);
  const seenAtHome = followChanges(home);
  await Promise.all([blog.goto("/blog"), home.goto("/")]);
  await Promise.all([seenOnBlog.connected("posts"), seenAtHome.connected("posts")]);
  const card = blog.getByRole("article").filter({ hasText: title });
  const slide = home.getByRole("region", { name: "Articles" }).getByText(title, { exact: true });

  const seenByOwner = followChanges(page);
  await logIn(page, "/blog/new");
  await fillPost(page, title);
  await uploadImage(page);
  await page.getByRole("button", { name: "Publish Post" }).click();
  await expect(page).toHaveURL("/blog");
  await expect(card).toBeVisible();
  await expect(slide).toBeAttached();

  await seenByOwner.connected("posts");
  await expect(page.getByRole("article").filter({ hasText: title })).toBeVisible();
  seenByOwner.startAnew();
  await page
    .getByRole("article")
    .filter({ hasText: title })
    .getByRole("button", { name: "Delete" })
    .click();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(card).toHaveCount(0);
  await expect(slide).toHaveCount(0);
  await expect(page.getByRole("article").filter({ hasText: title })).toHaveCount(0);

  for (const seen of [seenOnBlog, seenAtHome, seenByOwner]) {
    await expect.poll(() => seen.changes("posts")).toBeGreaterThanOrEqual(1);
  }
  await seenOnBlog.expectOneReadPerChange("posts");
  await seenAtHome.expectOneReadPerChange("posts", ["posts", "testimonials"]);
  await seenByOwner.expectOneReadPerChange("posts");
  await Promise.all([blog.context().close(), home.context().close()]);
});
