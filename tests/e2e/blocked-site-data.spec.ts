// A browser that blocks cookies and site data.
import { findingsOf } from "./access/axe.ts";
import { fillLogin } from "./owner/owner.ts";
import { expect, openPage, test } from "./test.ts";
import { calculate, readPages, sendForms } from "./visitor-flow.ts";

// What supabase-js logs without channels.
test.use({ expectedErrors: /Failed to create a new BroadcastChannel/ });

test.beforeEach(async ({ page }) => {
  // As in Chromium, and without channels, as in Firefox.
  await page.addInitScript(() => {
    const get = () => {
      throw new DOMException("Access is denied for this document.", "SecurityError");
    };
    Object.defineProperty(window, "localStorage", { get });
    Object.defineProperty(window, "sessionStorage", { get });
    window.BroadcastChannel = class extends EventTarget {
      constructor() {
        super();
        get();
      }
    } as unknown as typeof BroadcastChannel;
  });
});

test("with site data blocked, a visitor sends everything, and a login lasts until a reload", async ({
  page,
  rows,
}) => {
  const reviewer = `Ada ${crypto.randomUUID()}`;
  rows.removeTestimonialsBy(reviewer);
  await sendForms(page, reviewer, async () => {});

  const note = page.getByText("This browser blocks cookies and site data");
  await openPage(page, "/login");
  await expect(note).toBeVisible();
  expect(await findingsOf(page)).toEqual([]);
  await fillLogin(page);
  await page.getByRole("banner").getByRole("link", { name: "Manage" }).click();
  await expect(page).toHaveURL("/manage");
  await page.reload();
  await expect(page).toHaveURL("/login");
  await expect(note).toBeVisible();
});

test("with site data blocked, a visitor reads every page", { tag: "@long" }, async ({ page }) => {
  await readPages(page, async () => {});
  await calculate(page, async () => {});
});
