import type { Page } from "@playwright/test";
import { sendContactForm } from "../forms.ts";
import { account, addPost, chooseImage, fillLogin, imageFile, logIn } from "../owner/owner.ts";
import { delayReads, expect, navigate, openPage, test, toast } from "../test.ts";
import { findingsOf, findingsOfPage } from "./axe.ts";

// These tests cause the failures on purpose.
test.use({ expectedErrors: /Failed to load resource|Failed to fetch|^Object$|Out of order/ });
test.slow();

async function expectNoFindings(page: Page, where: string): Promise<void> {
  expect.soft(await findingsOf(page), where).toEqual([]);
}

// The pages are split into two tests, so that two processors can run them.
for (const [subject, paths] of [
  [
    "on the blog and the services",
    [
      ...["/services", "/services/life-insurance", "/blog", "/blog/a-policy-loan-step-by-step"],
      ...["/blog?page=99", "/blog?q=insurance", "/blog?q=no-such-word"],
      ...["/blog/category/life-insurance", "/blog/category/none"],
    ],
  ],
  [
    "on the home page and the pages with forms",
    [
      ...["/", "/testimonials", "/savings-calculator", "/contact"],
      ...["/login", "/forgot-password", "/confirm", "/no-such-page"],
    ],
  ],
] as const) {
  test(`axe reports no violation ${subject}`, async ({ page }) => {
    for (const path of paths) {
      await openPage(page, path);
      expect.soft(await findingsOfPage(page), path).toEqual([]);
    }
  });
}

test("axe reports no violation in lists of any length, nor when they load or fail", async ({
  page,
  rows,
}) => {
  await openPage(page, "/services");
  const release = await delayReads(page, "posts");
  await navigate(page, "/blog");
  await expect(page.getByText("Loading articles...")).toBeVisible();
  await expectNoFindings(page, "a list that loads");
  await navigate(page, "/blog/a-policy-loan-step-by-step");
  await expect(page.getByText("Loading post...")).toBeVisible();
  await expectNoFindings(page, "a post that loads");
  release();
  await expect(page.getByRole("article")).toBeVisible();
  await page.unroute("**/rest/v1/posts?*");

  await Promise.all(Array.from({ length: 50 }, () => addPost(rows, "Listed")));
  await navigate(page, "/blog?page=2");
  await expect(page.getByRole("link", { name: "Newer articles" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Older articles" })).toBeVisible();
  await expectNoFindings(page, "a list with pages");

  await page.route("**/rest/v1/posts?*", (route) =>
    route.fulfill({ status: 500, json: { message: "Out of order" } }),
  );
  await navigate(page, "/blog");
  await expect(page.getByRole("main").getByRole("alert")).toBeVisible();
  await expectNoFindings(page, "a list that failed to load");
  await page.route("**/services/*.data*", (route) => route.abort());
  await navigate(page, "/services/estate-planning");
  await expect(page.getByText("Unexpected Application Error!")).toBeVisible();
  await expectNoFindings(page, "the error page");
  await page.unrouteAll({ behavior: "wait" });

  const { slug } = await addPost(rows, "A long title ".repeat(25));
  await openPage(page, `/blog/${slug}`);
  await expectNoFindings(page, "a post with a long title");
  const name = `Long ${crypto.randomUUID()}`;
  await rows.addTestimonial({ name, role: "Writer", content: "A long story. ".repeat(200) });
  await openPage(page, "/testimonials");
  const review = page.getByRole("figure").filter({ hasText: name });
  await review.locator("summary").click();
  await expect(review.getByText("Read less")).toBeVisible();
  await expectNoFindings(page, "a long review");
});

test("axe reports no violation in the menu, forms with errors, results and notices", async ({
  page,
  context,
}) => {
  await page.setViewportSize({ width: 320, height: 900 });
  await openPage(page, "/testimonials");
  await page.locator("summary", { hasText: "Menu" }).click();
  await expectNoFindings(page, "the open menu");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Leave a Review" }).click();
  await page.getByRole("button", { name: "Submit Review" }).click();
  await expect(page.getByRole("dialog").getByRole("alert")).toBeVisible();
  await expectNoFindings(page, "the review form with errors");

  await openPage(page, "/savings-calculator");
  await page.getByRole("button", { name: "Calculate Coverage" }).click();
  await page.getByRole("button", { name: "Project Savings" }).click();
  await page.getByText("The figures year by year").click();
  await expect(page.getByRole("columnheader", { name: "Growth" })).toBeVisible();
  await expectNoFindings(page, "results");
  await page.getByRole("slider", { name: "Annual Income" }).press("ArrowRight");
  await page.getByRole("slider", { name: "Current Age" }).press("ArrowRight");
  await expect(page.getByText("Out of date")).toHaveCount(2);
  await expectNoFindings(page, "results that are out of date");

  await openPage(page, "/contact");
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(page.getByRole("main").getByRole("alert")).toBeVisible();
  await expectNoFindings(page, "the contact form with errors");
  await page.route("**/functions/v1/send-email", (route) => route.fulfill({ json: { id: 1 } }));
  await sendContactForm(page, { name: "Ada Byron" });
  // Keep the toast open while axe runs.
  await toast(page, "Message Sent!").hover();
  await context.setOffline(true);
  await expect(page.getByText("You are offline.")).toBeVisible();
  await expectNoFindings(page, "a toast and the offline notice");
  await expect(toast(page, "Message Sent!")).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText("You are offline.")).toHaveCount(0);
});

test("axe reports no violation in the login, the post forms and their dialogs", async ({
  page,
  rows,
  owner,
}) => {
  await page.goto("/login");
  await fillLogin(page, { ...account, password: "not the password" });
  await expect(toast(page, "Sign in Failed")).toBeVisible();
  await expectNoFindings(page, "the login");
  await page.goto("/confirm#token_hash=x&type=recovery");
  await page.getByLabel("New password").fill("short");
  await page.getByRole("button", { name: "Save password" }).click();
  await expect(page.getByText("Please use at least 8 characters.")).toBeVisible();
  await expectNoFindings(page, "the form for a new password");

  const id = crypto.randomUUID();
  const words = (text: string) => [{ type: "paragraph", text }];
  const draft = {
    id,
    title: "Draft",
    category: "Testing",
    content: words("Typed."),
    image_url: null,
  };
  await owner.from("post_drafts").insert(draft).throwOnError();
  await logIn(page, `/blog/new?draft=${id}`);
  await chooseImage(page, { ...imageFile("words.txt"), mimeType: "text/plain" });
  await expect(page.getByRole("main").getByRole("alert")).toBeVisible();
  await chooseImage(page);
  await expect(page.locator("form").getByText("Image Uploaded")).toBeVisible();
  await page.getByText("Details").click();
  await page.getByRole("button", { name: "Create preview link" }).click();
  const link = await page.getByLabel("Link", { exact: true }).inputValue();
  await expectNoFindings(page, "the editor with an image and a preview link");
  await page.getByRole("button", { name: "Schedule…" }).click();
  await page.getByRole("dialog").getByLabel("Date").fill("2027-11-07");
  await page.getByRole("dialog").getByLabel("Time").fill("01:30");
  await expect(page.getByLabel("The first time (UTC−07:00)")).toBeChecked();
  await expectNoFindings(page, "the dialog for a schedule");
  await page.keyboard.press("Escape");

  await owner
    .from("post_drafts")
    .update({ content: words("Theirs.") })
    .eq("id", id)
    .throwOnError();
  await page.getByLabel("Content").fill("Mine.");
  await expect(page.getByRole("region", { name: "Yours" })).toHaveText("Mine.");
  await expectNoFindings(page, "a conflict");
  await openPage(page, new URL(link).pathname);
  await expect(page.getByText("Preview of a draft, not published")).toBeVisible();
  await expectNoFindings(page, "the preview of a draft");
  await owner.rpc("discard_draft", { draft_id: id, seen_version: null }).throwOnError();

  const { slug } = await addPost(rows, "Kept");
  await page.goto(`/blog/${slug}/edit`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Edit Post");
  await page.getByLabel("Title").fill("");
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(page.getByRole("main").getByRole("alert")).toBeVisible();
  await expectNoFindings(page, "the edit form with an error");
  await openPage(page, `/blog/${slug}`);
  await page.getByRole("button", { name: /^Delete/ }).click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
  await expectNoFindings(page, "the dialog for a deletion");
});

test("axe reports no violation in the owner's inbox, an open message and its dialog", async ({
  page,
  visitor,
  owner,
}) => {
  const mark = crypto.randomUUID();
  const names = [`Ada ${mark}`, `Ben ${mark}`];
  for (const name of names) {
    const message = { name, email: "ada@example.com", phone: "", message: "Could we talk?" };
    await visitor.functions.invoke("send-email", { body: JSON.stringify(message) });
  }
  await logIn(page, "/messages");
  const message = page.getByRole("article").filter({ hasText: `Ben ${mark}` });
  await message.getByRole("heading").getByRole("button").press("Enter");
  await message.getByRole("button", { name: "Mark as answered" }).press("Enter");
  await expect(message.getByRole("heading")).toContainText("Answered");
  await message.getByRole("button", { name: "Flag" }).press("Enter");
  await expect(message.getByRole("heading")).toContainText("Flagged");
  await message.getByRole("textbox", { name: /^Note/ }).fill("Mine");
  await owner.from("contact_messages").update({ note: "Theirs" }).eq("name", `Ben ${mark}`);
  await expect(message.getByRole("alert")).toBeVisible();
  await expectNoFindings(page, "the list with an open message and a conflict");
  await message.getByRole("button", { name: "Delete" }).press("Enter");
  await expect(page.getByRole("button", { name: "Undo" })).toBeVisible();
  await expectNoFindings(page, "the list after a deletion");
  await page.getByRole("link", { name: /^Deleted/ }).press("Enter");
  await message.getByRole("heading").getByRole("button").press("Enter");
  await message.getByRole("button", { name: "Delete for good" }).press("Enter");
  await expect(page.getByRole("alertdialog")).toBeVisible();
  await expectNoFindings(page, "the dialog for a deletion");
  page.on("dialog", (dialog) => dialog.accept());
  await page.goto("/messages?filter=flagged&q=nothing+of+this");
  await expect(page.getByRole("heading", { name: "Nothing found" })).toBeVisible();
  await expectNoFindings(page, "a search without results");
  await owner.from("contact_messages").delete().in("name", names);
});
