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

  await expect(page).toHaveURL("/contact?sent#contact-form", { timeout: 20_000 });
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
  const name = `Grace ${crypto.randomUUID()}`;
  await page.goto("/");
  await sendContactForm(page, { name, email: "grace@example.com", message: "          " });
  await expect(page.getByRole("main").getByRole("alert")).toHaveText(
    "Message must be at least 10 characters.",
    { timeout: 20_000 },
  );
  await expect(page.getByLabel("Full Name")).toHaveValue(name);

  for (let time = 1; time <= 2; time++) {
    await sendContactForm(page, { name, email: "grace@example.com" });
    await expect(page).toHaveURL("/?sent#contact-form", { timeout: 20_000 });
    await expect(page.getByRole("main").getByRole("status")).toContainText(
      "We'll be in touch soon.",
    );
    await page.goto("/");
    await expect(page.getByRole("main").getByRole("status")).toHaveCount(0);
  }
  const { data } = await owner.from("contact_messages").select("id").eq("name", name);
  expect(data).toHaveLength(1);
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

for (const width of [320, 1280]) {
  test(`a long testimonial with a long word does not widen a page of ${width} pixels`, async ({
    page,
    rows,
  }) => {
    const name = `Long ${crypto.randomUUID()}`;
    await rows.addTestimonial({
      name,
      role: "x".repeat(60),
      content: `${"Versicherungsbeitragsanpassung".repeat(4)} ${"She counted every dollar with us. ".repeat(30)}`,
    });
    await page.setViewportSize({ width, height: 800 });
    for (const path of ["/", "/testimonials"]) {
      // The cached page is invalidated shortly after the row is added.
      await expect(async () => {
        await page.goto(path);
        await expect(page.getByText(name).first()).toBeAttached({ timeout: 1000 });
      }).toPass();
      const overflow = await page
        .locator("html")
        .evaluate((html) => html.scrollWidth - html.clientWidth);
      expect(overflow, path).toBe(0);
    }
  });
}

test("a visually hidden label in a scroll container is positioned within it", async ({
  page,
  rows,
}) => {
  const name = `Label ${crypto.randomUUID()}`;
  await rows.addTestimonial({ name, content: "She counted every dollar with us. ".repeat(30) });
  await expect(async () => {
    await page.goto("/");
    await expect(page.getByText(`of the review by ${name}`)).toBeAttached({ timeout: 1000 });
  }).toPass();
  for (const path of ["/", "/testimonials", "/blog", "/savings-calculator", "/contact"]) {
    await page.goto(path);
    if (path === "/savings-calculator") {
      await page.getByRole("button", { name: "Project Savings" }).click();
    }
    const escaping = await page.locator(".sr-only").evaluateAll((labels) =>
      labels.flatMap((label) => {
        const scrolls = (element: Element) =>
          /auto|scroll/.test(getComputedStyle(element).overflow);
        let container = label.parentElement;
        while (container && !scrolls(container)) container = container.parentElement;
        const position = label instanceof HTMLElement ? label.offsetParent : null;
        return !container || !position || container.contains(position) ? [] : [label.textContent];
      }),
    );
    expect(escaping, path).toEqual([]);
  }
});

test("every page has its content, and the menu links the pages", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto("/");
  for (const [link, heading] of [
    ["Services", "My Services"],
    ["Blog", /./],
    ["Testimonials", /./],
    ["Contact", "Get in Touch"],
  ] as const) {
    await page.locator("summary", { hasText: "Menu" }).click();
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: link }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(heading);
  }
});

test("the response to a posted form is never cached for another visitor", async ({ request }) => {
  const posted = await request.post("/contact", {
    form: { name: "Mallory", email: "", message: "" },
  });
  expect(posted.status()).toBe(400);
  expect(await posted.text()).toContain('value="Mallory"');
  expect(posted.headers()["cache-control"]).toBe("private, no-cache");
  expect(await (await request.get("/contact")).text()).not.toContain("Mallory");

  const elsewhere = await request.post("/contact", {
    form: { name: "Mallory" },
    headers: { origin: "https://evil.example" },
  });
  expect(elsewhere.status()).toBe(403);
  expect((await request.post("/contact", { data: { name: "Mallory" } })).status()).toBe(400);
});

test("the password never becomes part of a URL, and the login says that it needs JavaScript", async ({
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
});

test("the forgot-password form puts no address into a URL and says that it needs JavaScript", async ({
  page,
}) => {
  await page.goto("/forgot-password");
  await expect(page.locator("main noscript p")).toHaveText("Asking for a link needs JavaScript.");
  await page.getByLabel("Email").fill("owner@example.com");
  await page.getByRole("button", { name: "Send the link" }).click();
  await expect(page.getByRole("main").getByRole("alert")).toContainText("needs JavaScript");
  await expect(page).toHaveURL("/forgot-password");
});

test("features that need scripts say so instead of loading forever", async ({ page }) => {
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
