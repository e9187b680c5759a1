import type { Page } from "@playwright/test";
import { sendContactForm } from "../forms.ts";
import { account, chooseImage, fillLogin, imageFile, logIn } from "../owner/owner.ts";
import { delayReads, expect, navigate, openPage, test, toast } from "../test.ts";
import { findingsOf } from "./axe.ts";

// The tests cause these failures on purpose.
test.use({ expectedErrors: /Failed to load resource|Failed to fetch|^Object$|Out of order/ });

// Several pages per test: the browser opens the second one in half the time.
for (const [subject, paths] of [
  ["the home page and the services", ["/", "/services", "/services/life-insurance"]],
  [
    "the blog and its posts",
    [
      "/blog",
      "/blog/how-much-life-insurance-is-enough",
      "/blog/term-or-permanent-a-plain-comparison",
      "/blog?page=99",
      "/blog?q=insurance",
      "/blog?q=no-such-word",
      "/blog/category/life-insurance",
      "/blog/category/none",
    ],
  ],
  [
    "the search and the categories",
    [
      "/blog?q=insurance",
      "/blog?q=no-such-word",
      "/blog/category/life-insurance",
      "/blog/category/none",
    ],
  ],
  ["the testimonials and the calculators", ["/testimonials", "/savings-calculator"]],
  [
    "the forms and the page for unknown paths",
    ["/contact", "/login", "/forgot-password", "/confirm", "/no-such-page"],
  ],
] as const) {
  test(`axe reports no violation on ${subject}`, async ({ page }) => {
    test.slow();
    for (const path of paths) {
      await openPage(page, path);
      expect.soft(await findingsOf(page), path).toEqual([]);
    }
  });
}

test("axe reports no violation in the open menu", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 900 });
  await openPage(page, "/services");
  await page.locator("summary", { hasText: "Menu" }).click();
  expect(await findingsOf(page)).toEqual([]);
});

test("axe reports no violation in lists that are loading, empty, single-page and paged", async ({
  page,
}) => {
  await openPage(page, "/services");
  const release = await delayReads(page, "posts");
  await navigate(page, "/blog");
  await expect(page.getByText("Loading articles...")).toBeVisible();
  expect(await findingsOf(page)).toEqual([]);
  await navigate(page, "/blog/how-much-life-insurance-is-enough");
  await expect(page.getByText("Loading post...")).toBeVisible();
  expect(await findingsOf(page)).toEqual([]);
  release();
  await expect(page.getByRole("article")).toBeVisible();
  await page.unroute("**/rest/v1/posts?*");

  for (const [count, path] of [
    [0, "/blog"],
    [1, "/blog?page=1"],
    [40, "/blog?page=2"],
  ] as const) {
    await answerPosts(page, count);
    await navigate(page, path);
    const articles = page.getByRole("main").getByRole("article");
    if (count === 0) await expect(page.getByText(/No articles/)).toBeVisible();
    else if (count === 1) await expect(articles).toHaveCount(1);
    else await expect(page.getByRole("link", { name: "Newer articles" })).toBeVisible();
    expect(await findingsOf(page)).toEqual([]);
  }
});

test("axe reports no violation in a title and a review of any length", async ({ page, rows }) => {
  const slug = `long-${crypto.randomUUID()}`;
  await rows.addPost({ slug, title: "A long title ".repeat(30).trim(), category: "Testing" });
  await openPage(page, `/blog/${slug}`);
  expect(await findingsOf(page)).toEqual([]);

  const name = `Long ${crypto.randomUUID()}`;
  await rows.addTestimonial({ name, role: "Writer", content: "A long story. ".repeat(200) });
  await openPage(page, "/testimonials");
  const review = page.getByRole("figure").filter({ hasText: name });
  await review.locator("summary").click();
  await expect(review.getByText("Read less")).toBeVisible();
  expect(await findingsOf(page)).toEqual([]);
});

test("axe reports no violation in the offline notice and in a toast", async ({ page, context }) => {
  await openPage(page, "/contact");
  await page.route("**/functions/v1/send-email", (route) => route.fulfill({ json: { id: 1 } }));
  await sendContactForm(page, { name: "Ada Byron" });
  // Keep the toast open while axe runs.
  await toast(page, "Message Sent!").hover();
  await context.setOffline(true);
  await expect(page.getByText("You are offline.")).toBeVisible();
  expect(await findingsOf(page)).toEqual([]);
  await expect(toast(page, "Message Sent!")).toBeVisible();
});

test("axe reports no violation in the review form and its errors", async ({ page }) => {
  await openPage(page, "/testimonials");
  await page.getByRole("button", { name: "Leave a Review" }).click();
  expect(await findingsOf(page)).toEqual([]);

  await page.getByRole("button", { name: "Submit Review" }).click();
  await expect(page.getByRole("dialog").getByRole("alert")).toBeVisible();
  expect(await findingsOf(page)).toEqual([]);
});

test("axe reports no violation in the contact form's errors", async ({ page }) => {
  await openPage(page, "/contact");
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(page.getByRole("main").getByRole("alert")).toBeVisible();
  expect(await findingsOf(page)).toEqual([]);
});

test("axe reports no violation in the calculators' results, current and out of date", async ({
  page,
}) => {
  await openPage(page, "/savings-calculator");
  await page.getByRole("button", { name: "Calculate Coverage" }).click();
  await page.getByRole("button", { name: "Project Savings" }).click();
  await expect(page.getByText("Estimated Savings at Retirement")).toBeVisible();
  expect(await findingsOf(page)).toEqual([]);

  await page.getByRole("slider", { name: "Annual Income" }).press("ArrowRight");
  await page.getByRole("slider", { name: "Current Age" }).press("ArrowRight");
  await expect(page.getByText("Out of date")).toHaveCount(2);
  await page.getByText("The figures year by year").click();
  await expect(page.getByRole("columnheader", { name: "Growth" })).toBeVisible();
  expect(await findingsOf(page)).toEqual([]);
});

test("axe reports no violation when the blog fails to load and on the error page", async ({
  page,
}) => {
  await openPage(page, "/services");
  await page.route("**/rest/v1/posts?*", (route) =>
    route.fulfill({ status: 500, json: { message: "Out of order" } }),
  );
  await navigate(page, "/blog");
  await expect(page.getByRole("main").getByRole("alert")).toBeVisible();
  expect(await findingsOf(page)).toEqual([]);

  await navigate(page, "/blog/how-much-life-insurance-is-enough");
  await expect(page.getByText("This article can't be shown right now.")).toBeVisible();
  expect(await findingsOf(page)).toEqual([]);

  await page.route("**/services/*.data*", (route) => route.abort());
  await navigate(page, "/services/estate-planning");
  await expect(page.getByText("Unexpected Application Error!")).toBeVisible();
  expect(await findingsOf(page)).toEqual([]);
});

test("axe reports no violation on the owner's pages, in their dialogs and toasts", async ({
  page,
  rows,
}) => {
  await page.goto("/login");
  await fillLogin(page, { ...account, password: "not the password" });
  await expect(toast(page, "Sign in Failed")).toBeVisible();
  expect(await findingsOf(page)).toEqual([]);

  await logIn(page, "/blog/new");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Create New Blog Post");
  expect(await findingsOf(page)).toEqual([]);
  await chooseImage(page, { ...imageFile("words.txt"), mimeType: "text/plain" });
  await expect(page.getByRole("main").getByRole("alert")).toBeVisible();
  await chooseImage(page);
  await expect(page.locator("form").getByText("Image Uploaded")).toBeVisible();
  expect(await findingsOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Remove image" }).click();

  const slug = `to-be-kept-${crypto.randomUUID()}`;
  await rows.addPost({ slug, title: "To Be Kept", category: "Testing" });
  await page.goto(`/blog/${slug}/edit`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Edit Post");
  await page.getByLabel("Title").fill("");
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(page.getByRole("main").getByRole("alert")).toBeVisible();
  expect(await findingsOf(page)).toEqual([]);

  await openPage(page, `/blog/${slug}`);
  await page.getByRole("button", { name: /^Delete/ }).click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
  expect(await findingsOf(page)).toEqual([]);
});

for (const width of [390, 1280]) {
  test(`axe reports no violation in the editor's draft, conflict, schedule and preview at ${width} pixels`, async ({
    page,
    owner,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    const id = crypto.randomUUID();
    const image_url = "/images/posts/old-oak.svg";
    const draft = { id, title: "Draft", category: "Testing", text: "Typed.", image_url };
    await owner.from("post_drafts").insert(draft).throwOnError();
    await logIn(page, `/blog/new?draft=${id}`);
    await page.getByText("Details").click();
    await page.getByRole("button", { name: "Create preview link" }).click();
    const link = await page.getByLabel("Link", { exact: true }).inputValue();
    expect(await findingsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "Schedule…" }).click();
    await page.getByRole("dialog").getByLabel("Date").fill("2027-11-07");
    await page.getByRole("dialog").getByLabel("Time").fill("01:30");
    await expect(page.getByLabel("The first time (UTC−07:00)")).toBeChecked();
    expect(await findingsOf(page)).toEqual([]);
    await page.keyboard.press("Escape");

    await owner.from("post_drafts").update({ text: "Theirs." }).eq("id", id).throwOnError();
    await page.getByLabel("Content").fill("Mine.");
    await expect(page.getByRole("region", { name: "Yours" })).toHaveText("Mine.");
    expect(await findingsOf(page)).toEqual([]);
    await openPage(page, new URL(link).pathname);
    await expect(page.getByText("Preview of a draft, not published")).toBeVisible();
    expect(await findingsOf(page)).toEqual([]);
    await owner.rpc("discard_draft", { draft_id: id, seen_version: null }).throwOnError();
  });
}

test("axe reports no violation in the owner's inbox, an open message and its dialog", async ({
  page,
  visitor,
  owner,
}) => {
  const mark = crypto.randomUUID();
  for (const name of [`Ada ${mark}`, `Ben ${mark}`, `Cleo ${mark}`]) {
    const message = { name, email: "ada@example.com", phone: "", message: "Could we talk?" };
    await visitor.functions.invoke("send-email", { body: JSON.stringify(message) });
  }
  await logIn(page, "/messages");
  const message = page.getByRole("article").filter({ hasText: `Ben ${mark}` });
  await expect(message).toBeVisible();
  expect(await findingsOf(page)).toEqual([]);

  await message.getByRole("heading").getByRole("button").press("Enter");
  await message.getByRole("button", { name: "Mark as answered" }).press("Enter");
  await expect(message.getByRole("heading")).toContainText("Answered");
  await message.getByRole("button", { name: "Flag" }).press("Enter");
  await expect(message.getByRole("heading")).toContainText("Flagged");
  await message.getByRole("textbox", { name: /^Note/ }).fill("Mine");
  await owner.from("contact_messages").update({ note: "Theirs" }).eq("name", `Ben ${mark}`);
  await expect(message.getByRole("alert")).toBeVisible();
  expect(await findingsOf(page)).toEqual([]);
  await message.getByRole("button", { name: "Delete" }).press("Enter");
  await expect(page.getByRole("button", { name: "Undo" })).toBeVisible();
  expect(await findingsOf(page)).toEqual([]);
  await page.getByRole("link", { name: /^Deleted/ }).press("Enter");
  await message.getByRole("heading").getByRole("button").press("Enter");
  await message.getByRole("button", { name: "Delete for good" }).press("Enter");
  await expect(page.getByRole("alertdialog")).toBeVisible();
  expect(await findingsOf(page)).toEqual([]);
  page.on("dialog", (dialog) => dialog.accept());
  await page.goto("/messages?filter=flagged&q=nothing+of+this");
  await expect(page.getByRole("heading", { name: "Nothing found" })).toBeVisible();
  expect(await findingsOf(page)).toEqual([]);
  await owner
    .from("contact_messages")
    .delete()
    .in("name", [`Ada ${mark}`, `Ben ${mark}`, `Cleo ${mark}`]);

  await page.goto("/confirm#token_hash=x&type=recovery");
  await page.getByLabel("New password").fill("short");
  await page.getByRole("button", { name: "Save password" }).click();
  await expect(page.getByText("Please use at least 8 characters.")).toBeVisible();
  expect(await findingsOf(page)).toEqual([]);
});

/** Makes the browser's reads report this many posts in total. */
async function answerPosts(page: Page, count: number): Promise<void> {
  const posts = Array.from({ length: count }, (_, index) => ({
    id: `b1a9e6d0-3c52-4f7e-9a10-${String(index).padStart(12, "0")}`,
    slug: `post-${index}`,
    title: `Post ${index}`,
    category: "Testing",
    author: "Ada Author",
    alt: "",
    image_url: null,
    created_at: "2026-01-01T00:00:00Z",
    updated_at: null,
  }));
  await page.route("**/rest/v1/posts?*", (route) => {
    const search = new URL(route.request().url()).searchParams;
    const first = Number(search.get("offset") ?? 0);
    const json = posts.slice(first, first + Number(search.get("limit") ?? 1000));
    return route.fulfill({ json });
  });
}
