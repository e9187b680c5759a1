import { defaultSite } from "../default-site.ts";
import { fillContactForm, sendContactForm } from "./forms.ts";
import { expect, openPage, test, toast, waitForHydration } from "./test.ts";

const problem = "There was a problem sending your message. Please try again.";

test("the contact page has its heading, title, description and fields", async ({ page }) => {
  await page.goto("/contact");

  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Get in Touch");
  await expect(page).toHaveTitle(/Contact/);
  await expect(page.locator("meta[name=description]")).toHaveAttribute(
    "content",
    new RegExp(`Contact ${defaultSite.adviser.name}.*free consultation`),
  );
  await expect(page.getByLabel("Full Name")).toHaveAttribute("required");
  await expect(page.getByLabel("Email Address")).toHaveAttribute("type", "email");
  await expect(page.getByLabel("Email Address")).toHaveAttribute("required");
  await expect(page.getByLabel("Phone Number (Optional)")).not.toHaveAttribute("required");
  await expect(page.getByLabel("Your Message")).toHaveAttribute("rows", "5");
  await expect(page.getByLabel("Your Message")).toHaveAttribute("required");
});

test("a message from the contact page reaches the owner and clears the form", async ({
  page,
  owner,
}) => {
  const name = `Ada ${crypto.randomUUID()}`;
  await openPage(page, "/contact");

  await sendContactForm(page, { name, phone: "call me, maybe", message: "Ten chars!" });

  const notice = toast(page, "Message Sent!");
  await expect(notice).toContainText("Thanks for reaching out. I'll be in touch shortly.", {
    timeout: 15_000,
  });
  for (const field of await page.getByRole("main").getByRole("textbox").all()) {
    await expect(field).toHaveValue("");
  }
  const { data } = await owner.from("contact_messages").select("*").eq("name", name);
  expect(data).toMatchObject([
    { email: "ada@example.com", phone: "call me, maybe", message: "Ten chars!" },
  ]);
});

test("a message from the home page reaches the owner and shows the home page's toast", async ({
  page,
  owner,
}) => {
  const name = `Grace ${crypto.randomUUID()}`;
  await openPage(page, "/");

  await sendContactForm(page, { name, email: "grace@example.com" });

  const notice = toast(page, "Message Sent! 🚀");
  await expect(notice).toContainText("Thanks for reaching out! We'll be in touch soon.", {
    timeout: 15_000,
  });
  await expect(page.getByLabel("Your Message")).toHaveValue("");
  const { data } = await owner.from("contact_messages").select("*").eq("name", name);
  expect(data).toMatchObject([{ email: "grace@example.com", phone: null }]);
});

test("the contact page shows an error for each invalid field and sends nothing", async ({
  page,
}) => {
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/functions/v1/")) sent.push(request.url());
  });
  await openPage(page, "/contact");

  await sendContactForm(page, { name: " J ", email: "ada@", message: "Too short" });

  await expect(page.getByLabel("Full Name")).toHaveAccessibleDescription(
    "Name must be at least 2 characters.",
  );
  await expect(page.getByLabel("Email Address")).toHaveAccessibleDescription(
    "Please enter a valid email address.",
  );
  await expect(page.getByLabel("Your Message")).toHaveAccessibleDescription(
    "Message must be at least 10 characters.",
  );
  await expect(page.getByLabel("Full Name")).toBeFocused();
  await page.getByLabel("Full Name").fill("Jo");
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(page.getByLabel("Full Name")).not.toHaveAttribute("aria-invalid");
  await expect(page.getByLabel("Email Address")).toBeFocused();
  expect(sent).toEqual([]);
});

test("an error appears only on submit and disappears once its field is valid", async ({ page }) => {
  await openPage(page, "/contact");
  const name = page.getByLabel("Full Name");
  const email = page.getByLabel("Email Address");
  const message = page.getByLabel("Your Message");
  const summary = page.getByRole("main").getByRole("alert");

  await name.pressSequentially("J");
  await email.fill("ada@");
  await expect(page.locator("form [aria-invalid]")).toHaveCount(0);
  await message.fill("Could we talk next week?");
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(summary).toContainText("Please check 2 answers:");

  await name.press("End");
  await name.pressSequentially("o");
  await expect(name).not.toHaveAttribute("aria-invalid");
  await expect(name).toBeFocused();
  await expect(summary).toHaveText("Please check 1 answer:Email Address");
  await email.fill("ada@example");
  await expect(email).toHaveAccessibleDescription("Please enter a valid email address.");
  await message.fill("Short");
  await expect(message).not.toHaveAttribute("aria-invalid");
  await email.fill("jörg@müller.de");
  await expect(email).not.toHaveAttribute("aria-invalid");
  await expect(summary).toHaveCount(0);
});

test("an email address in a non-Latin alphabet reaches the owner", async ({ page, owner }) => {
  const name = `Jörg ${crypto.randomUUID()}`;
  await openPage(page, "/contact");
  await sendContactForm(page, { name, email: "jörg@müller.de" });

  await expect(toast(page, "Message Sent!")).toBeVisible({ timeout: 15_000 });
  const { data } = await owner.from("contact_messages").select("email").eq("name", name);
  expect(data).toEqual([{ email: expect.stringMatching(/^jörg@(müller|xn--mller-kva)\.de$/) }]);
});

test("a draft survives Back on both pages until it is sent", async ({ page }) => {
  await openPage(page, "/contact");
  await fillContactForm(page, {
    name: "Ada & Söhne = 100%",
    phone: "+1 555 0100",
    message: "First line.\n\nSecond line.",
  });
  await page.getByRole("banner").getByRole("link", { name: "Blog" }).click();
  await expect(page).toHaveURL("/blog");

  await page.goBack();
  for (const path of ["/contact", "/"]) {
    await expect(page).toHaveURL(path);
    await expect(page.getByLabel("Full Name")).toHaveValue("Ada & Söhne = 100%");
    await expect(page.getByLabel("Email Address")).toHaveValue("ada@example.com");
    await expect(page.getByLabel("Phone Number (Optional)")).toHaveValue("+1 555 0100");
    await expect(page.getByLabel("Your Message")).toHaveValue("First line.\n\nSecond line.");
    if (path === "/contact") {
      await page.getByRole("banner").getByRole("link", { name: "Home", exact: true }).click();
    }
  }

  await page.route("**/functions/v1/send-email", (route) => route.fulfill({ json: { id: "1" } }));
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(toast(page, "Message Sent! 🚀")).toBeVisible({ timeout: 15_000 });
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain("Second");
  await page.getByRole("banner").getByRole("link", { name: "Contact" }).click();
  await expect(page.getByLabel("Full Name")).toHaveValue("");
  await page.reload();
  await waitForHydration(page);
  await expect(page.getByLabel("Full Name")).toHaveValue("");
});

test("the form works when sessionStorage is unavailable", async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, "sessionStorage", {
      get() {
        throw new DOMException("Access is denied for this document.", "SecurityError");
      },
    });
  });
  await page.route("**/functions/v1/send-email", (route) => route.fulfill({ json: { id: "1" } }));
  await openPage(page, "/contact");
  await sendContactForm(page);

  await expect(toast(page, "Message Sent!")).toBeVisible({ timeout: 15_000 });
  await expect(page.getByLabel("Full Name")).toHaveValue("");
});

test("the confirmation at ?sent is not shown again on reload", async ({ page }) => {
  for (const path of ["/contact", "/"]) {
    await page.goto(`${path}?sent#contact-form`);
    await expect(page.getByRole("main").getByRole("status")).toContainText("Message Sent!");
    await expect(page).toHaveURL(`${path}#contact-form`);
    await expect(page.getByRole("main").getByRole("status")).toContainText("Message Sent!");

    await page.reload();
    await waitForHydration(page);

    await expect(page.getByRole("main").getByText("Message Sent!")).toHaveCount(0);
  }
});

test("the home page uses the browser's native validation", async ({ page }) => {
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/functions/v1/")) sent.push(request.url());
  });
  await openPage(page, "/");
  const send = page.getByRole("button", { name: "Send Message" });

  await send.click();
  await expect(page.getByLabel("Full Name")).toBeFocused();
  await fillContactForm(page, { name: "J", email: "ada@", message: "Short" });
  await send.click();
  await expect(page.getByLabel("Email Address")).toBeFocused();

  await expect(page.getByText("must be at least")).toHaveCount(0);
  await expect(page.locator("#contact [aria-invalid]")).toHaveCount(0);
  expect(sent).toEqual([]);
});

test("the button reads 'Sending...' and is disabled while a message is being sent", async ({
  page,
}) => {
  for (const path of ["/contact", "/"]) {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route("**/functions/v1/send-email", async (route) => {
      await released;
      await route.fulfill({ json: { id: "1" } });
    });
    await openPage(page, path);
    await fillContactForm(page);

    const request = page.waitForRequest("**/functions/v1/send-email");
    await page.getByRole("button", { name: "Send Message" }).click();

    await expect(page.getByRole("button", { name: "Sending..." })).toBeDisabled();
    await expect(page.getByLabel("Your Message")).toHaveValue("Could we talk next week?");
    expect((await request).postDataJSON()).toEqual({
      name: "Ada",
      email: "ada@example.com",
      phone: "",
      message: "Could we talk next week?",
    });
    release();
    await expect(page.getByRole("button", { name: "Send Message" })).toBeEnabled();
    await page.unroute("**/functions/v1/send-email");
  }
});

test.describe("when sending fails", () => {
  test.use({ expectedErrors: /Failed to load resource|Sending the message failed/ });

  test("both forms keep their text and show an error; the home page shows the server's reason", async ({
    page,
  }) => {
    const sending = "**/functions/v1/send-email";
    for (const [path, reason] of [
      ["/contact", problem],
      ["/", "The mailbox is full."],
    ] as const) {
      await page.route(sending, (route) => route.abort());
      await openPage(page, path);
      await sendContactForm(page);

      const notice = toast(page, "Uh oh! Something went wrong.");
      await expect(notice).toContainText(problem);
      await expect(page.getByRole("main").getByRole("alert")).toHaveText(problem);
      await expect(page.getByLabel("Full Name")).toHaveValue("Ada");
      await expect(page.getByLabel("Your Message")).toHaveValue("Could we talk next week?");
      await expect(page.getByRole("button", { name: "Send Message" })).toBeEnabled();
      await page.unroute(sending);

      const json = { error: "The mailbox is full." };
      await page.route(sending, (route) => route.fulfill({ status: 500, json }));
      const answered = page.waitForResponse(sending);
      await page.getByRole("button", { name: "Send Message" }).click();
      await answered;
      await expect(
        notice.filter({ visible: true }).getByText(reason, { exact: true }),
      ).toBeVisible();
      await page.unroute(sending);
    }
  });

  test("a message resent after its response was lost is stored once", async ({ page, owner }) => {
    const name = `Ada ${crypto.randomUUID()}`;
    const keys: (string | undefined)[] = [];
    await page.route("**/functions/v1/send-email", async (route) => {
      keys.push(route.request().headers()["idempotency-key"]);
      if (keys.length > 1) return route.continue();
      // The message arrives, but its response is lost.
      await route.fetch();
      await route.abort();
    });
    await openPage(page, "/contact");
    async function sendMessage(message: string) {
      await sendContactForm(page, { name, message });
    }

    await sendMessage("Could we talk next week?");
    await expect(toast(page, "Uh oh! Something went wrong.")).toBeVisible({ timeout: 15_000 });
    await page.getByRole("button", { name: "Send Message" }).click();
    await expect(toast(page, "Message Sent!")).toBeVisible({ timeout: 15_000 });
    await sendMessage("Could we talk next week?");
    await expect(page.getByLabel("Your Message")).toHaveValue("");

    // The third submission is a new form with the same text.
    expect(keys[0]).toMatch(/^\d+(-\d+){3}$/);
    expect(keys).toEqual([keys[0], keys[0], expect.not.stringMatching(`^${keys[0]}$`)]);
    const { data } = await owner.from("contact_messages").select("message").eq("name", name);
    expect(data).toHaveLength(2);
  });

  test("one toast shows at a time, for five seconds, and the form keeps the reason", async ({
    page,
  }) => {
    await page.route("**/functions/v1/send-email", (route) => route.abort());
    await page.clock.install();
    await openPage(page, "/contact");
    await fillContactForm(page);
    const notice = toast(page, "Uh oh! Something went wrong.");

    const send = page.getByRole("button", { name: "Send Message" });
    await send.click();
    await expect(notice).toBeVisible();
    // From here on only the test advances the clock, so the machine's load has no effect.
    await page.clock.pauseAt(Date.now() + 60_000);
    await send.click();
    await expect(send).toBeEnabled();
    await expect(notice.filter({ visible: true })).toHaveCount(1);

    await page.clock.runFor(3000);
    await expect(notice.filter({ visible: true })).toHaveCount(1);
    await page.clock.runFor(2500);
    await expect(notice).toBeHidden();
    await expect(page.getByRole("main").getByRole("alert")).toHaveText(problem);
  });

  test("blanks pass the home page's native validation, and the function rejects them with a message", async ({
    page,
  }) => {
    await openPage(page, "/");
    const notice = toast(page, "Uh oh! Something went wrong.");
    const send = page.getByRole("button", { name: "Send Message" });

    await fillContactForm(page, { name: "   ", message: "          " });
    await send.click();
    await expect(notice).toContainText("Name must be at least 2 characters.", { timeout: 15_000 });
    await expect(page.getByLabel("Email Address")).toHaveValue("ada@example.com");

    await page.getByLabel("Full Name").fill("Ada");
    await send.click();
    // The previous toast may still be closing.
    await expect(notice.filter({ hasText: "Message must be at least 10" })).toBeVisible();
    await page.getByLabel("Your Message").fill("Could we talk?");
    await page.getByLabel("Email Address").fill("ada@example");
    await send.click();
    await expect(notice.filter({ hasText: "Please enter a valid email address." })).toBeVisible();
  });
});
