import { followChanges } from "./follow-changes.ts";
import { submitReview } from "./forms.ts";
import { logInByForm } from "./owner/owner.ts";
import { expect, openPage, test } from "./test.ts";

test("another visitor's review, added and deleted, is on open pages with one refetch per change", async ({
  page,
  context,
  rows,
  owner,
}) => {
  const feed = followChanges(page);
  const name = `Grace ${crypto.randomUUID()}`;
  await page.goto("/testimonials");
  const home = await context.newPage();
  const homeFeed = followChanges(home);
  await home.goto("/");
  await Promise.all([feed.connected("testimonials"), homeFeed.connected("testimonials")]);
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));
  const card = page.getByRole("figure").filter({ hasText: name });
  const carousel = home.getByRole("region", { name: "Client testimonials" });

  await rows.addTestimonial({ name, content: "Live from elsewhere." });
  await expect(card).toBeVisible();
  await expect(carousel.getByText(name)).toBeAttached();
  await expect(carousel.getByText("Marisol & Dean Okafor")).toBeAttached();
  await owner.from("testimonials").delete().eq("name", name).throwOnError();
  await expect(card).toHaveCount(0);

  expect(feed.changes("testimonials")).toBeGreaterThanOrEqual(2);
  feed.expectOneReadPerChange("testimonials");
  expect(await page.evaluate(() => "sameDocument" in window)).toBe(true);
});

test("the visitor's own review is fetched once, although its Realtime event arrives as well", {
  tag: "@long",
}, async ({ page, rows }) => {
  const feed = followChanges(page);
  const name = `Lin ${crypto.randomUUID()}`;
  rows.removeTestimonialsBy(name);
  await openPage(page, "/testimonials");
  await feed.connected("testimonials");

  await submitReview(page, name);

  await expect(page.getByRole("figure").filter({ hasText: name })).toHaveCount(1);
  await expect.poll(() => feed.changes("testimonials")).toBe(1);
  await rows.addTestimonial({ name: `After ${name}`, content: "Shown as soon as it is read." });
  await expect(page.getByRole("figure").filter({ hasText: `After ${name}` })).toBeVisible();
  feed.expectOneReadPerChange("testimonials");
});

test("the open blog, home page and post follow a post that is published, renamed and deleted", async ({
  page,
  context,
  rows,
  owner,
}) => {
  const slug = `live-${crypto.randomUUID()}`;
  const [home, post] = [await context.newPage(), await context.newPage()];
  const feeds = [page, home, post].map(followChanges);
  await Promise.all([page.goto("/blog"), home.goto("/")]);
  await Promise.all(feeds.slice(0, 2).map((feed) => feed.connected("posts")));
  const card = page.getByRole("article").filter({ hasText: slug });
  const slide = home.getByRole("region", { name: "Articles" }).getByText(slug).first();

  await rows.addPost({ slug, title: `Fresh ${slug}`, category: "Taxes" });
  await expect(card).toContainText("Fresh");
  await expect(slide).toBeAttached();
  await post.goto(`/blog/${slug}`);
  await feeds[2]?.connected("posts");
  await owner
    .from("posts")
    .update({ title: `Renamed ${slug}` })
    .eq("slug", slug)
    .throwOnError();
  await expect(card).toContainText("Renamed");
  await expect(post.getByRole("heading", { level: 1 })).toHaveText(`Renamed ${slug}`);
  await expect(post).toHaveTitle(`Renamed ${slug} | Blog`);
  await owner.from("posts").delete().eq("slug", slug).throwOnError();
  await expect(card).toHaveCount(0);
  await expect(slide).toHaveCount(0);
  await expect(post).toHaveURL("/blog");
  await expect(post.getByRole("article").first()).toBeVisible();

  feeds[0]?.expectOneReadPerChange("posts");
});

test("changes still arrive after client-side navigation", { tag: "@long" }, async ({
  page,
  rows,
}) => {
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

test("a page that becomes visible again refetches once", { tag: "@long" }, async ({
  page,
  rows,
}) => {
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

test.describe("a sign-out", () => {
  // A read that is under way at the sign-out is refused.
  test.use({ expectedErrors: /status of 401|^(Loading|Counting|Comparing) .*failed/ });

  test("leaves the channels before it ends the session", async ({ page }) => {
    await logInByForm(page);
    const feed = followChanges(page);
    const steps: string[] = [];
    page.on("websocket", (socket) => {
      socket.on("framesent", ({ payload }) => {
        if (payload.includes("phx_leave")) steps.push("leave");
      });
    });
    page.on("request", (request) => {
      if (request.url().includes("/auth/v1/logout")) steps.push("sign out");
    });
    await openPage(page, "/testimonials");
    await feed.connected("testimonials", "contact_messages");
    await page.getByRole("button", { name: "Logout" }).click();
    await expect(page.getByRole("link", { name: "Admin Login" })).toBeVisible();
    // Of the reviews, the settings and the messages.
    expect(steps.indexOf("sign out")).toBeGreaterThanOrEqual(3);
  });
});

test("the site works completely without Realtime", { tag: "@long" }, async ({ page, rows }) => {
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
