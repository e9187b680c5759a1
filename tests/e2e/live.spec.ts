import { followChanges } from "./follow-changes.ts";
import { submitReview } from "./forms.ts";
import { expect, openPage, test } from "./test.ts";

test("another visitor's review appears on the open home page", async ({ page, rows }) => {
  const feed = followChanges(page);
  const name = `Ada ${crypto.randomUUID()}`;
  await page.goto("/");
  await feed.connected("posts", "testimonials");

  await rows.addTestimonial({ name, content: "Live from elsewhere." });

  const carousel = page.getByRole("region", { name: "Client testimonials" });
  await expect(carousel.getByText(name)).toBeAttached();
  await expect(carousel.getByText("Marisol & Dean Okafor")).toBeAttached();
});

test("another visitor's review, added and deleted, causes at most one refetch per change", async ({
  page,
  rows,
  owner,
}) => {
  const feed = followChanges(page);
  const name = `Grace ${crypto.randomUUID()}`;
  await page.goto("/testimonials");
  await feed.connected("testimonials");
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));

  await rows.addTestimonial({ name, content: "Live from elsewhere." });
  await expect(page.getByRole("figure").filter({ hasText: name })).toBeVisible();
  await owner.from("testimonials").delete().eq("name", name).throwOnError();
  await expect(page.getByRole("figure").filter({ hasText: name })).toHaveCount(0);

  expect(feed.changes("testimonials")).toBeGreaterThanOrEqual(2);
  await feed.expectOneReadPerChange("testimonials");
  expect(await page.evaluate(() => "sameDocument" in window)).toBe(true);
});

test("the visitor's own review is fetched once, although its Realtime event arrives as well", async ({
  page,
  rows,
}) => {
  const feed = followChanges(page);
  const name = `Lin ${crypto.randomUUID()}`;
  rows.removeTestimonialsBy(name);
  await openPage(page, "/testimonials");
  await feed.connected("testimonials");

  await submitReview(page, name);

  await expect(page.getByRole("figure").filter({ hasText: name })).toHaveCount(1);
  await expect.poll(() => feed.changes("testimonials")).toBeGreaterThanOrEqual(1);
  await feed.expectOneReadPerChange("testimonials");
});

test("the open blog follows a post that the owner publishes, renames and deletes", async ({
  page,
  rows,
  owner,
}) => {
  const feed = followChanges(page);
  const slug = `live-${crypto.randomUUID()}`;
  await page.goto("/blog");
  await feed.connected("posts");
  const card = page.getByRole("article").filter({ hasText: slug });

  await rows.addPost({ slug, title: `Fresh ${slug}`, category: "Taxes" });
  await expect(card).toContainText("Fresh");
  await owner
    .from("posts")
    .update({ title: `Renamed ${slug}` })
    .eq("slug", slug);
  await expect(card).toContainText("Renamed");
  await owner.from("posts").delete().eq("slug", slug).throwOnError();
  await expect(card).toHaveCount(0);

  await feed.expectOneReadPerChange("posts");
});

test("an open post shows its new text and, once deleted, redirects to the blog", async ({
  page,
  rows,
  owner,
}) => {
  const feed = followChanges(page);
  const slug = `open-${crypto.randomUUID()}`;
  await rows.addPost({ slug, title: "Before", category: "Taxes" });
  await page.goto(`/blog/${slug}`);
  await feed.connected("posts");

  await owner.from("posts").update({ title: "After" }).eq("slug", slug);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("After");
  await expect(page).toHaveTitle("After | Blog");
  await owner.from("posts").delete().eq("slug", slug).throwOnError();
  await expect(page).toHaveURL("/blog");
  await expect(page.getByRole("article").first()).toBeVisible();
});

test("changes still arrive after client-side navigation", async ({ page, rows }) => {
  const feed = followChanges(page);
  const name = `Mae ${crypto.randomUUID()}`;
  await openPage(page, "/testimonials");
  await feed.connected("testimonials");

  const header = page.getByRole("banner");
  await header.getByRole("link", { name: "Contact" }).click();
  await expect(page).toHaveURL("/contact");
  await header.getByRole("link", { name: "Testimonials" }).click();
  await expect(page.getByRole("figure").filter({ hasText: "Camille Duarte" })).toBeVisible();
  await rows.addTestimonial({ name, content: "Still here." });

  await expect(page.getByRole("figure").filter({ hasText: name })).toBeVisible();
});

test("a page that becomes visible again refetches once", async ({ page, rows }) => {
  const feed = followChanges(page);
  const name = `Kay ${crypto.randomUUID()}`;
  await page.routeWebSocket("**/realtime/v1/**", () => {});
  await openPage(page, "/");
  await rows.addTestimonial({ name, content: "While you were away." });
  await expect(page.getByText(name)).toHaveCount(0);

  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));

  await expect(
    page.getByRole("region", { name: "Client testimonials" }).getByText(name),
  ).toBeAttached();
  expect(feed.reads("testimonials")).toBe(1);
  expect(feed.reads("posts")).toBe(1);
});

test("the site works completely without Realtime", async ({ page, rows }) => {
  const name = `Joy ${crypto.randomUUID()}`;
  rows.removeTestimonialsBy(name);
  await page.routeWebSocket("**/realtime/v1/**", (socket) => socket.close());
  await openPage(page, "/");

  const header = page.getByRole("banner");
  await header.getByRole("link", { name: "Blog" }).click();
  await page.getByRole("main").getByRole("link", { name: "Read More" }).last().click();
  await expect(page.getByRole("heading", { name: "Ready to Talk?" })).toBeVisible();
  await header.getByRole("link", { name: "Testimonials" }).click();
  await submitReview(page, name);

  await expect(page.getByRole("figure").filter({ hasText: name })).toHaveCount(1);
});
