import type { Page } from "@playwright/test";
import { contactFieldNames } from "../../supabase/functions/_shared/contact-fields.ts";
import { fillContactForm, passFillTime, sendContactForm } from "./forms.ts";
import { expect, openPage, test, toast } from "./test.ts";

/** Fills in every field of the markup, as a bot does. */
async function fillHoneypot(page: Page): Promise<void> {
  await page.locator("input[name=subject]").evaluate((field: HTMLInputElement) => {
    field.value = "Buy now";
  });
}

/** Records the writes of the page from now on. */
function collectWrites(page: Page): string[] {
  const writes: string[] = [];
  page.on("request", (request) => {
    // Reads what changed, and is sent as POST like every call of a function.
    if (request.url().endsWith("/rpc/table_states")) return;
    if (request.method() === "POST") writes.push(request.url());
  });
  return writes;
}

test("whoever fills in a honeypot is shown success, and what was sent is kept as spam", {
  tag: "@long",
}, async ({ page, owner, rows }) => {
  const name = `Bot ${crypto.randomUUID()}`;
  rows.removeTestimonialsBy(name);
  for (const [path, title] of [
    ["/contact", "Message Sent!"],
    ["/", "Message Sent! 🚀"],
  ] as const) {
    await openPage(page, path);
    await fillContactForm(page, { name });
    await fillHoneypot(page);
    await page.getByRole("button", { name: "Send Message" }).click();
    await expect(toast(page, title)).toBeVisible();
    await expect(page.getByLabel("Full Name")).toHaveValue("");
    await expect(page.locator("input[name=subject]")).toHaveValue("");
  }
  await openPage(page, "/testimonials");
  await page.getByRole("button", { name: "Leave a Review" }).click();
  await page.getByLabel("Your Name").fill(name);
  await page.getByLabel("Your Review").fill("Cheap pills.");
  await fillHoneypot(page);
  await passFillTime(page);
  await page.getByRole("button", { name: "Submit Review" }).click();
  await expect(toast(page, "Review Submitted!")).toBeVisible();
  await expect(page.getByRole("dialog", { name: "Leave a Review" })).toBeHidden();
  await expect(page.getByText("Cheap pills.")).toHaveCount(0);
  const messages = owner.from("contact_messages");
  const { data: stored } = await messages.select("spam_at").eq("name", name).throwOnError();
  expect(stored).toEqual(Array(2).fill({ spam_at: expect.any(String) }));
  await messages.delete().eq("name", name).throwOnError();
  const reviews = owner.from("testimonials").select("content, approved_at").eq("name", name);
  expect((await reviews.throwOnError()).data).toEqual([
    { content: "Cheap pills.", approved_at: null },
  ]);
});

test("the honeypot is unreachable by sight, keyboard and screen reader", { tag: "@long" }, async ({
  page,
}) => {
  await openPage(page, "/contact");
  await expect(page.getByRole("main").getByRole("textbox")).toHaveCount(4);
  await page.getByLabel("Your Message").focus();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Send Message" })).toBeFocused();
  const size = await page.locator("input[name=subject]").evaluate((field) => {
    const { width, height } = field.closest("[aria-hidden=true]")?.getBoundingClientRect() ?? {};
    return { width, height };
  });
  expect(size).toEqual({ width: 1, height: 1 });
});

test("a form submitted immediately is not rejected: it is sent once two seconds have passed", {
  tag: "@long",
}, async ({ page }) => {
  const writes = collectWrites(page);
  await page.route("**/functions/v1/send-email", (route) => route.fulfill({ json: { id: "1" } }));
  await page.clock.install();
  await openPage(page, "/contact");
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
  await page.getByLabel("Email Address").fill("ada@example.com");
  await page.getByLabel("Your Message").fill("Could we talk next week?");
  await page.getByLabel("Full Name").fill("Quick Ada");
  await page.getByLabel("Full Name").press("Enter");

  await expect(page.getByRole("button", { name: "Sending..." })).toBeDisabled();
  expect(writes).toEqual([]);
  await page.clock.runFor(2000);
  await expect.poll(() => writes).toHaveLength(1);
  await page.clock.resume();
  await expect(toast(page, "Message Sent!")).toBeVisible();
});

test.describe("with a Turnstile key", () => {
  test.use({
    expectedErrors:
      /Request to https:\/\/challenges\.cloudflare\.com|Turnstile failed|status of 403|Sending the message failed/,
  });

  /** The contact page of a site with a Turnstile key, and a stub for Cloudflare's script. */
  async function openWithTurnstile(page: Page, script: string): Promise<void> {
    await page.route("**/contact", async (route) => {
      const response = await route.fetch();
      const headers = response.headers();
      delete headers["content-security-policy"];
      const meta = '<meta name="turnstile-site-key" content="0x4key"/></head>';
      const body = (await response.text()).replace("</head>", meta);
      await route.fulfill({ response, headers, body });
    });
    await page.route("https://challenges.cloudflare.com/**", (route) =>
      route.fulfill({ contentType: "text/javascript", body: script }),
    );
    await openPage(page, "/contact");
  }

  const givesTokens = `
    let options, count = 0;
    window.turnstile = {
      render(container, given) { options = given; return "widget"; },
      execute(widget) { setTimeout(() => options.callback(options.sitekey + "-token-" + ++count)); },
      reset() {},
    };`;

  test("each submission carries a new token and the same body", { tag: "@long" }, async ({
    page,
  }) => {
    await openWithTurnstile(page, givesTokens);
    const tokens: (string | undefined)[] = [];
    await page.route("**/functions/v1/send-email", (route) => {
      tokens.push(route.request().headers()["x-turnstile-token"]);
      return tokens.length === 1
        ? route.fulfill({ status: 403, json: { error: "Try again." } })
        : route.fulfill({ json: { id: "1" } });
    });
    await fillContactForm(page);
    const request = page.waitForRequest("**/functions/v1/send-email");
    await page.getByRole("button", { name: "Send Message" }).click();
    expect(Object.keys((await request).postDataJSON())).toEqual(
      contactFieldNames.filter((name) => name !== "call_consent"),
    );
    await expect(page.getByRole("main").getByRole("alert")).toBeVisible();
    await page.getByRole("button", { name: "Send Message" }).click();
    await expect(toast(page, "Message Sent!")).toBeVisible();
    expect(tokens).toEqual(["0x4key-token-1", "0x4key-token-2"]);
  });

  test("a visitor whose browser cannot load Turnstile can still send", { tag: "@long" }, async ({
    page,
  }) => {
    await openWithTurnstile(page, "");
    const request = page.waitForRequest("**/functions/v1/send-email");
    await page.route("**/functions/v1/send-email", (route) => route.fulfill({ json: { id: "1" } }));
    await sendContactForm(page);
    expect((await request).headers()["x-turnstile-token"]).toBeUndefined();
  });
});
