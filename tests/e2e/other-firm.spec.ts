// An owner sets up a new site as another firm's. What it publishes then is in tests/site/other-firm.test.ts; in
// other-firm.long.spec.ts the owner fills in all settings.
import { otherFirm } from "../other-firm.ts";
import { ownSiteTest } from "./own-site.ts";
import { followSetup, signInForSetup } from "./owner/convert-site.ts";
import { expect } from "./test.ts";

const test = ownSiteTest();

test("the owner of a new site follows the setup and makes it another firm's", {
  tag: "@long",
}, async ({ page, owner }) => {
  await signInForSetup(page);
  await followSetup(page);
  const settings = owner.from("site_settings").select("section, document").throwOnError();
  const published = new Map((await settings).data.map((row) => [row.section, row.document]));
  expect(published.get("firm")).toMatchObject({ name: otherFirm.firm.name });
  expect(published.get("look")).toMatchObject({ mainColor: otherFirm.look.mainColor });
  await page.goto("/");
  await expect(page.getByRole("banner").getByText(otherFirm.firm.shortName).first()).toBeVisible();
});
