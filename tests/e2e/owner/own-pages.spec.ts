import { findingsOf } from "../access/axe.ts";
import { toast } from "../test.ts";
import { choose, discardDraft, expect, logIn, test, uniqueTitle } from "./owner.ts";

test("a page starts from a template, is published when its placeholders are filled in, linked, renamed, hidden and deleted, and visitors need no scripts", {
  tag: "@long",
}, async ({ page, browser, baseURL, siteUrl, owner }) => {
  const title = uniqueTitle("Terms");
  const slug = title.toLowerCase().replaceAll(" ", "-");
  const context = await browser.newContext({ baseURL, javaScriptEnabled: false });
  const visitor = await context.newPage();
  const row = page.getByRole("main").getByRole("listitem").filter({ hasText: title });
  const read = (path: string) => fetch(siteUrl + path, { redirect: "manual" });
  const statusOf = async (path: string) => (await read(path)).status;

  await test.step("a draft from the settings is published", async () => {
    await logIn(page, "/manage/pages");
    await page.getByRole("link", { name: "Create New Page" }).click();
    await page.getByRole("button", { name: "Team", exact: true }).click();
    await page.getByRole("button", { name: "Publish Page" }).click();
    await expect(toast(page, "Uh oh! Something is missing.")).toContainText(
      "Fill in or remove [Who works here, in one sentence.] and 9 more.",
    );
    const selected = () => page.evaluate(() => String(getSelection()));
    expect(await selected()).toBe("[Who works here, in one sentence.]");
    await page.keyboard.type("We are two.");
    await page.getByRole("button", { name: "[Name]", exact: true }).last().click();
    expect(await selected()).toBe("[Name]");
    expect(await findingsOf(page)).toEqual([]);
    await discardDraft(page);
    await page.goto("/manage/pages/new?template=terms");
    await expect(page.getByLabel("Title")).toHaveValue("Terms of use");
    await page.getByLabel("Title").fill(title);
    await page.getByLabel("Address").fill("blog");
    await page.getByRole("button", { name: "Publish Page" }).click();
    await expect(toast(page, "Error! 😢")).toContainText(
      "The address /blog belongs to the site itself.",
    );
    await expect(page.getByLabel("Address")).toBeFocused();
    await page.getByLabel("Address").fill(slug);
    await page.getByRole("button", { name: "Publish Page" }).click();
    await expect(toast(page, "Success! 🚀")).toContainText("Your new page has been published.");
    await expect(page).toHaveURL("/manage/pages");
    await expect(row).toContainText("In the footer");
  });
  await test.step("visitors read it, and the footer, the sitemap and its share image have it", async () => {
    await visitor.goto(`/${slug}`);
    await expect(visitor.getByRole("heading", { level: 1, name: title })).toBeVisible();
    await expect(visitor.getByRole("heading", { name: "No offer" })).toBeVisible();
    await expect(visitor.locator('link[rel="canonical"]')).toHaveAttribute(
      "href",
      `${baseURL}/${slug}`,
    );
    await expect(visitor.getByRole("contentinfo").getByRole("link", { name: title })).toBeVisible();
    expect(await (await read("/sitemap.xml")).text()).toContain(`/${slug}<`);
    expect(await statusOf(`/share/${slug}.png`)).toBe(200);
  });
  await test.step("it moves to the menu, which opens without scripts", async () => {
    await choose(row, "In the menu");
    await expect(row).toContainText("In the menu");
    const header = async () => /<header.*<\/header>/s.exec(await (await read("/")).text())?.[0];
    await expect.poll(header).toContain(title);
    await visitor.goto("/");
    await visitor.getByRole("navigation", { name: "Main" }).getByText("More").click();
    await expect(visitor.getByRole("banner").getByRole("link", { name: title })).toBeVisible();
  });
  await test.step("a new address leads on from the former one", async () => {
    await row.getByRole("link", { name: title, exact: true }).click();
    await expect(page.getByLabel("Address")).toBeVisible();
    // Another window's change is heard.
    const heard = { tagline: "Heard." };
    await owner.from("pages").update(heard).eq("slug", slug).throwOnError();
    const news = page.getByRole("status").filter({ hasText: "Changed in another window" });
    await expect(news).toContainText("Description: set to “Heard.”");
    await news.getByRole("button", { name: "OK" }).click();
    await page.getByLabel("Address").fill(`${slug}-2`);
    await page.getByRole("button", { name: "Save Changes" }).click();
    await expect(toast(page, "Success! 🚀")).toContainText("Your page has been updated.");
    await expect
      .poll(async () => {
        const moved = await read(`/${slug}?a=1`);
        return [moved.status, moved.headers.get("location")];
      })
      .toEqual([301, `/${slug}-2?a=1`]);
  });
  await test.step("a hidden page is not found, and a deleted one can be restored", async () => {
    await choose(row, "Hide");
    await expect(row).toContainText("Hidden");
    await expect.poll(() => statusOf(`/${slug}-2`)).toBe(404);
    await choose(row, "Show");
    await expect.poll(() => statusOf(`/${slug}-2`)).toBe(200);
    await choose(row, "Delete");
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(toast(page, "Page Deleted")).toBeVisible();
    await expect.poll(() => statusOf(`/${slug}-2`)).toBe(404);
    await toast(page, "Page Deleted").getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => statusOf(`/${slug}-2`)).toBe(200);
    await choose(row, "Delete");
    await page.getByRole("button", { name: "Continue" }).click();
    await expect.poll(() => statusOf(`/${slug}-2`)).toBe(404);
    await page.getByRole("link", { name: /^Deleted/ }).click();
    await row.getByRole("button", { name: "Restore as draft" }).press("Enter");
    await expect(toast(page, "Page Restored")).toBeVisible();
  });
  await context.close();
  const drafts = owner.from("drafts").select("kind, thing").eq("kind", "page");
  for (const draft of (await drafts.throwOnError()).data) {
    await owner.rpc("discard_draft", { ...draft, replaced: null }).throwOnError();
  }
});
