import type { Page } from "@playwright/test";
import { defaultSite } from "../../default-site.ts";
import { navigate, openPage, toast } from "../test.ts";
import { account, discardDraft, expect, fillLogin, logIn, logInByForm, test } from "./owner.ts";

test.describe("a wrong password", () => {
  test.use({ expectedErrors: /status of 400/ });

  test("is reported; the right one leads to the page that asked for it, and replaces history", async ({
    page,
  }) => {
    await openPage(page, "/contact");
    await navigate(page, "/blog/new");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Admin Access");
    await expect(page).toHaveTitle(/^Admin Login/);
    await expect(page.getByText("Please log in to manage your content.")).toBeVisible();
    await page.getByRole("link", { name: "Forgot your password?" }).click();
    await expect(page.getByText("This site cannot send emails yet.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Send the link" })).toHaveCount(0);
    await page.goBack();
    await expect(page.getByLabel("Email")).toHaveAttribute("type", "email");
    await expect(page.getByLabel("Password")).toHaveAttribute("type", "password");
    await fillLogin(page, { ...account, password: "not the password" });
    await expect(toast(page, "Sign in Failed")).toContainText("Invalid login credentials");
    await expect(page).toHaveURL("/login");
    await expect(page.getByLabel("Email")).toHaveValue(account.email);

    await fillLogin(page);
    await expect(page.getByRole("heading", { name: "Create New Blog Post" })).toBeVisible();
    await expect(toast(page, "Login Successful!")).toContainText(
      `Welcome back, ${defaultSite.adviser.name}!`,
    );
    await page.goBack();
    await expect(page).toHaveURL("/contact");
  });
});

test("a visitor of the owner's pages loads nothing of them, logs in and returns to the page", async ({
  page,
}) => {
  const requested: string[] = [];
  page.on("request", (request) => requested.push(new URL(request.url()).pathname));
  await openPage(page, "/contact");
  await expect(page.getByRole("link", { name: "Manage" })).toHaveCount(0);
  for (const path of ["/manage/settings/firm", "/manage/setup", "/messages?page=2"]) {
    await page.goto(path);
    await expect(page).toHaveURL("/login");
  }
  const ofOwner =
    /search_messages|site_settings|\/(owner-part|inbox|section-editor|overview|setup)-/;
  expect(requested.filter((path) => ofOwner.test(path))).toEqual([]);
  await fillLogin(page);
  await expect(page.getByRole("heading", { name: "Inbox", level: 1 })).toBeVisible();
  await expect(page).toHaveURL("/messages?page=2");
});

test.describe("two tabs", () => {
  // Addresses that contain tokens of another account.
  test.use({ expectedErrors: /status of 40\d|AuthApiError|session/i });

  test("are signed in and out together, and never show a visitor's page first, whatever is opened in between", async ({
    page,
    context,
  }) => {
    await openPage(page, "/blog");
    const second = await context.newPage();
    await logInByForm(second);
    const create = page.getByRole("link", { name: "Create New Post" });
    const logout = page.getByRole("button", { name: "Logout" });
    await expect(create).toBeVisible();
    await expect(page.getByRole("link", { name: /^Edit/ }).first()).toBeVisible();
    await recordPaints(page);
    // The form is not shown on the way to the blog.
    await page.goto("/login");
    await expect(page).toHaveURL("/blog");
    expect(await paintsOf(page)).toMatchObject({ before: [] });
    await page.reload();
    expect(await paintsOf(page)).toEqual({
      before: [],
      after: ["Logout", "Manage", "Edit", "Delete", "Create New Post"],
    });
    // Anyone can send such a link. Without a handler, Playwright answers its question with Cancel.
    await openPage(page, "/contact#access_token=a.b.c&refresh_token=d&expires_in=60");
    await expect(page).toHaveURL("/contact");
    await page.goto("/blog");
    await expect(logout).toBeVisible();
    await page.goto("/#about");
    await expect(logout).toBeVisible();
    await expect(page).toHaveURL("/#about");
    await expect(
      page.getByRole("heading", { name: `A Message from ${defaultSite.adviser.name}` }),
    ).toBeInViewport();
    await page.goto("/blog");
    await logout.click();
    for (const tab of [page, second]) {
      await expect(tab.getByRole("link", { name: "Admin Login" })).toBeVisible();
      await expect(tab.getByRole("link", { name: "Create New Post" })).toHaveCount(0);
    }
  });
});

test.describe("text that is not saved", () => {
  test.use({ expectedErrors: /Failed to load resource|status of 401/ });

  test("is removed by Logout after a question, with everything else that the browser kept of the account", async ({
    page,
    context,
  }) => {
    await logInByForm(page);
    const second = await context.newPage();
    await second.goto("/blog");
    await expect(second.getByRole("button", { name: "Logout" })).toBeVisible();
    await second.evaluate(() => sessionStorage.setItem("testimonial-draft", "[]"));
    // Only writes, because the client repeats reads for seven seconds.
    await page.route("**/rest/v1/rpc/save_draft", (route) =>
      route.request().method() === "POST" ? route.abort() : route.fallback(),
    );
    await openPage(page, "/blog/new");
    await page.getByLabel("Title").fill("Nobody else's business");
    await expect(page.getByRole("alert").filter({ hasText: "Not saved" })).toBeVisible();

    const questions: string[] = [];
    page.once("dialog", (dialog) => {
      questions.push(dialog.message());
      dialog.dismiss();
    });
    await page.getByRole("button", { name: "Logout" }).click();
    await expect.poll(() => questions).toEqual([expect.stringContaining("not saved yet")]);
    await expect(page.getByLabel("Title")).toHaveValue("Nobody else's business");
    const logout = page.getByRole("contentinfo").getByRole("button", { name: "Logout" });
    await page.route("**/auth/v1/logout*", (route) =>
      route.fulfill({ status: 500, json: { message: "Out of order." } }),
    );
    page.on("dialog", (dialog) => dialog.accept());
    await logout.click();
    await expect(toast(page, "Sign out Failed")).toContainText("Out of order.");
    for (const tab of [page, second]) {
      await expect(tab.getByRole("button", { name: "Logout" })).toBeVisible();
    }
    await expect(page.getByLabel("Title")).toHaveValue("Nobody else's business");
    await page.unroute("**/auth/v1/logout*");
    await logout.click();

    await expect(page.getByRole("heading", { name: "Admin Access" })).toBeVisible();
    for (const tab of [page, second]) {
      const kept = () =>
        tab.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]);
      await expect
        .poll(async () => (await kept()).filter((key) => /draft|account|session$/.test(key)))
        .toEqual([]);
    }
  });
});

test.describe("a role that cannot be read", () => {
  test.use({ expectedErrors: /Failed to load resource|Reading the role failed/ });

  test("is reported, and read again until the controls can be shown", { tag: "@long" }, async ({
    page,
  }) => {
    await page.route("**/rest/v1/rpc/my_profile*", (route) => route.abort());
    await logIn(page);
    const alert = page.getByRole("alert").filter({ hasText: "Your account could not be loaded" });
    await expect(alert).toBeVisible();
    await expect(alert.getByRole("button", { name: "Try again" })).toBeVisible();
    await page.unroute("**/rest/v1/rpc/my_profile*");
    await expect(page.getByRole("link", { name: "Create New Post" })).toBeVisible();
    await expect(alert).toHaveCount(0);

    // A failed refresh keeps the known profile.
    await page.route("**/rest/v1/rpc/my_profile*", (route) => route.abort());
    const failure = page.waitForEvent("console", (line) =>
      line.text().includes("Reading the role failed"),
    );
    await page.evaluate(() => window.dispatchEvent(new Event("online")));
    await failure;
    await expect(page.getByRole("link", { name: "Create New Post" })).toBeVisible();
    await expect(alert).toHaveCount(0);
  });
});

test("an expired access token is refreshed", { tag: "@long" }, async ({ page }) => {
  await logInByForm(page);
  const tokenOf = () =>
    page.evaluate(() => JSON.parse(localStorage.getItem("owner-session") ?? "{}").refresh_token);
  const before = await tokenOf();
  await page.evaluate(() => {
    const session = JSON.parse(localStorage.getItem("owner-session") ?? "{}");
    localStorage.setItem("owner-session", JSON.stringify({ ...session, expires_at: 1 }));
  });
  await page.reload();
  await expect(page.getByRole("button", { name: "Logout" })).toBeVisible();
  await expect.poll(tokenOf).not.toBe(before);
});

test.describe("a session that was ended on another device", () => {
  test.use({
    // Which of these reads meets the ended session first depends on their order.
    expectedErrors:
      /status of 40[13]|(Loading what waits|Loading categories|Reading the role) failed/,
  });

  test("ends here as well, and pages are read as a visitor", { tag: "@long" }, async ({
    page,
    baseURL,
  }) => {
    await logInByForm(page);
    await openPage(page, "/contact");
    const { token, key } = await page.evaluate(() => ({
      token: JSON.parse(localStorage.getItem("owner-session") ?? "{}").access_token,
      key: document.querySelector<HTMLMetaElement>("meta[name=supabase-anon-key]")?.content ?? "",
    }));
    const ended = await fetch(`${baseURL}/auth/v1/logout?scope=local`, {
      method: "POST",
      headers: { apikey: key, authorization: `Bearer ${token}` },
    });
    expect(ended.status).toBe(204);

    await page.getByRole("navigation").getByRole("link", { name: "Blog" }).first().click();

    await expect(page.getByRole("article").first()).toBeVisible();
    // The role is read on a return to the page.
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await expect(page.getByRole("link", { name: "Admin Login" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Create New Post" })).toHaveCount(0);
  });
});

test.describe("a session that ends while a post is written", () => {
  // The draft that was not saved yet.
  test.use({ expectedErrors: /status of 40[169]/ });

  test("loses none of its text", { tag: "@long" }, async ({ page }) => {
    await logIn(page, "/blog/new");
    await page.getByLabel("Title").fill("Half a thought");
    await page.getByLabel("Content").fill("Do not lose this.");

    // Simulates a revoked refresh token: another tab of this browser removes the session.
    await page.evaluate(() => {
      localStorage.removeItem("owner-session");
      new BroadcastChannel("owner-session").postMessage({ event: "SIGNED_OUT", session: null });
    });
    await expect(page.getByRole("heading", { name: "Admin Access" })).toBeVisible();
    await fillLogin(page);

    await expect(page.getByLabel("Title")).toHaveValue("Half a thought");
    await expect(page.getByLabel("Content")).toHaveText("Do not lose this.");
    await discardDraft(page);
  });
});

/** Records which texts about the session are visible in the frames before hydration, and in the first one after it. */
async function recordPaints(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const paints = { before: new Set<string>(), after: null as string[] | null };
    let isHydrated = false;
    window.addEventListener("hydrated", () => {
      isHydrated = true;
    });
    function visible(texts: string[]): string[] {
      const elements = [...document.querySelectorAll("a, button, h1")].filter((element) =>
        element.checkVisibility({ visibilityProperty: true }),
      );
      return texts.filter((text) =>
        elements.some(({ textContent }) => textContent.startsWith(text)),
      );
    }
    function onFrame() {
      if (isHydrated) {
        paints.after = visible(["Logout", "Manage", "Edit", "Delete", "Create New Post"]);
        return;
      }
      for (const text of visible(["Admin Login", "Admin Access"])) paints.before.add(text);
      requestAnimationFrame(onFrame);
    }
    requestAnimationFrame(onFrame);
    Object.assign(window, { paints });
  });
}

async function paintsOf(page: Page): Promise<{ before: string[]; after: string[] | null }> {
  const result = await page.waitForFunction(() => {
    const { before, after } = Reflect.get(window, "paints");
    return after && { before: [...before], after };
  });
  return result.jsonValue();
}
