// Each file that the site loads on demand is missing once: deleted by a deployment, or unreachable.
import type { Page, Route } from "@playwright/test";
import { lazyScripts } from "../../built-page.ts";
import { keepCopyOf } from "../../kept-copies.ts";
import { fillContactForm } from "../forms.ts";
import { navigate, openPage, waitForHydration } from "../test.ts";
import {
  choose,
  discardDraft,
  expect,
  fillPost,
  logIn,
  savedState,
  test,
  uploadImage,
} from "./owner.ts";

const slug = "a-policy-loan-step-by-step";
const parts = lazyScripts();

const visitorPaths = [
  ...["/", "/services", "/services/estate-planning", "/blog", `/blog/${slug}`, "/blog/preview/x"],
  ...["/blog/category/life-insurance", "/testimonials", "/savings-calculator", "/login"],
  ...["/forgot-password", "/confirm", "/privacy", "/not-a-page"],
];
/** Leads a visitor to the login. */
const ownerPath = "/messages";

const failures = {
  missing: (route: Route) => route.fulfill({ status: 404, body: "Not found" }),
  unreachable: (route: Route) => route.abort("internetdisconnected"),
} as const;

test.use({ expectedErrors: /./, actionTimeout: 20_000 });

test("no page waits for a file, and the typed text survives without a connection", async ({
  page,
}) => {
  await openPage(page, "/contact");
  await fillContactForm(page, { name: "Ada Lovelace", phone: "555 0100" });
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));
  await page.route("**/*", failures.unreachable);
  for (const path of [...visitorPaths, ownerPath]) {
    await navigate(page, path);
    await expect(page).toHaveURL(path === ownerPath ? "/login" : path);
  }
  await navigate(page, "/contact");
  await expectContactForm(page);
  expect(await page.evaluate(() => "sameDocument" in window)).toBe(true);
});

test("when any file loaded on demand by a page fails, the page and the typed text survive", async ({
  page,
  site,
}) => {
  test.setTimeout(300_000);
  /** The file name of each failed request. */
  const missed: string[] = [];
  let missing: readonly string[] = [];
  await page.route("**/assets/*.js*", (route) => {
    const name = nameOf(route.request().url());
    if (!missing.includes(name)) return route.fallback();
    missed.push(name);
    // The site retries an import once: then the file fails in the other way.
    const isRetry = missed.filter((other) => other === name).length % 2 === 0;
    return isRetry ? failures.unreachable(route) : failures.missing(route);
  });
  const miss = (names: readonly string[]) => {
    missing = names;
  };
  const missEverything = () => miss(parts);
  const find = (part: string) => parts.filter((name) => name.startsWith(part));

  // These files belong to the contact form: its bot check, its client and its toasts.
  await openPage(page, "/contact");
  await fillContactForm(page, { name: "Ada Lovelace", phone: "555 0100" });
  missEverything();
  await page.evaluate(() => {
    document.head.insertAdjacentHTML("beforeend", '<meta name="turnstile-site-key" content="x">');
  });
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Uh oh!" })).toBeVisible();
  await page.evaluate(() => document.querySelector('[name="turnstile-site-key"]')?.remove());
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Uh oh!" })).toBeVisible();
  await expectContactForm(page);

  // These files belong to the carousels of the home page.
  miss([]);
  await openWith(page, "/", () => miss(find("embla")));
  await waitForHydration(page);
  await page.getByRole("region", { name: "Client testimonials" }).scrollIntoViewIfNeeded();
  await expect.poll(() => missed).toContain(find("embla")[0]);
  await expectContactForm(page);

  // These files belong to the review dialog.
  miss([]);
  await openWith(page, "/testimonials", () => miss(parts));
  await waitForHydration(page);
  await page.getByRole("button", { name: "Leave a Review" }).click();
  const dialog = page.getByRole("dialog", { name: "Leave a Review" });
  await dialog.getByLabel("Your Name").fill("Ada");
  await dialog.getByLabel("Your Review").fill("Clear and kind.");
  await dialog.locator("label", { hasText: "3 stars" }).click();
  await dialog.getByRole("button", { name: "Submit Review" }).click();
  await expect(dialog.getByRole("alert")).toContainText("could not be loaded");
  await expect(dialog.getByLabel("Your Review")).toHaveValue("Clear and kind.");
  miss([]);
  await page.reload();
  await waitForHydration(page);
  await page.getByRole("button", { name: "Leave a Review" }).click();
  await expect(dialog.getByLabel("Your Name")).toHaveValue("Ada");
  await expect(dialog.getByLabel("Your Review")).toHaveValue("Clear and kind.");
  await expect(dialog.getByLabel("3 stars")).toBeChecked();

  // A client's link opens the form also without the file that reads it.
  await openWith(page, "/testimonials#review=x", () => miss(find("client-link")));
  await expect(dialog.getByLabel("Your Name")).toBeVisible();
  await expect.poll(() => missed).toContain(find("client-link")[0]);

  // These files belong to the chart.
  await openPage(page, "/savings-calculator");
  missEverything();
  await page.getByLabel("Current Age, as a number").fill("40");
  await page.getByRole("button", { name: "Project Savings" }).click();
  await expect(page.getByText("The chart could not be loaded.")).toBeVisible();
  await expect(page.getByText("What you paid in")).toBeVisible();
  await expect(page.getByLabel("Current Age, as a number")).toHaveValue("40");
  miss([]);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByLabel("Read the chart, year by year")).toBeAttached();

  // These files belong to mailed links.
  await openWith(page, "/confirm#type=recovery&token_hash=x", () => miss(find("use-link")));
  await expect(page.getByText("This page could not be loaded.")).toBeVisible();
  miss([]);
  await page.getByRole("button", { name: "Try again" }).click();
  const newPassword = page.getByLabel("New password");
  await newPassword.fill("four chairs on the old pier");
  miss(find("password"));
  await page.getByRole("button", { name: "Save password" }).click();
  await expect(newPassword).toHaveAccessibleDescription(/could not be loaded/);
  await expect(newPassword).toHaveValue("four chairs on the old pier");

  // This file belongs to recovery codes.
  await openPage(page, "/forgot-password");
  miss(find("use-recovery-code"));
  await page.getByRole("button", { name: "I have a recovery code" }).click();
  await expect(page.getByText("This page could not be loaded.")).toBeVisible();
  miss([]);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByLabel("Recovery code")).toBeVisible();

  // This file belongs to the login.
  await openPage(page, "/login");
  miss(find("create-browser-client"));
  await page.getByLabel("Email").fill("owner@example.com");
  await page.getByLabel("Password").fill("a-password-for-tests");
  await page.getByRole("button", { name: "Log In" }).click();
  await expect(page.getByRole("main").getByRole("alert")).toContainText("could not be loaded");
  miss([]);

  // These files belong to the owner's pages and to the owner's parts of visitors' pages.
  await logIn(page);
  // Without these files the account's role is unknown, and it is read again. The last one is their frame.
  const needed = ["visitor-client", "create-browser-client", "read-profile", "manage-page"].flatMap(
    find,
  );
  const ownerParts = parts.filter((name) => !needed.includes(name));
  // The frame of the owner's pages needs the file of the parts.
  const owners = ownerParts.filter((name) => !name.startsWith("owner-parts-"));
  const heading = (name: string) => page.getByRole("heading", { level: 1, name });
  const remove = page.getByRole("button", { name: /^Delete/ });
  const logo = page.getByLabel("Name", { exact: true }).or(page.getByText("Logo"));
  for (const [path, text, shown, names] of [
    ["/blog", "Edit and Delete could not be loaded.", remove, ownerParts],
    [`/blog/${slug}`, "Edit and Delete could not be loaded.", remove, ownerParts],
    ["/testimonials", "Delete could not be loaded.", remove, ownerParts],
    ["/blog/new", "The post editor could not be loaded.", heading("Create New Blog Post"), owners],
    [`/blog/${slug}/edit`, "The post editor could not be loaded.", heading("Edit Post"), owners],
    ["/messages", "This page could not be loaded.", heading("Inbox"), find("manage-page")],
    ["/messages", "The messages could not be loaded.", heading("Inbox"), owners],
    ["/messages", "The messages could not be loaded.", heading("Inbox"), find("inbox")],
    ["/manage/posts", "The posts could not be loaded.", heading("Posts"), owners],
    ["/manage/posts/import", "The import could not be loaded.", heading("Import posts"), owners],
    ["/manage/account", "The account could not be loaded.", heading("Your account"), owners],
    ["/manage/people", "The people could not be loaded.", heading("People"), owners],
    ["/manage", "The overview could not be loaded.", heading("Good "), owners],
    ["/manage/setup", "The settings could not be loaded.", heading("Set up your site"), owners],
    ["/manage/backups", "The backups could not be loaded.", heading("Backups"), owners],
    ["/manage/visits", "The visits could not be loaded.", heading("Visits"), owners],
    ["/manage/archive", "The archive could not be loaded.", heading("Archive"), owners],
    ["/manage/personal-data", "The form could not be loaded.", heading("Privacy requests"), owners],
    ["/manage/testimonials/requests", "The links could not be loaded.", heading("Ask"), owners],
    ["/manage/testimonials/decisions", "The decisions could not", heading("Decisions"), owners],
    [
      "/manage/testimonials",
      "The testimonials could not be loaded.",
      heading("Testimonials"),
      owners,
    ],
    ["/manage/consents", "The consents could not be loaded.", heading("Consents"), owners],
    ["/manage/settings", "The settings could not be loaded.", logo, find("settings-page")],
    ["/manage/settings/look", "The settings could not be loaded.", logo, find("section-editor")],
  ] as const) {
    miss([]);
    await openWith(page, path, () => miss(names));
    await expect(page.getByText(text).first()).toBeVisible();
    miss([]);
    await page.getByRole("button", { name: "Try again" }).first().click();
    await expect(shown.first()).toBeVisible();
  }

  // This file belongs to the export.
  await keepCopyOf(site.dataDir, "/kept", "Kept.");
  await page.goto("/manage/archive");
  miss(find("export-archive"));
  await page.getByRole("button", { name: "Export" }).click();
  await expect(page.getByText("The export failed, so nothing was saved.").first()).toBeVisible();
  miss([]);
  await page.getByRole("button", { name: "Export" }).click();
  await expect(page.getByText("The file is complete.")).toBeVisible();

  // This file belongs to the texts to start a page from.
  await page.goto("/manage/pages/new");
  miss(find("legal-drafts"));
  await page.getByRole("button", { name: "Privacy" }).click();
  await expect(page.getByText("The draft was not written").first()).toBeVisible();

  // These files belong to the editor's toasts.
  miss([]);
  await page.goto("/blog/new");
  await fillPost(page, "Not lost");
  await uploadImage(page);
  await expect(savedState(page)).toBeVisible();
  await page.waitForURL(/draft=/);
  const draft = page.url();
  await page.goto(`/blog/${slug}/edit`);
  await page.getByLabel("Title").fill("A title that is not saved");
  miss(find("toast-region"));
  // A read that fails would be repeated, with pauses.
  await page.route("**/rest/v1/posts?*", (route) =>
    route.request().method() === "PATCH" ? route.abort() : route.fallback(),
  );
  await page.getByRole("button", { name: "Save Changes" }).click();
  // The client repeats two reads for seven seconds each.
  const failure = page.getByRole("alert").filter({ hasText: "Error! 😢" });
  await expect(failure).toBeVisible({ timeout: 60_000 });
  await expect(page.getByLabel("Title")).toHaveValue("A title that is not saved");
  miss([]);
  await page.unroute("**/rest/v1/posts?*");
  await discardDraft(page, "changes");
  await expect(page.getByLabel("Title")).not.toHaveValue("A title that is not saved");

  // These files belong to the dialog that schedules a post.
  await page.goto(draft);
  await expect(page.getByLabel("Title")).toHaveValue("Not lost");
  miss(find("schedule-dialog"));
  await choose(page.getByRole("main"), "Schedule…");
  await expect(page.getByText("The schedule could not be loaded.")).toBeVisible();
  miss([]);
  const schedule = page.getByRole("dialog");
  // The editor also tries again when it renders anew.
  await expect(async () => {
    if (!(await schedule.isVisible())) {
      await page.getByRole("button", { name: "Try again" }).click({ timeout: 1_000 });
    }
    await expect(schedule).toBeVisible({ timeout: 5_000 });
  }).toPass();
  await schedule.getByRole("button", { name: "Cancel" }).click();
  await discardDraft(page);
  await page.evaluate(() => localStorage.clear());

  // The preview of settings loads its code in a frame; after a failure the frame shows the published page. Without the
  // file that reads the profile, it is read again, as after a failed request (sign-in.spec.ts). The export reads no zip file,
  // and the import would leave its drafts to the other tests.
  const loadedElsewhere = /^(preview-frame|read-profile|unzip-images|zip-reader)-/;
  const all = parts.filter((name) => !loadedElsewhere.test(name));
  expect(all.filter((name) => !missed.includes(name))).toEqual([]);
});

function nameOf(address: string): string {
  return new URL(address).pathname.split("/").at(-1) ?? "";
}

async function expectContactForm(page: Page): Promise<void> {
  await expectNoErrorPage(page);
  await expect(page.getByLabel("Full Name")).toHaveValue("Ada Lovelace");
  await expect(page.getByLabel("Email Address")).toHaveValue("ada@example.com");
  await expect(page.getByLabel("Phone Number (Optional)")).toHaveValue("555 0100");
  await expect(page.getByLabel("Your Message")).toHaveValue("Could we talk next week?");
}

async function expectNoErrorPage(page: Page): Promise<void> {
  await expect(page.getByText("Unexpected Application Error!")).toHaveCount(0);
}

/** Opens a page and loads its document and first scripts. Then `miss` decides which later files fail. */
async function openWith(page: Page, path: string, miss: () => void): Promise<void> {
  await page.goto(path, { waitUntil: "commit" });
  miss();
}
