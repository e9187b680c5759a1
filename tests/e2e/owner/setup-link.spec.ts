// The link that the start of a new site prints, in a browser: whoever opens it chooses the address and password of the owner.
import { findingsOf, findingsOfPage } from "../access/axe.ts";
import { ownSiteTest } from "../own-site.ts";
import { expect, waitForHydration } from "../test.ts";
import { fillLogin } from "./owner.ts";

const newSiteTest = ownSiteTest(
  { OWNER_PASSWORD: "", SMTP_URL: "" },
  { prepare: null, readOutput: true },
);
const test = newSiteTest.extend<object, { printed: { link: string; password: string } }>({
  /** What the start of the site prints. */
  printed: [
    async ({ site }, use) => {
      await expect.poll(() => site.output).toContain("Ctrl-C stops everything.");
      const [link = ""] = /\S+\/confirm#\S+/.exec(site.output) ?? [];
      const [, password = ""] = /shown only now: (\S+)/.exec(site.output) ?? [];
      await use({ link, password });
    },
    { scope: "worker" },
  ],
});

test.use({ expectedErrors: /status of 40[036]/ });

test("a new site is set up from the printed link, which works once and replaces the printed password", async ({
  page,
  site,
  printed,
}) => {
  const email = "chosen@example.org";
  const password = "three-unrelated-words";
  await page.goto(printed.link);
  await waitForHydration(page);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your new site");
  expect(await findingsOfPage(page)).toEqual([]);
  const [address, secret] = [page.getByLabel("Email"), page.getByLabel("Password")];

  await page.getByRole("button", { name: "Start the setup" }).click();
  await expect(address).toHaveAccessibleDescription("Please enter a valid email address.");
  await expect(secret).toHaveAccessibleDescription("Please use at least 10 characters.");
  await expect(address).toBeFocused();
  expect(await findingsOf(page)).toEqual([]);

  await page.keyboard.type(email);
  await page.keyboard.press("Tab");
  await page.keyboard.type("password12");
  await page.keyboard.press("Enter");
  await expect(secret).toHaveAccessibleDescription(/easy to guess/);
  await expect(secret).toBeFocused();
  await expect(address).toHaveAccessibleDescription("");

  await secret.fill(password);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/manage\/setup/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Set up your site");

  // Somebody else has the link, too.
  const other = await page.context().browser()?.newPage();
  if (!other) throw new Error("The browser has ended");
  await other.goto(printed.link);
  await other.getByLabel("Email").fill("thief@example.org");
  await other.getByLabel("Password").fill(password);
  await other.getByRole("button", { name: "Start the setup" }).click();
  await expect(other.getByRole("heading", { level: 1 })).toHaveText("This link no longer works");
  await expect(other.getByText(/^It has been used/)).toBeVisible();
  expect(await findingsOf(other)).toEqual([]);
  await other.getByRole("link", { name: "Log in" }).click();
  await fillLogin(other, { email: site.owner.email, password: printed.password });
  await expect(other.getByText("Invalid login credentials").first()).toBeVisible();
  await fillLogin(other, { email, password });
  await expect(other).toHaveURL("/blog");
  await other.close();
});
