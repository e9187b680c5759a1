// A browser with JavaScript that fails to load the site's scripts.
import { findingsOf } from "./access/axe.ts";
import { sendContactForm } from "./forms.ts";
import { expect, openPage, test } from "./test.ts";

test.use({ expectedErrors: /./ });

const entry = /\/assets\/entry\.client-[^/]+\.js/;

test("without the entry file or one that it needs, the browser submits a form, also before the failure is known", {
  tag: "@long",
}, async ({ page, owner }) => {
  for (const file of [entry, /\/assets\/framework-[^/]+\.js/]) {
    const name = `Ada ${crypto.randomUUID()}`;
    const { promise: pressed, resolve } = Promise.withResolvers<void>();
    await page.route(file, async (route) => {
      await pressed;
      await route.abort();
    });
    await page.goto("/contact", { waitUntil: "commit" });
    await sendContactForm(page, { name });
    resolve();

    await expect(page).toHaveURL("/contact?sent#contact-form");
    await expect(page.getByRole("main").getByRole("status")).toContainText("Message Sent!");
    const { data } = await owner.from("contact_messages").select("id").eq("name", name);
    expect(data).toHaveLength(1);
    await page.unroute(file);
  }
});

test("while the entry file hangs, a form waits a few seconds and the browser then submits it", {
  tag: "@long",
}, async ({ page }) => {
  await page.route(entry, () => {});
  await page.clock.install();
  await page.goto("/savings-calculator", { waitUntil: "commit" });
  await page.getByLabel("Annual Income, as a number").fill("100,000");
  await page.getByRole("button", { name: "Calculate Coverage" }).click();
  await page.clock.fastForward(8000);

  // The button's name and value identify the calculator.
  await expect(page.getByText("$3,070,000")).toBeVisible();
  await expect(page.getByLabel("Annual Income, as a number")).toHaveValue("100,000");
});

test("without the entry file the pages say what needs JavaScript", { tag: "@long" }, async ({
  page,
}) => {
  await page.route(entry, (route) => route.abort());
  for (const [path, text] of [
    ["/login", "Signing in needs JavaScript."],
    ["/confirm", "This page needs JavaScript."],
    ["/blog/new", "This page needs JavaScript."],
    ["/testimonials", "Writing a review here needs JavaScript."],
  ] as const) {
    await page.goto(path);
    await expect(page.getByText(text)).toBeVisible();
    await expect(
      page.getByText(/^(Loading session|Reading the link)/).filter({ visible: true }),
    ).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Leave a Review" })).toBeHidden();
  }
});

test("the login shows an error offline, and works once the connection is back", {
  tag: "@long",
}, async ({ page, context }) => {
  const logIn = page.getByRole("button", { name: "Log In" });
  await openPage(page, "/login");
  await page.getByLabel("Email").fill("owner@example.com");
  await page.getByLabel("Password").fill("a-password-for-tests");
  await context.setOffline(true);
  await logIn.click();
  await expect(page.getByRole("main").getByRole("alert")).toContainText("Check your connection");
  await expect(page.getByRole("alert").filter({ hasText: "Sign in Failed" })).toBeVisible();
  await expect(logIn).toBeEnabled();
  const notice = page.getByText("You are offline.");
  await expect(notice).toBeVisible();
  expect(await findingsOf(page)).toEqual([]);
  await context.setOffline(false);
  await expect(notice).toHaveCount(0);
  await logIn.click();
  await expect(page).toHaveURL("/blog");
});
