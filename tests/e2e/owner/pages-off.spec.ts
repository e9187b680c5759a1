// Pages that the owner switches off, on a site of its own.
import type { Page } from "@playwright/test";
import { defaultSettings } from "../../../app/config/site.ts";
import { crawl } from "../../crawl.ts";
import { publishSettings } from "../../other-firm.ts";
import { ownSiteTest } from "../own-site.ts";
import { expect, openPage } from "../test.ts";
import { logIn } from "./owner.ts";

const test = ownSiteTest();

const post = { slug: "a-quiet-note", title: "A quiet note", category: "Notes" };
const blogAddresses = [
  ...["/blog", "/BLOG/?page=2", "/blog/a-quiet-note", "/blog/category/notes"],
  "/%62log/a-quiet-note",
];

test("the owner switches the blog and a calculator off, and on again", { tag: "@long" }, async ({
  page,
  browser,
  owner,
  rows,
  siteUrl,
}) => {
  const guest = await browser.newPage({ baseURL: siteUrl });
  const menuOf = (reader: Page) => reader.getByRole("navigation", { name: "Main" }).first();
  const blogTab = menuOf(guest).getByRole("link", { name: "Blog" });
  const answersOf = (addresses: readonly string[]) =>
    Promise.all(
      addresses.map(async (address) => {
        const { status, headers } = await fetch(siteUrl + address, { redirect: "manual" });
        return [status, headers.get("location")];
      }),
    );
  await rows.addPost(post);

  await test.step("an open page of the blog leads home", async () => {
    await guest.goto("/blog/a-quiet-note");
    await expect(blogTab).toBeVisible();
    await logIn(page, "/manage/settings/pages");
    for (const name of ["Blog", "Retirement calculator"]) {
      await page.getByRole("switch", { name, exact: true }).click();
    }
    await expect(page.getByText("Saved as a draft")).toBeVisible();
    await page.getByRole("button", { name: "Publish changes" }).click();
    await expect(page.getByText(/^Published /)).toBeVisible();
    await expect(guest).toHaveURL("/");
    await expect(blogTab).toHaveCount(0);
    await expect(guest.getByRole("contentinfo").getByRole("link", { name: "Blog" })).toHaveCount(0);
    await expect(guest.locator("#blog")).toHaveCount(0);
  });
  await test.step("no page, feed or file leads to the blog or shows a post", async () => {
    for (const answer of await answersOf(blogAddresses)) expect(answer).toEqual([302, "/"]);
    const files = ["/rss.xml", "/atom.xml", "/share/blog.png", "/share/blog/a-quiet-note.png"];
    for (const answer of await answersOf(files)) expect(answer).toEqual([404, null]);
    const found = await crawl(siteUrl);
    expect([...found.keys()].filter((path) => path.includes("/blog"))).toEqual([]);
    const showing = [...found].filter(([, { text }]) => text.includes(post.title));
    expect(showing.map(([path]) => path)).toEqual([]);
  });
  await test.step("the other calculator is alone on its page", async () => {
    await guest.goto("/savings-calculator");
    await expect(guest.locator("main h2")).toHaveText(["Life Insurance Calculator"]);
  });
  await test.step("who writes posts goes on in the list of posts, which says that the blog is off", async () => {
    await openPage(page, "/blog/new");
    await page.getByRole("button", { name: "Cancel" }).click();
    await expect(page).toHaveURL("/manage/posts");
    await expect(page.getByRole("note")).toContainText("The blog is switched off");
    await expect(page.getByRole("link", { name: post.title, exact: true })).toBeVisible();
    await expect(page.getByRole("link", { name: `View ${post.title}` })).toHaveCount(0);
  });
  await test.step("switched on, the blog is back", async () => {
    await publishSettings(owner, { pages: defaultSettings.pages });
    await guest.goto("/");
    await expect(blogTab).toBeVisible();
    await expect(guest.locator("#blog")).toContainText(post.title);
    expect(await answersOf(["/blog", "/rss.xml"])).toEqual([
      [200, null],
      [200, null],
    ]);
  });
  await test.step("both calculators and the testimonials lead home, too", async () => {
    const hidden = ["testimonials", "lifeInsuranceCalculator", "retirementCalculator"] as const;
    await publishSettings(owner, { pages: { ...defaultSettings.pages, hidden: [...hidden] } });
    for (const answer of await answersOf(["/testimonials", "/savings-calculator"])) {
      expect(answer).toEqual([302, "/"]);
    }
    for (const path of ["/", "/sitemap.xml"]) {
      const text = await (await fetch(siteUrl + path)).text();
      expect(text, path).not.toMatch(/(href="|<loc>)[^"<]*\/(testimonials|savings-calculator)/);
    }
  });
  await guest.close();
});
