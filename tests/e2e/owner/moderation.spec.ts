import { readFile } from "node:fs/promises";
import { defaultSettings } from "../../../app/config/site.ts";
import { findingsOf } from "../access/axe.ts";
import { followChanges } from "../follow-changes.ts";
import { openPage, toast } from "../test.ts";
import { choose, expect, logIn, test, uniqueTitle } from "./owner.ts";

test("a review is deleted after the confirm dialog, for a reason that the decisions have, unless nothing was deleted or it is a sample", async ({
  page,
  rows,
  owner,
}) => {
  const name = uniqueTitle("Reviewer");
  await rows.addTestimonial({ name, content: "To be deleted." });
  await logIn(page, "/testimonials");
  const card = page.getByRole("figure").filter({ hasText: name });
  const dialog = page.getByRole("alertdialog", { name: "Are you absolutely sure?" });
  await page.getByRole("figure").first().getByRole("button", { name: "Delete" }).click();
  await expect(toast(page, "Action not allowed")).toContainText(
    "Sample reviews cannot be deleted.",
  );
  await expect(dialog).toHaveCount(0);

  await card.getByRole("button", { name: "Delete" }).click();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.route("**/rest/v1/testimonials?*", (route) =>
    route.request().method() === "DELETE" ? route.fulfill({ json: [] }) : route.fallback(),
  );
  await card.getByRole("button", { name: "Delete" }).click();
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(toast(page, "Error deleting review")).toBeVisible();
  await expect(card).toBeVisible();

  await page.unroute("**/rest/v1/testimonials?*");
  await card.getByRole("button", { name: "Delete" }).press("Enter");
  const reason = dialog.getByLabel("Reason (Optional)");
  await expect(reason).toBeFocused();
  await expect(reason).toHaveValue("");
  expect(await findingsOf(page)).toEqual([]);
  await reason.selectOption("It is not about us");
  await dialog.getByRole("button", { name: "Continue" }).press("Enter");
  await expect(toast(page, "Review deleted")).toContainText(
    "The review has been successfully removed.",
  );
  await expect(card).toHaveCount(0);
  const versions = owner.from("versions").select("document").eq("kind", "testimonial");
  const { data } = await versions
    .eq("event", "deleted")
    .order("number", { ascending: false })
    .limit(1)
    .throwOnError();
  expect(data[0]?.document).toMatchObject({ name, refusal_reason: "unrelated" });
  await toast(page, "Review deleted").getByRole("button", { name: "Undo" }).click();
  await expect(toast(page, "Testimonial restored")).toContainText("It is under 'Refused'");

  await openPage(page, "/manage/testimonials/refused");
  const item = page.getByRole("article", { name: `Testimonial by ${name}` });
  await item.getByRole("button", { name: "Approve" }).click();
  await expect(item).toHaveCount(0);
  await openPage(page, "/testimonials");
  await card.getByRole("button", { name: "Delete" }).click();
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(card).toHaveCount(0);
  await toast(page, "Review deleted").getByRole("button", { name: "Undo" }).click();
  await expect(toast(page, "Testimonial restored")).toContainText("It is on the site again");
  await expect(card).toBeVisible();

  await openPage(page, "/manage/testimonials/approved");
  await choose(item, "Delete");
  await dialog.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("link", { name: "Deleted", exact: true }).click();
  await expect(item).toContainText("To be deleted.");
  expect(await findingsOf(page)).toEqual([]);
  await item.getByRole("button", { name: "Restore" }).click();
  await expect(item).toHaveCount(0);
  await page.getByRole("link", { name: /^On the site/ }).click();
  await expect(item).toBeVisible();
});

test("a review is refused with a reason, approved again and answered; what fails changes nothing, and open windows follow", {
  tag: ["@long", "@translated"],
}, async ({ page, rows, owner, browser }) => {
  const name = uniqueTitle("Reviewer");
  await rows.addTestimonial({ name, content: "Clear and kind.", rating: 2 });
  const window = await browser.newPage();
  const feed = followChanges(window);
  await window.goto("/testimonials");
  await feed.connected("testimonials");
  const shown = window.getByRole("figure", { name: `Review by ${name}` });
  await expect(shown).toBeVisible();
  const tab = (label: string) =>
    page
      .getByRole("navigation", { name: "Filters of testimonials" })
      .getByRole("link", { name: label })
      .click();
  const review = page.getByRole("article", { name: `Testimonial by ${name}` });
  // A policy that blocks an update returns no error and no rows.
  const block = () =>
    page.route("**/rest/v1/testimonials?*", (route) =>
      route.request().method() === "PATCH" ? route.fulfill({ json: [] }) : route.fallback(),
    );
  const unblock = () => page.unroute("**/rest/v1/testimonials?*");

  await test.step("refused", async () => {
    await logIn(page, "/manage/testimonials/approved");
    await expect(review).toContainText("The reviewer was not asked");
    await block();
    const dialog = page.getByRole("alertdialog", { name: "Take off the site?" });
    const refuse = dialog.getByRole("button", { name: "Take off the site" });
    const reasons = dialog.getByRole("combobox", { name: "Reason" });
    await choose(review, "Take off the site");
    await refuse.press("Enter");
    await expect(reasons).toBeFocused();
    expect(await findingsOf(page)).toEqual([]);
    await reasons.selectOption("It promises or guarantees a result");
    await refuse.press("Enter");
    await expect(toast(page, "Refusing failed")).toContainText("was not found");
    await unblock();
    await choose(review, "Take off the site");
    await expect(reasons).toHaveValue("promise");
    await refuse.press("Enter");
    await expect(toast(page, "Testimonial refused")).toBeVisible();
    await expect(review).toHaveCount(0);
    await expect(shown).toHaveCount(0);
  });

  await test.step("approved again", async () => {
    await tab("Refused");
    await expect(review).toContainText("It promises or guarantees a result.");
    await block();
    await review.getByRole("button", { name: "Approve" }).press("Enter");
    await expect(toast(page, "Approving failed")).toContainText("was not found");
    await expect(review).toBeVisible();
    await unblock();
    await review.getByRole("button", { name: "Approve" }).press("Enter");
    await expect(toast(page, "Testimonial approved")).toBeVisible();
    await expect(shown).toBeVisible();
  });

  await test.step("answered", async () => {
    await tab("On the site");
    await review.getByText("Add a note or a reply").click();
    await review.getByLabel("Public reply").fill("Thank you.\nWe will be clearer.");
    const elsewhere = { statement: "Received a gift card of $25", reply: "From the phone." };
    await owner.from("testimonials").update(elsewhere).eq("name", name).throwOnError();
    await expect(review.getByLabel("What visitors should know")).toHaveValue(elsewhere.statement);
    await expect(review.getByRole("region", { name: "The other" })).toHaveText("From the phone.");
    await expect(review.getByRole("button", { name: "Save" })).toBeDisabled();
    expect(await findingsOf(page)).toEqual([]);
    await review.getByRole("button", { name: "Keep mine Public reply" }).press("Enter");
    await block();
    await review.getByRole("button", { name: "Save" }).press("Enter");
    await expect(review.getByRole("alert")).toContainText("was not found");
    await expect(review.getByLabel("Public reply")).toHaveValue("Thank you.\nWe will be clearer.");
    await unblock();
    await review.getByRole("button", { name: "Save" }).press("Enter");
    await expect(toast(page, "Testimonial saved")).toBeVisible();
    const { name: firm } = defaultSettings.firm;
    await expect(shown).toContainText(`${firm} states: ${elsewhere.statement}.`);
    await expect(shown).toContainText(`Reply by ${defaultSettings.firm.name}, `);
    await expect(shown).toContainText(/\w+ \d+, \d{4}Thank you\./);
  });

  await test.step("in the overview and the file", async () => {
    await openPage(page, "/manage/testimonials/decisions");
    const shownByStars = page.getByRole("row", { name: /^On the site \d+ \d+ \d+ 1 \d+$/ });
    await expect(shownByStars).toBeVisible();
    expect(await findingsOf(page)).toEqual([]);
    const file = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export as a file" }).click();
    const csv = await readFile(await (await file).path(), "utf8");
    expect(csv).toContain(`,2,refused,It promises or guarantees a result,${name},Clear and kind.`);
  });
  await window.close();
});

test("a reply that another device wrote, of which the page has not heard, is shown and not replaced", {
  tag: "@long",
}, async ({ page, rows, owner }) => {
  const name = uniqueTitle("Reviewer");
  await rows.addTestimonial({ name, content: "Kind." });
  await page.routeWebSocket(/realtime/, (socket) => socket.close());
  await logIn(page, "/manage/testimonials/approved");
  const review = page.getByRole("article", { name: `Testimonial by ${name}` });
  await review.getByText("Add a note or a reply").click();
  await review.getByLabel("Public reply").fill("From here.");
  await owner
    .from("testimonials")
    .update({ reply: "From the phone." })
    .eq("name", name)
    .throwOnError();
  await review.getByRole("button", { name: "Save" }).click();
  await expect(review.getByRole("region", { name: "The other" })).toHaveText("From the phone.");
  const stored = async () =>
    (await owner.from("testimonials").select("reply").eq("name", name).single()).data?.reply;
  expect(await stored()).toBe("From the phone.");
  await review.getByRole("button", { name: "Keep mine Public reply" }).click();
  await review.getByRole("button", { name: "Save" }).click();
  await expect(toast(page, "Testimonial saved")).toBeVisible();
  expect(await stored()).toBe("From here.");
});

test("a link for one client is made, ready for an email", { tag: "@long" }, async ({ page }) => {
  const name = uniqueTitle("Client");
  await logIn(page, "/manage/testimonials");
  await page.getByRole("main").getByRole("link", { name: "Ask a client" }).last().click();
  await page.getByLabel("Client's name").fill(name);
  await page.getByLabel("Email (Optional)").fill("client@example.com");
  await page.getByRole("button", { name: "Create link" }).click();
  await expect(toast(page, "Link created")).toBeVisible();
  const link = page.getByRole("listitem").filter({ hasText: name });
  await expect(link).toContainText(/http:\/\/[^/]+\/testimonials#review=[\da-f-]{36}/);
  await expect(link.getByRole("link", { name: "Write an email" })).toHaveAttribute(
    "href",
    /^mailto:client@example\.com\?/,
  );
  expect(await findingsOf(page)).toEqual([]);
});
