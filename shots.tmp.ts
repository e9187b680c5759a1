import { chromium } from "@playwright/test";
import { createClient } from "@supabase/supabase-js";
import { defaultSettings } from "./app/config/site.ts";
import { publishSettings } from "./tests/other-firm.ts";
import { ownerAccount, startNewSite } from "./tests/start-site.ts";

const site = await startNewSite();
try {
  const html = await (await fetch(site.url)).text();
  const key = html.match(/name="supabase-anon-key" content="([^"]+)"/)?.[1] ?? "";
  const owner = createClient(site.url, key, { auth: { persistSession: false } });
  await owner.auth.signInWithPassword(ownerAccount);
  const session = JSON.stringify((await owner.auth.getSession()).data.session);
  await publishSettings(owner, {
    testimonials: { ...defaultSettings.testimonials, samples: false },
    disclosures: {
      ...defaultSettings.disclosures,
      footer: ["First line of a notice.\nSecond line of the notice."],
    } as never,
    home: {
      ...defaultSettings.home,
      introduction: "I read contracts aloud.\nYou decide afterwards.",
    } as never,
  });
  const { data: one } = await owner.from("posts").select("id, slug, title").limit(1).single();
  await owner.from("posts").delete().eq("id", one?.id);
  await owner.from("post_drafts").insert({ id: crypto.randomUUID(), title: "A begun draft" });
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox"],
  });
  for (const width of [390, 1440]) {
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    const shot = (name: string, full = false) =>
      page.screenshot({ path: `/tmp/spec-shots/${name}-${width}.png`, fullPage: full });
    const hydrate = () => page.waitForTimeout(2500);
    await page.goto(`${site.url}/`);
    await hydrate();
    await shot("home-lines");
    await page.getByRole("contentinfo").scrollIntoViewIfNeeded();
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await shot("footer-lines");
    await page.goto(`${site.url}/services`);
    await hydrate();
    await page.route("**/rest/v1/testimonials?*", (r) =>
      r.fulfill({ status: 500, json: { message: "x" } }),
    );
    if (width === 390) await page.locator("header summary").first().click();
    await page
      .getByRole("banner")
      .getByRole("link", { name: "Testimonials" })
      .filter({ visible: true })
      .click();
    await page.getByRole("alert").waitFor();
    await shot("testimonials-failed");
    await page.getByRole("link", { name: "Leave" }).count();
    await page.getByRole("banner").getByRole("link").first().click();
    await page.locator("#testimonials [role=alert]").waitFor();
    await page.locator("#testimonials").scrollIntoViewIfNeeded();
    await page.waitForTimeout(500);
    await page
      .locator("#testimonials")
      .screenshot({ path: `/tmp/spec-shots/home-failed-${width}.png` });
    await page.unrouteAll();
    await page.goto(`${site.url}/robots.txt`);
    await page.evaluate((s) => localStorage.setItem("owner-session", s), session);
    await page.route("**/rest/v1/rpc/my_profile*", (r) => r.abort());
    await page.goto(`${site.url}/blog`);
    await page.getByText("Your account could not be loaded").waitFor();
    await shot("role-failed");
    await page.goto(`${site.url}/manage`);
    await page.getByText("Your account could not be loaded").waitFor();
    await shot("role-failed-manage");
    await page.unrouteAll();
    await page.goto(`${site.url}/blog`);
    await page
      .getByRole("button", { name: /^Delete/ })
      .first()
      .click();
    await page.waitForTimeout(300);
    await shot("delete-post");
    await page.goto(`${site.url}/manage/posts?filter=deleted`);
    await hydrate();
    await shot("posts-deleted");
    await page.goto(`${site.url}/manage/posts?q=begun`);
    await hydrate();
    await page
      .getByRole("button", { name: /^Delete/ })
      .first()
      .click();
    await page.waitForTimeout(300);
    await shot("delete-draft");
    await page.evaluate(() => localStorage.setItem("post-draft:x", "{}"));
    await page.goto(`${site.url}/blog`);
    await hydrate();

    await page.close();
  }
  await browser.close();
} finally {
  await site.stop();
}
