import { publishSettings } from "../../other-firm.ts";
import { findingsOf } from "../access/axe.ts";
import { ownSiteTest } from "../own-site.ts";
import { expect, toast } from "../test.ts";
import { logIn } from "./owner.ts";

const test = ownSiteTest();
// Without mail, the link of an invitation is shown.
test.use({ siteEnvironment: { SMTP_URL: "" } });

test("an owner asks for approval of the notice, another one returns and approves it, and it is published", {
  tag: "@long",
}, async ({ page, browser, baseURL, owner, visitor }) => {
  const approval = { needApproval: true, ownersNeedApproval: true, settingsNeedApproval: true };
  await publishSettings(owner, { firm: { name: "Larkspur" }, blog: approval });
  const person = { email: "otto@example.com", name: "Otto Other", role: "owner" };
  const invited = await owner.functions.invoke("invite-person", { body: person });
  const context = await browser.newContext({ baseURL });
  const other = await context.newPage();
  await other.goto(invited.data.link);
  await other.getByLabel("New password").fill("a-password-of-otto");
  await other.getByRole("button", { name: "Accept invitation" }).click();
  await expect(toast(other, "Invitation Accepted")).toBeVisible();

  await logIn(page, "/manage/settings/notice");
  const text = page.getByRole("textbox", { name: "Text" });
  const panel = page.getByRole("region", { name: "Approval" });
  const ask = page.getByRole("button", { name: "Ask for approval" });
  await expect(panel).toHaveCount(0);
  await text.fill("Guaranteed 12 percent");
  await expect(panel).toContainText("This section needs approval.");
  await expect(page.getByRole("button", { name: "Publish changes" })).toHaveCount(0);
  await ask.click();
  await expect(toast(page, "Submitted")).toBeVisible();
  await expect(panel).toContainText("It waits for approval by another owner.");
  await expect(ask).toBeDisabled();
  expect(await findingsOf(page)).toEqual([]);

  await other.goto("/manage");
  await other
    .getByRole("link", { name: "A change of the settings waits for your approval" })
    .click();
  await expect(other).toHaveURL("/manage/settings/notice");
  await expect(other.getByRole("textbox", { name: "Text" })).toHaveValue("Guaranteed 12 percent");
  await other.getByLabel("Comment (needed to return the section)").fill("Nobody guarantees that.");
  await other.getByRole("button", { name: "Return with comment" }).click();

  await expect(panel).toContainText("Nobody guarantees that.");
  await text.fill("Closed on Monday");
  await expect(ask).toBeEnabled();
  await ask.click();
  await other.getByRole("button", { name: "Approve" }).click();
  await expect(panel).toContainText("Approved by Otto Other");
  await page.getByRole("button", { name: "Publish changes" }).click();
  await expect(toast(page, "Published")).toBeVisible();
  const shown = visitor.from("public_site_settings").select("document").eq("section", "notice");
  expect((await shown.single()).data?.document).toMatchObject({ text: "Closed on Monday" });
  await page.getByRole("button", { name: "Earlier versions" }).click();
  await expect(page.getByText("on the site now")).toBeVisible();
  await context.close();
});
