// Runs after all other end-to-end tests, whose visits are stored by now. Alone it waits up to a minute.
import { logIn } from "../owner/owner.ts";
import { expect, openPage, test } from "../test.ts";

test("the owner sees visits, referring sites and used calculators", async ({ page, owner }) => {
  test.setTimeout(120_000);
  await page.goto("/services", { referer: "https://www.search.example/" });
  await openPage(page, "/savings-calculator");
  const reported = page.waitForResponse((response) => response.request().method() === "HEAD");
  await page.getByRole("button", { name: "Calculate Coverage" }).click();
  expect((await reported).ok()).toBe(true);
  await expect
    .poll(
      async () => {
        const { data } = await owner.from("visit_counts").select("*").eq("kind", "referrer");
        return data?.map(({ key }) => key);
      },
      { timeout: 90_000 },
    )
    .toContain("search.example");

  await logIn(page, "/manage/visits");
  const main = page.getByRole("main");
  await expect(main.getByRole("link", { name: "/services", exact: true })).toBeVisible();
  await expect(main.getByText("search.example")).toBeVisible();
  await expect(main.getByRole("listitem").filter({ hasText: "Life Insurance" })).toBeVisible();
  await expect(page.getByRole("slider")).toHaveAttribute(
    "aria-valuetext",
    /: [1-9][\d,]* page loads?/,
  );
});
