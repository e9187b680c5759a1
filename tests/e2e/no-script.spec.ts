// The site in a browser without JavaScript.

import { sendContactForm } from "./forms.ts";
import { expect, test } from "./test.ts";

test.use({ javaScriptEnabled: false, expectedErrors: /status of (400|500)/ });

test("the contact page shows the errors, keeps the input, and then sends", async ({
  page,
  owner,
}) => {
  const name = `Ada ${crypto.randomUUID()}`;
  await page.goto("/contact");
  await sendContactForm(page, { name: "A", email: "ada@", phone: "555 0100", message: "Short" });

  await expect(page.getByRole("main").getByRole("alert")).toContainText("Please check 3 answers:");
  await expect(page.getByLabel("Full Name")).toHaveAccessibleDescription(
    "Name must be at least 2 characters.",
  );
  await expect(page.getByLabel("Email Address")).toHaveAccessibleDescription(
    "Please enter a valid email address.",
  );
  await expect(page.getByLabel("Your Message")).toHaveAccessibleDescription(
    "Message must be at least 10 characters.",
  );
  await expect(page.getByLabel("Email Address")).toHaveValue("ada@");
  await expect(page.getByLabel("Phone Number (Optional)")).toHaveValue("555 0100");

  await sendContactForm(page, { name });

  await expect(page).toHaveURL("/contact?sent#contact-form");
  await expect(page.getByRole("main").getByRole("status")).toContainText("Message Sent!");
  await expect(page.getByRole("main").getByRole("status")).toContainText(
    "I'll be in touch shortly.",
  );
  await expect(page.getByLabel("Full Name")).toHaveValue("");
  const { data } = await owner.from("contact_messages").select("*").eq("name", name);
  expect(data).toMatchObject([
    { email: "ada@example.com", phone: "555 0100", message: "Could we talk next week?" },
  ]);
});

test("the home page shows the function's error, keeps the input, and then sends once", async ({
  page,
  owner,
}) => {
  const email = `grace@${crypto.randomUUID()}`;
  await page.goto("/");
  await sendContactForm(page, { name: "G", email, message: "          " });
  await expect(page.getByRole("main").getByRole("alert")).toHaveText("Please enter your message.");
  await expect(page.getByLabel("Full Name")).toHaveValue("G");

  for (let time = 1; time <= 2; time++) {
    await sendContactForm(page, { name: "G", email, message: "Call me" });
    await expect(page).toHaveURL("/?sent#contact-form");
    await expect(page.getByRole("main").getByRole("status")).toContainText(
      "We'll be in touch soon.",
    );
    await page.goto("/");
    await expect(page.getByRole("main").getByRole("status")).toHaveCount(0);
  }
  const { data } = await owner.from("contact_messages").select("email");
  expect(data?.filter((row) => row.email === email)).toHaveLength(1);
});

test("both calculators compute their result from corrected numbers", async ({ page }) => {
  await page.goto("/savings-calculator");
  await page.getByRole("button", { name: "Calculate Coverage" }).click();
  await expect(page.getByText("$2,320,000")).toBeVisible();

  await page.getByRole("button", { name: "Project Savings" }).click();
  await expect(page.getByText("$1,193,434").first()).toBeVisible();

  await page.getByLabel("Annual Income, as a number").fill("$99,999,999");
  await page.getByRole("button", { name: "Calculate Coverage" }).click();
  await expect(page.getByText("$150,070,000")).toBeVisible();
  await expect(page.getByLabel("Annual Income, as a number")).toHaveValue("5,000,000");
});

test("a calculator's result gets into the contact form on request, where nothing is sent yet", async ({
  page,
  owner,
}) => {
  await page.goto("/savings-calculator");
  await page.getByRole("button", { name: "Calculate Coverage" }).click();
  await page.getByRole("button", { name: "Send me this result" }).click();
  await expect(page).toHaveURL("/contact#contact-form");
  await expect(page.getByLabel("Your Message")).toHaveValue(
    /^Life Insurance Calculator\nEstimated Coverage Needed: \$2,320,000\n30 years of today's income/,
  );
  await expect(page.getByRole("alert")).toHaveCount(0);
  const { data } = await owner.from("contact_messages").select("message").throwOnError();
  expect(data.filter(({ message }) => message.includes("$2,320,000"))).toEqual([]);
});

test("features that need scripts say so, load nothing forever, and put no password into a URL", async ({
  page,
}) => {
  await page.goto("/login");
  await expect(page.locator("main noscript p")).toHaveText("Signing in needs JavaScript.");
  await page.getByLabel("Email").fill("owner@example.com");
  await page.getByLabel("Password").fill("do-not-show-me");
  await page.getByRole("button", { name: "Log In" }).click();
  await expect(page.getByRole("main").getByRole("alert")).toContainText("needs JavaScript");
  await expect(page).toHaveURL("/login");
  expect(await page.content()).not.toContain("do-not-show-me");
  for (const path of ["/blog/new", "/blog/anything/edit", "/messages", "/manage/settings"]) {
    await page.goto(path);
    await expect(page.locator("main noscript p")).toHaveText("This page needs JavaScript.");
    await expect(page.getByText("Loading session...")).toBeHidden();
  }
  await page.goto("/testimonials");
  await expect(page.locator("main noscript p")).toContainText(
    "Writing a review here needs JavaScript.",
  );
  await expect(page.getByRole("button", { name: "Leave a Review" })).toBeHidden();
});
