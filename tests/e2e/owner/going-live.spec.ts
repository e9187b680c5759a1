import { findingsOf } from "../access/axe.ts";
import { followChanges } from "../follow-changes.ts";
import { toast } from "../test.ts";
import { expect, logIn, test } from "./owner.ts";

function uniqueName(): string {
  return `Reviewer ${crypto.randomUUID().slice(0, 8)}`;
}

test("a review is hidden and approved again, and open windows follow", async ({
  page,
  rows,
  browser,
}) => {
  const name = uniqueName();
  await rows.addTestimonial({ name, content: "Clear and kind." });
  const window = await browser.newPage();
  const feed = followChanges(window);
  await window.goto("/testimonials");
  await feed.connected("testimonials");
  const shown = window.getByRole("figure", { name: `Review by ${name}` });
  await expect(shown).toBeVisible();

  await logIn(page, "/manage/testimonials/approved");
  const review = page.getByRole("article", { name: `Review by ${name}` });
  await review.getByRole("button", { name: "Hide from the site" }).press("Enter");
  await expect(toast(page, "Review hidden")).toBeVisible();
  await expect(review).toHaveCount(0);
  await expect(shown).toHaveCount(0);

  await page
    .getByRole("navigation", { name: "Reviews" })
    .getByRole("link", { name: "Waiting" })
    .click();
  await expect(review).toContainText("Clear and kind.");
  await review.getByRole("button", { name: "Approve" }).press("Enter");
  await expect(toast(page, "Review approved")).toBeVisible();
  await expect(shown).toBeVisible();
  await window.close();
});

test("a review that could not be approved stays, with the reason", async ({
  page,
  rows,
  owner,
}) => {
  const name = uniqueName();
  await rows.addTestimonial({ name, content: "Waits." });
  await owner.from("testimonials").update({ approved_at: null }).eq("name", name).throwOnError();
  await logIn(page, "/manage/testimonials");
  // A policy that blocks an update returns no error, only no rows.
  await page.route("**/rest/v1/testimonials?*", (route) =>
    route.request().method() === "PATCH" ? route.fulfill({ json: [] }) : route.fallback(),
  );
  const review = page.getByRole("article", { name: `Review by ${name}` });
  await review.getByRole("button", { name: "Approve" }).press("Enter");
  await expect(toast(page, "Approving failed")).toContainText("was not found");
  await expect(review).toBeVisible();
  expect(await findingsOf(page)).toEqual([]);
});

test("an owner reads the checks, others do not", async ({ page, request }) => {
  await logIn(page, "/contact");
  const checks = page.evaluate(async () => {
    const session = JSON.parse(localStorage.getItem("owner-session") ?? "{}");
    const response = await fetch("/manage/checks.json", {
      headers: { authorization: `Bearer ${session.access_token}` },
    });
    return response.json();
  });
  expect(JSON.stringify(await checks)).toContain("SITE_URL is not set");
  expect((await request.get("/manage/checks.json")).status()).toBe(401);
});
