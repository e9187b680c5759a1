import type { Page } from "@playwright/test";
import { hydrated } from "../test.ts";
import { expect, fillPost, logIn, test, uniqueTitle, uploadImage } from "./owner.ts";

/** Counts a page's reads of the posts from now on. */
function countReads(page: Page): () => number {
  let reads = 0;
  page.on("request", (request) => {
    if (request.method() === "GET" && request.url().includes("/rest/v1/posts?select=*")) reads++;
  });
  return () => reads;
}

async function subscribed(page: Page): Promise<void> {
  await page.waitForEvent("websocket", { timeout: 10_000 }).catch(() => null);
}

test("what the owner does in one window shows in a visitor's, one refetch a change", async ({
  page,
  browser,
  baseURL,
}) => {
  const title = uniqueTitle("Live");
  const visitorContext = await browser.newContext({ baseURL });
  const visitor = await visitorContext.newPage();
  const open = subscribed(visitor);
  await visitor.goto("/blog");
  await hydrated(visitor);
  await open;
  await logIn(page, "/blog/new");
  await fillPost(page, title);
  await uploadImage(page);
  await page.getByRole("button", { name: "Publish Post" }).click();

  const card = visitor.getByRole("article").filter({ hasText: title });
  await expect(card).toBeVisible();
  await expect(page).toHaveURL("/blog");

  const ownerReads = countReads(page);
  await page
    .getByRole("article")
    .filter({ hasText: title })
    .getByRole("button", { name: "Delete" })
    .click();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(card).toHaveCount(0);
  await expect(page.getByRole("article").filter({ hasText: title })).toHaveCount(0);
  // The event of the owner's own change has arrived at the visitor's, so it has here too.
  expect(ownerReads()).toBe(1);
  await visitorContext.close();
});
