import type { Page, Route } from "@playwright/test";
import { defaultSite } from "../default-site.ts";
import { findingsOf } from "./access/axe.ts";
import { fillContactForm, passFillTime, sendContactForm } from "./forms.ts";
import { expect, openPage, test, toast, waitForHydration } from "./test.ts";

const sending = "**/functions/v1/send-email";
const problem = "There was a problem sending your message. Please try again.";
const accept = (route: Route) => route.fulfill({ json: { id: "1" } });

/** Records the page's requests to the functions. */
function collectSent(page: Page): string[] {
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/functions/v1/")) sent.push(request.url());
  });
  return sent;
}

/** Delays requests that send a message. @returns a function that releases them */
async function holdMessages(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(sending, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

test("a message from the contact page reaches the owner and clears the form", async ({
  page,
  owner,
}) => {
  const name = `Jörg ${crypto.randomUUID()}`;
  await openPage(page, "/contact");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Get in Touch");
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

  const values = { email: "jörg@müller.de", phone: "call me, maybe", message: "Ten chars!" };
  const release = await holdMessages(page);
  const request = page.waitForRequest(sending);
  await sendContactForm(page, { name, ...values });
  await expect(page.getByRole("button", { name: "Sending..." })).toBeDisabled();
  await expect(page.getByLabel("Your Message")).toHaveValue("Ten chars!");
  expect((await request).postDataJSON()).toEqual({ name, ...values, page: "/contact" });
  release();

  await expect(toast(page, "Message Sent!")).toContainText(
    "Thanks for reaching out. I'll be in touch shortly.",
  );
  // A panel replaces the form and stays after the toast. Screen readers are told by the toast alone.
  const main = page.getByRole("main");
  const panel = main.locator("#contact-form > div");
  await expect(panel).toBeFocused();
  await toast(page, "Message Sent!").getByLabel("Close").click();
  await expect(toast(page, "Message Sent!")).toBeHidden();
  await expect(panel).toContainText("Message Sent!");
  await expect(panel).toContainText(defaultSite.contact.answerTime);
  await expect(main.getByRole("status")).toHaveCount(0);
  await expect(panel.getByRole("link", { name: "Pick a time" })).toHaveAttribute(
    "href",
    defaultSite.contact.schedulingUrl,
  );
  await expect(main.getByRole("textbox")).toHaveCount(0);
  expect(await findingsOf(page)).toEqual([]);
  await panel.getByRole("button", { name: "Write another message" }).click();
  await expect(page.getByLabel("Full Name")).toBeFocused();
  await expect(main.getByRole("textbox")).toHaveCount(4);
  for (const field of await main.getByRole("textbox").all()) await expect(field).toHaveValue("");
  const { data } = await owner.from("contact_messages").select("*").eq("name", name);
  expect(data).toMatchObject([
    { ...values, email: expect.stringMatching(/^jörg@(müller|xn--mller-kva)\.de$/) },
  ]);
});

test.describe("on the home page", () => {
  test.use({ expectedErrors: /status of 400|Sending the message failed/ });

  test("the browser checks the form, the function what the browser accepts, and a message is sent", async ({
    page,
    owner,
  }) => {
    const email = `grace@${crypto.randomUUID()}`;
    const sent = collectSent(page);
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

    for (const [values, reason] of [
      [{ name: "   " }, "Please enter your name."],
      [{ message: "          " }, "Please enter your message."],
    ] as const) {
      await fillContactForm(page, { email, ...values });
      await send.click();
      // The previous toast may still be closing.
      const notice = toast(page, "Uh oh! Something went wrong.").filter({ hasText: reason });
      await expect(notice).toBeVisible();
    }
    await fillContactForm(page, { name: "G", email, message: "Call me" });
    const release = await holdMessages(page);
    await send.click();
    await expect(page.getByRole("button", { name: "Sending..." })).toBeDisabled();
    release();
    await expect(toast(page, "Message Sent! 🚀")).toContainText(
      "Thanks for reaching out! We'll be in touch soon.",
    );
    await expect(page.getByLabel("Your Message")).toHaveValue("");
    const { data } = await owner.from("contact_messages").select("*");
    expect(data?.filter((row) => row.email === email)).toMatchObject([
      { name: "G", message: "Call me", phone: null },
    ]);
  });
});

test("on the contact page, errors appear on submit, disappear once a field is valid, and nothing is sent", async ({
  page,
}) => {
  const sent = collectSent(page);
  await openPage(page, "/contact");
  const name = page.getByLabel("Full Name");
  const email = page.getByLabel("Email Address");
  const message = page.getByLabel("Your Message");
  const summary = page.getByRole("main").getByRole("alert");

  await fillContactForm(page, { name: " J ", email: "ada@", message: "Too short" });
  await expect(page.locator("form [aria-invalid]")).toHaveCount(0);
  await name.press("Enter");
  await expect(name).toHaveAccessibleDescription("Name must be at least 2 characters.");
  await expect(email).toHaveAccessibleDescription("Please enter a valid email address.");
  await expect(message).toHaveAccessibleDescription("Message must be at least 10 characters.");
  await expect(summary).toContainText("Please check 3 answers:");
  await expect(name).toBeFocused();
  expect(await findingsOf(page)).toEqual([]);
  await summary.getByRole("link", { name: "Your Message" }).press("Enter");
  await expect(message).toBeFocused();

  await name.fill("J");
  await name.pressSequentially("o");
  await expect(name).not.toHaveAttribute("aria-invalid");
  await expect(name).toBeFocused();
  await message.fill("Could we talk next week?");
  await expect(summary).toHaveText("Please check 1 answer:Email Address");
  await email.fill("ada@example");
  await expect(email).toHaveAccessibleDescription("Please enter a valid email address.");
  await message.fill("Short");
  await expect(message).not.toHaveAttribute("aria-invalid");
  await email.fill("jörg@müller.de");
  await expect(email).not.toHaveAttribute("aria-invalid");
  await expect(summary).toHaveCount(0);
  expect(sent).toEqual([]);
});

test("a phone number with too few digits is asked about once, and then sent", async ({ page }) => {
  await page.route(sending, accept);
  const sent = collectSent(page);
  await openPage(page, "/contact");
  await fillContactForm(page);
  const phone = page.getByLabel("Phone Number (Optional)");
  await phone.fill("555 12");
  await phone.press("Enter");
  await expect(phone).toBeFocused();
  await expect(phone).toHaveAccessibleDescription("Is this number complete?");
  await expect(phone).not.toHaveAttribute("aria-invalid");
  expect(sent).toEqual([]);
  const request = page.waitForRequest(sending);
  await phone.press("Enter");
  expect((await request).postDataJSON()).toMatchObject({ phone: "555 12" });
  await expect(toast(page, "Message Sent!")).toBeVisible();

  // What was asked beside the field is not asked again.
  await openPage(page, "/");
  await fillContactForm(page, { phone: "555 12" });
  await expect(phone).toHaveAccessibleDescription("Is this number complete?");
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(toast(page, "Message Sent! 🚀")).toBeVisible();
});

test("a calculator's result is gone from both forms once it was sent", async ({ page }) => {
  await page.route(sending, accept);
  await openPage(page, "/savings-calculator");
  await page.getByRole("button", { name: "Calculate Coverage" }).click();
  await page
    .getByRole("button", { name: `Send this result to ${defaultSite.adviser.fullName}` })
    .click();
  await waitForHydration(page);
  const message = page.getByLabel("Your Message");
  await expect(message).toHaveValue(/Estimated Coverage Needed: \$2,320,000/);
  await message.press("End");
  await message.pressSequentially("Is that enough?");
  await sendContactForm(page, { message: `${await message.inputValue()} Please call.` });
  await page.getByRole("button", { name: "Write another message" }).click();
  await expect(message).toHaveValue("");
  await page.getByRole("banner").getByRole("link", { name: "Home", exact: true }).click();
  await expect(message).toHaveValue("");
  await page.getByRole("banner").getByRole("link", { name: "Contact" }).click();
  await expect(message).toHaveValue("");
});

test("a draft survives Back and a reload on both pages until it is sent", async ({ page }) => {
  await openPage(page, "/contact");
  await fillContactForm(page, {
    name: "Ada & Söhne = 100%",
    phone: "+1 555 0100",
    message: "First line.\n\nSecond line.",
  });
  await page.getByRole("banner").getByRole("link", { name: "Blog" }).click();
  await expect(page).toHaveURL("/blog");
  await page.goBack();
  await expectDraft("/contact");
  await page.getByRole("banner").getByRole("link", { name: "Home", exact: true }).click();
  await expectDraft("/");
  await page.reload();
  await waitForHydration(page);
  await expectDraft("/");

  await passFillTime(page);
  await page.route(sending, accept);
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(toast(page, "Message Sent! 🚀")).toBeVisible();
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain("Second");
  await page.getByRole("banner").getByRole("link", { name: "Contact" }).click();
  await expect(page.getByLabel("Full Name")).toHaveValue("");
  await page.reload();
  await waitForHydration(page);
  await expect(page.getByLabel("Full Name")).toHaveValue("");

  async function expectDraft(path: string) {
    await expect(page).toHaveURL(path);
    await expect(page.getByLabel("Full Name")).toHaveValue("Ada & Söhne = 100%");
    await expect(page.getByLabel("Email Address")).toHaveValue("ada@example.com");
    await expect(page.getByLabel("Phone Number (Optional)")).toHaveValue("+1 555 0100");
    await expect(page.getByLabel("Your Message")).toHaveValue("First line.\n\nSecond line.");
  }
});

test("the confirmation at ?sent is not shown again on reload", { tag: "@long" }, async ({
  page,
}) => {
  for (const path of ["/contact", "/"]) {
    await page.goto(`${path}?sent#contact-form`);
    await expect(page).toHaveURL(`${path}#contact-form`);
    await expect(page.getByRole("main").getByRole("status")).toContainText("Message Sent!");
    await expect(page.getByLabel("Full Name")).toBeHidden();
    await page.reload();
    await waitForHydration(page);
    await expect(page.getByRole("main").getByText("Message Sent!")).toHaveCount(0);
  }
});

test.describe("when sending fails", () => {
  test.use({ expectedErrors: /Failed to load resource|Sending the message failed/ });

  test("both forms keep their text and show an error; the home page shows the server's reason", async ({
    page,
  }) => {
    const error = "Several messages came from your connection just now. Please try again later.";
    for (const [path, reason] of [
      ["/contact", problem],
      ["/", error],
    ] as const) {
      await page.route(sending, (route) => route.abort());
      await openPage(page, path);
      await sendContactForm(page);
      const notice = toast(page, "Uh oh! Something went wrong.");
      await expect(notice).toContainText(problem);
      await expect(page.getByRole("main").getByRole("alert")).toHaveText(problem);
      await page.unroute(sending);

      await page.route(sending, (route) => route.fulfill({ status: 429, json: { error } }));
      const answered = page.waitForResponse(sending);
      await page.getByRole("button", { name: "Send Message" }).click();
      await answered;
      await expect(
        notice.filter({ visible: true }).getByText(reason, { exact: true }),
      ).toBeVisible();
      await expect(page.getByLabel("Full Name")).toHaveValue("Ada");
      await expect(page.getByLabel("Your Message")).toHaveValue("Could we talk next week?");
      await expect(page.getByRole("button", { name: "Send Message" })).toBeEnabled();
      await page.unroute(sending);
    }
  });

  test("a message resent after its response was lost is stored once", async ({ page, owner }) => {
    const name = `Ada ${crypto.randomUUID()}`;
    const keys: (string | undefined)[] = [];
    await page.route(sending, async (route) => {
      keys.push(route.request().headers()["idempotency-key"]);
      if (keys.length > 1) return route.continue();
      // The message arrives, but its response is lost.
      await route.fetch();
      await route.abort();
    });
    await openPage(page, "/contact");

    await sendContactForm(page, { name });
    await expect(toast(page, "Uh oh! Something went wrong.")).toBeVisible();
    await page.getByRole("button", { name: "Send Message" }).click();
    await page.getByRole("button", { name: "Write another message" }).click();
    await sendContactForm(page, { name });
    await expect(page.getByRole("button", { name: "Write another message" })).toBeVisible();

    // The third submission is a new form with the same text.
    expect(keys[0]).toMatch(/^\d+(-\d+){3}$/);
    expect(keys).toEqual([keys[0], keys[0], expect.not.stringMatching(`^${keys[0]}$`)]);
    const { data } = await owner.from("contact_messages").select("message").eq("name", name);
    expect(data).toHaveLength(2);
  });

  test("one toast shows at a time, for five seconds, and the form keeps the reason", async ({
    page,
  }) => {
    await page.route(sending, (route) => route.abort());
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
});
