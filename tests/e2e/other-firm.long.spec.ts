// An owner fills in all settings of a new site on the screens.
import { defaultSettings, startingSettings } from "../../app/config/site.ts";
import { linksOf } from "../../app/manage/manage-pages.ts";
import { removeSamples } from "../../app/manage/samples/samples.ts";
import { fictionalTextsIn } from "../crawl.ts";
import { otherFirm, publishSettings } from "../other-firm.ts";
import { ownSiteTest } from "./own-site.ts";
import { fillSettings } from "./owner/convert-site.ts";
import { expect, navigate } from "./test.ts";

const test = ownSiteTest();

test.use({ actionTimeout: 20_000 });

test("on the screens alone, the owner enters every setting of another firm", async ({
  page,
  owner,
}) => {
  test.slow();
  // From now on the forms have the starting texts in place of the fictional firm's.
  await publishSettings(owner, { firm: { name: otherFirm.firm.name } });
  await removeSamples(owner, defaultSettings.testimonials);
  await test.step("fill in and publish all settings", () => fillSettings(page));
  await test.step("what is stored is what was entered", async () => {
    const { data } = await owner.from("site_settings").select("section, document").throwOnError();
    const stored = Object.fromEntries(data.map(({ section, document }) => [section, document]));
    // What no form shows keeps its starting value, and what was not changed is not published.
    const adviser = { ...otherFirm.adviser, starter: true };
    const home = { ...otherFirm.home, hero: startingSettings.home.hero };
    expect(stored).toEqual({ ...otherFirm, adviser, home, site: undefined });
  });
  await test.step("no page of the owner names the fictional firm", async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    for (const { to } of linksOf("owner")) {
      await navigate(page, to);
      await expect(page).toHaveURL(to);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(page.getByText(/^(Loading|Searching|Checking)/)).toHaveCount(0);
      expect(fictionalTextsIn(await page.locator("body").innerText())).toEqual([]);
    }
  });
});
