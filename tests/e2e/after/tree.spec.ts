// What a screen reader announces: the accessibility tree of every page, compared with the reviewed
// tree in trees/*.aria.yml. Runs after all other tests have removed their rows.
// After an intended change, edit the trees by hand or run `npx playwright test tree --project=after
// --no-deps --update-snapshots`. That command replaces numbers by patterns: restore those that
// matter. Then review the diff as a screen-reader user would hear it.
import type { Locator, Page } from "@playwright/test";
import { sendContactForm } from "../forms.ts";
import { account, fillLogin, logIn } from "../owner/owner.ts";
import { test as base, expect, navigate, openPage, toast } from "../test.ts";

const test = base.extend<{ inbox: undefined }>({
  /** An inbox of three messages, independent of what other tests left in it. */
  inbox: async ({ visitor, owner }, use) => {
    const clear = () =>
      owner.from("contact_messages").delete().not("id", "is", null).throwOnError();
    await clear();
    for (const name of ["Ada Byron", "Grace Lane", "Ben Ode"]) {
      const { error } = await visitor.functions.invoke("send-email", {
        body: JSON.stringify({
          name,
          email: "visitor@example.com",
          phone: "(503) 555-0199",
          message: "Could we talk next week?",
        }),
      });
      if (error) throw error;
    }
    await use(undefined);
    await clear();
  },
});

// The tests cause these failures on purpose.
test.use({ expectedErrors: /Failed to load resource|Failed to fetch|Out of order|^Object$/ });

for (const [subject, pages] of [
  [
    "the services, the blog and its posts",
    {
      services: "/services",
      service: "/services/life-insurance",
      blog: "/blog",
      post: "/blog/how-much-life-insurance-is-enough",
      "post-without-image": "/blog/term-or-permanent-a-plain-comparison",
    },
  ],
  [
    "the testimonials, the forms and the page for unknown paths",
    {
      testimonials: "/testimonials",
      contact: "/contact",
      login: "/login",
      "forgot-password": "/forgot-password",
      "incomplete-link": "/confirm",
      "missing-page": "/no-such-page",
    },
  ],
] as const) {
  test(`the accessibility trees of ${subject} match the reviewed ones`, async ({ page }) => {
    for (const [name, path] of Object.entries(pages)) {
      await openPage(page, path);
      await expect.soft(page.getByRole("main"), path).toMatchAriaSnapshot({
        name: `${name}.aria.yml`,
      });
    }
  });
}

test("the accessibility tree of / matches the reviewed one", async ({ page }) => {
  await openPage(page, "/");
  const carousels = page.getByRole("region", { name: /^(Client testimonials|Articles)$/ });
  await expect(carousels).toHaveCount(2);
  for (const carousel of await carousels.all()) {
    await carousel.scrollIntoViewIfNeeded();
    // Until its script has loaded, a carousel is a plain scrolling row.
    await expect(carousel.getByRole("group")).toHaveCount(0);
  }
  await expectContent(page, "home");
});

test("the accessibility tree of the header and footer matches the reviewed one", async ({
  page,
}) => {
  await openPage(page, "/login");
  // Other tests cover the content between header and footer.
  await page.getByRole("main").evaluate((main) => main.replaceChildren());
  await expectTree(page.locator("body"), "frame");
});

test("the trees of the phone menu and the consultation bar match the reviewed ones", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await openPage(page, "/services");
  await expectTree(page.getByRole("banner"), "menu-closed");
  await expectTree(page.getByRole("complementary", { name: "Consultation" }), "consultation-bar");
  await page.locator("summary", { hasText: "Menu" }).click();
  await expectTree(page.getByRole("banner"), "menu-open");
});

test("the trees of the review form and its errors match the reviewed ones", async ({ page }) => {
  await openPage(page, "/testimonials");
  await page.getByRole("button", { name: "Leave a Review" }).click();
  const dialog = page.getByRole("dialog");
  await expectTree(dialog, "review");
  await page.getByRole("button", { name: "Submit Review" }).click();
  await expectTree(dialog, "review-errors");
});

test("the trees of the contact form's errors and its confirmation match the reviewed ones", async ({
  page,
  inbox: _,
}) => {
  await openPage(page, "/contact");
  await page.getByRole("button", { name: "Send Message" }).click();
  await expectTree(page.getByRole("main").locator("form"), "contact-errors");

  await sendContactForm(page, { name: "Ada Byron" });
  // Keep the toast open while its tree is read.
  await toast(page, "Message Sent!").hover();
  await expectTree(page.getByRole("region", { name: "Notifications" }), "notice");
});

test("the trees of the calculators and their results match the reviewed ones", async ({ page }) => {
  await openPage(page, "/savings-calculator");
  await expectContent(page, "calculators");
  await page.getByRole("button", { name: "Calculate Coverage" }).click();
  await page.getByRole("button", { name: "Project Savings" }).click();
  await expect(page.getByText("Estimated Savings at Retirement")).toBeVisible();
  await expectContent(page, "calculators-results");

  await page.getByRole("slider", { name: "Annual Income" }).press("ArrowRight");
  await page.getByRole("slider", { name: "Retirement Age" }).press("Home");
  await page.getByRole("button", { name: "Project Savings" }).click();
  await page.getByText("The figures year by year").click();
  await expectTree(page.getByRole("region", { name: "Life Insurance" }), "coverage-out-of-date");
  await expectTree(page.getByRole("group").filter({ hasText: "year by year" }), "savings-table");
});

test("the trees of lists that failed to load and of the unexpected-error page match the reviewed ones", async ({
  page,
}) => {
  await openPage(page, "/services");
  await page.route("**/rest/v1/posts?*", (route) =>
    route.fulfill({ status: 500, json: { message: "Out of order" } }),
  );
  await navigate(page, "/blog");
  await expect(page.getByRole("main").getByRole("alert")).toBeVisible();
  await expectContent(page, "blog-error");
  await navigate(page, "/blog/how-much-life-insurance-is-enough");
  await expect(page.getByText("This article can't be shown right now.")).toBeVisible();
  await expectContent(page, "post-error");

  await navigate(page, "/services");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/services/i);
  await page.route("**/services/*.data*", (route) => route.abort());
  await navigate(page, "/services/estate-planning");
  await expect(page.getByText("Unexpected Application Error!")).toBeVisible();
  await expectContent(page, "error-page");
});

test("the tree of a failed login matches the reviewed one", async ({ page }) => {
  await page.goto("/login");
  await fillLogin(page, { ...account, password: "not the password" });
  await expect(toast(page, "Sign in Failed")).toBeVisible();
  await expectContent(page, "login-failed");
});

test("the tree of the owner's inbox matches the reviewed one", async ({ page, inbox: _ }) => {
  await logIn(page, "/messages");
  const main = page.getByRole("main");
  await expect(main.getByRole("article")).toHaveCount(3);
  await expectContent(page, "messages");
  await main.getByRole("button", { name: /Grace Lane/ }).click();
  await main.getByRole("button", { name: "Mark as answered" }).click();
  await expect(main.getByRole("button", { name: "Mark as not answered" })).toBeVisible();
  await expectContent(page, "message-open");
  await main.getByRole("button", { name: /^Delete/ }).click();
  await expect(main.getByRole("article")).toHaveCount(2);
  await page.getByRole("link", { name: "Deleted 1" }).click();
  await main.getByRole("button", { name: /Grace Lane/ }).click();
  await expectContent(page, "message-deleted");
  await main.getByRole("button", { name: /^Delete for good/ }).click();
  await expectTree(page.getByRole("alertdialog"), "confirm");
});

test("the trees of the owner's post forms match the reviewed ones", async ({ page }) => {
  await logIn(page, "/blog/new");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Create New Blog Post");
  await expectContent(page, "new-post");
  await page.goto("/blog/a-policy-loan-step-by-step/edit");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Edit Post");
  await page.getByLabel("Content").fill("One paragraph.");
  await expectContent(page, "edit-post");
  await page.getByLabel("Title").fill("");
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(page.getByRole("main").getByRole("alert")).toBeVisible();
  await expectContent(page, "edit-post-errors");
  await page.getByRole("button", { name: "Discard changes" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Discard changes" }).click();
  await expect(toast(page, "Changes discarded")).toBeVisible();
});

test("the trees of the owner's controls match the reviewed ones", async ({ page }) => {
  await logIn(page, "/testimonials");
  const review = page.getByRole("figure").first();
  await expect(review.getByRole("button")).toBeVisible();
  await expectTree(review, "review-owner");
  await expectTree(page.getByRole("contentinfo").getByRole("paragraph").last(), "session-owner");
  await page.goto("/blog");
  const card = page.getByRole("article").first();
  await expect(card.getByRole("button")).toBeVisible();
  await expectTree(card, "card-owner");
});

/** The content of the page's main landmark. */
async function expectContent(page: Page, name: string): Promise<void> {
  await expectTree(page.getByRole("main"), name);
}

/** @param name the file name in trees/. */
async function expectTree(part: Locator, name: string): Promise<void> {
  await expect(part).toMatchAriaSnapshot({ name: `${name}.aria.yml` });
}
