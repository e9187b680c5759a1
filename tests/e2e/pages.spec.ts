import { defaultSite } from "../default-site.ts";
import { expect, openPage, test } from "./test.ts";

const { firm, adviser } = defaultSite;

const pages = [
  ["/", "Life Insurance & Financial Planning | Secure Your Family's Future"],
  ["/services", `Our Financial Services | ${firm.name}`],
  ["/services/infinite-banking", "Infinite Banking Concept (IBC) | My Expert Financial Services"],
  ["/blog", "Blog | Financial Insights & Strategies"],
  ["/blog/a-policy-loan-step-by-step", "A Policy Loan, Step by Step | Blog"],
  ["/testimonials", `Client Success Stories | ${firm.name}`],
  ["/savings-calculator", `Savings Calculator | ${firm.name}`],
  ["/contact", `Contact ${adviser.name} | ${firm.name}`],
  ["/login", `Admin Login | ${firm.name}`],
] as const;

test("every page responds with its title, one main heading, a language and images that load", async ({
  page,
}) => {
  for (const [path, title] of pages) {
    const response = await openPage(page, path);

    expect(response?.status(), path).toBe(200);
    await expect(page).toHaveTitle(title);
    await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
    await expect(page.locator("html")).toHaveAttribute("lang", "en");
    await expect(page.locator("title")).toHaveCount(1);
    for (const image of await page.locator("img").all()) {
      const source = (await image.getAttribute("src")) ?? "";
      expect((await page.request.get(source)).status(), source).toBe(200);
      await expect(image).toHaveAttribute("alt");
    }
  }
});

test("every page is complete without scripts", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  for (const [path, title] of pages) {
    await page.goto(path);

    await expect(page).toHaveTitle(title);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByText(/^Loading/)).toHaveCount(0);
    await expect(
      page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Blog" }),
    ).toBeVisible();
  }
  await context.close();
});

test("without scripts the whole site can be read by following its links", async ({ browser }) => {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 390, height: 800 },
  });
  const page = await context.newPage();
  await page.goto("/");
  await expect(page.locator("#testimonials blockquote").first()).toBeAttached();

  await page.getByRole("banner").locator("summary").click();
  await page.getByRole("banner").getByRole("link", { name: "Blog" }).click();
  await page.getByRole("main").getByRole("link", { name: "Read More" }).last().click();
  await expect(page).toHaveURL(/\/blog\/./);
  await page.goto("/blog/a-policy-loan-step-by-step");
  await expect(page.locator("blockquote").first()).toBeVisible();
  await page.getByRole("complementary").getByRole("listitem").first().getByRole("link").click();
  await page.getByRole("link", { name: "All Services" }).click();
  await expect(page.getByRole("main").getByRole("listitem")).toHaveCount(7);
  await page.getByRole("contentinfo").getByRole("link", { name: "Testimonials" }).click();
  await expect(page).toHaveURL("/#testimonials");
  await context.close();
});

test("the header navigates the site and Back returns, each with its title", async ({ page }) => {
  await openPage(page, "/");
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));
  const stops = [
    ["Services", "/services", pages[1][1]],
    ["Testimonials", "/testimonials", pages[5][1]],
    ["Blog", "/blog", pages[3][1]],
    ["Savings Calculator", "/savings-calculator", pages[6][1]],
    ["Contact", "/contact", pages[7][1]],
    ["Home", "/", pages[0][1]],
  ] as const;

  for (const [name, path, title] of stops) {
    await page.getByRole("banner").getByRole("link", { name, exact: true }).click();
    await expect(page).toHaveURL(path);
    await expect(page).toHaveTitle(title);
    await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
    await expect(page.locator("title")).toHaveCount(1);
  }
  for (const [, path, title] of stops.slice(0, -1).reverse()) {
    await page.goBack();
    await expect(page).toHaveURL(path);
    await expect(page).toHaveTitle(title);
  }
  expect(await page.evaluate(() => "sameDocument" in window)).toBe(true);
});

test("every change of path scrolls to the top", async ({ page }) => {
  await openPage(page, "/services");

  await page.getByRole("contentinfo").getByRole("link", { name: "Contact" }).click();
  await expect(page).toHaveURL("/contact");
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);

  await page.getByRole("contentinfo").getByRole("link", { name: "Estate Planning" }).click();
  await expect(page).toHaveURL("/services/estate-planning");
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  await page.getByRole("contentinfo").scrollIntoViewIfNeeded();
  await page.goBack();
  await expect(page).toHaveURL("/contact");
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
});

test("a hash on a page other than home scrolls to its element, and a malformed one does no harm", async ({
  page,
}) => {
  await openPage(page, "/services#content");
  await page.evaluate(() => {
    const heading = document.querySelectorAll("main h2")[6];
    if (heading) heading.id = "somewhere";
    window.location.hash = "#somewhere";
  });
  await expect(page.locator("#somewhere")).toBeInViewport();
  await expect
    .poll(() =>
      page.evaluate(() => document.getElementById("somewhere")?.getBoundingClientRect().top),
    )
    .toBeLessThan(800);

  await page.evaluate(() => {
    window.location.hash = "#%";
  });
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("My Services");
});

test.describe("an unknown address", () => {
  test.use({ expectedErrors: /Failed to load resource.*404/ });

  test("responds with 404 and links back", async ({ page }) => {
    for (const path of ["/nothing-here", "/services/life-insurance/more", "/blogging"]) {
      const response = await openPage(page, path);

      expect(response?.status()).toBe(404);
      await expect(page).toHaveTitle(`Page not found | ${firm.name}`);
      await expect(page.locator("meta[name=robots]")).toHaveAttribute("content", "noindex");
    }
    await expect(page.locator("[aria-current=page]")).toHaveCount(0);
    await page.getByRole("link", { name: "Return to Home" }).click();
    await expect(page).toHaveURL("/");
  });
});

test("the login page has its heading, subtitle and fields", async ({ page }) => {
  await page.goto("/login");

  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Admin Access");
  await expect(page.getByText("Please log in to manage your content.")).toBeVisible();
  await expect(page.getByLabel("Email")).toHaveAttribute("type", "email");
  await expect(page.getByLabel("Password")).toHaveAttribute("type", "password");
  await expect(page.getByRole("button", { name: "Log In" })).toBeVisible();
});
