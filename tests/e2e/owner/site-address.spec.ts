import { ownerAccount } from "../../prepared-data-dir.ts";
import { findingsOf } from "../access/axe.ts";
import { ownSiteTest } from "../own-site.ts";
import { expect, openPage } from "../test.ts";
import { logIn } from "./owner.ts";

const test = ownSiteTest();

// Auth refuses a wrong password with 400; with 422, the server says why it does not use an address.
test.use({ expectedErrors: /status of (400|422)/ });
test.use({ viewport: { width: 390, height: 844 } });

test("an owner confirms the address of her site from Home, and all links lead there", async ({
  page,
  site,
}) => {
  const address = `http://localhost:${site.port}`;
  // As a browser that has opened the site in the internet.
  await page.route("**/manage/checks.json", async (route) => {
    const headers = { ...route.request().headers(), referer: "https://www.hart.com/manage" };
    await route.fulfill({ response: await route.fetch({ headers }) });
  });
  await logIn(page, "/manage");
  const toDo = page.getByRole("region", { name: "To do" });
  const link = toDo.getByRole("link", { name: "Confirm Confirm the address of your site" });
  await expect(link).toBeVisible();
  await expect(page.getByRole("main")).not.toContainText("SITE_URL");
  await link.click();

  const part = page.getByRole("region", { name: "Web address" });
  const field = part.getByRole("textbox", { name: "Address of your site" });
  await field.fill("www.hart.com/blog");
  await part.getByRole("button", { name: "Check and use" }).click();
  const dialog = page.getByRole("dialog", { name: "Use this address?" });
  await expect(dialog.getByLabel("Password")).toBeFocused();
  expect(await findingsOf(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(field).toHaveValue("www.hart.com/blog");
  await expect(field).toBeFocused();

  await field.press("Enter");
  await dialog.getByLabel("Password").fill("not the password");
  await dialog.getByRole("button", { name: "Check and use" }).click();
  await expect(dialog.getByRole("alert")).toHaveText("This is not your current password.");
  await dialog.getByLabel("Password").fill(ownerAccount.password);
  await dialog.getByRole("button", { name: "Check and use" }).click();
  await expect(field).toHaveAccessibleDescription(/without anything after it: www.hart.com/);
  await expect(field).toBeFocused();
  expect(await findingsOf(page)).toEqual([]);

  await field.fill(address);
  await field.press("Enter");
  await dialog.getByLabel("Password").fill(ownerAccount.password);
  await dialog.getByLabel("Password").press("Enter");
  await expect(part.getByText(`Your site answers at ${address}.`)).toBeVisible();
  await expect(part.getByRole("link", { name: "Go on there" })).toHaveAttribute(
    "href",
    `${address}/manage`,
  );
  expect(await findingsOf(page)).toEqual([]);

  await page.unroute("**/manage/checks.json");
  await openPage(page, "/manage");
  await expect(toDo.getByRole("link").first()).toBeVisible();
  await expect(toDo.getByText("address of your site")).toHaveCount(0);
  await openPage(page, "/");
  await expect(page.locator("link[rel=canonical]")).toHaveAttribute("href", `${address}/`);
});
