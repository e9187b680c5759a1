import { readFile } from "node:fs/promises";
import { callSentence, publishSentence } from "../../consent-sentences.ts";
import { findingsOf } from "../access/axe.ts";
import { openPage, toast } from "../test.ts";
import { choose, expect, logIn, test, uniqueTitle } from "./owner.ts";

test("a withdrawal is recorded at a message and at a review, stays in the list and the file, and takes nothing off the site by itself", {
  tag: "@long",
}, async ({ page, rows, owner, visitor }) => {
  const name = uniqueTitle("Ada");
  const email = `${crypto.randomUUID()}@example.com`;
  const message = { name, email, phone: "(503) 555-0123", message: "Could we talk next week?" };
  for (const call_consent of ["", callSentence]) {
    const body = JSON.stringify({ ...message, call_consent });
    const { error } = await visitor.functions.invoke("send-email", { body });
    expect(error).toBeNull();
  }
  await rows.addTestimonial({ name, email, content: "Kind.", consent: publishSentence });
  const note = page.getByRole("note");

  await test.step("at a message", async () => {
    await logIn(page, `/messages?q=${encodeURIComponent(email)}`);
    const messages = page.getByRole("list", { name: "Messages, newest first" }).getByRole("link");
    await expect(messages).toHaveCount(2);
    await messages.first().press("Enter");
    const message = page.getByRole("article");
    const summary = message.getByText("Record a withdrawal of the consent to calls");
    await summary.click();
    await page.getByLabel("How").selectOption("By phone");
    await page.getByLabel("Note (Optional)").fill("Rang the office.");
    expect(await findingsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "Record withdrawal" }).press("Enter");
    await expect(toast(page, "Withdrawal recorded")).toBeVisible();
    await expect(note).toContainText("Do not call or text.");
    await expect(note).toContainText(/By phone, .*, for \(503\) 555-0123\. “Rang the office.”/);
    await expect(message).toBeFocused();
    await expect(summary).toHaveCount(0);
    await expect(messages.filter({ hasText: "No calls" })).toHaveCount(2);
    expect(await findingsOf(page)).toEqual([]);
  });

  await test.step("at a review", async () => {
    await page.getByRole("navigation").getByRole("link", { name: "Testimonials" }).last().click();
    await page
      .getByRole("navigation", { name: "Filters of testimonials" })
      .getByRole("link", { name: "On the site" })
      .click();
    const review = page.getByRole("article", { name: `Testimonial by ${name}` });
    await review.getByText("Record a withdrawal of the consent").click();
    await review.getByLabel("How").selectOption("By email");
    await review.getByRole("button", { name: "Record withdrawal" }).press("Enter");
    await expect(toast(page, "Withdrawal recorded")).toContainText(
      "can still read the testimonial",
    );
    await expect(review.getByRole("note")).toContainText(
      "Visitors can still read the testimonial.",
    );
    const shown = visitor.from("testimonials").select("id").eq("name", name);
    expect((await shown).data).toHaveLength(1);
  });

  await test.step("in the list of all consents and its file", async () => {
    await openPage(page, "/manage/consents");
    await page.getByRole("link", { name: "Withdrawn" }).click();
    const review = page.getByRole("article", { name: `Testimonial: ${name}` });
    const calls = page.getByRole("article", { name: `Calls and texts: ${name}` });
    await expect(calls).toContainText("Rang the office.");
    await expect(calls).toContainText(callSentence);
    expect(await findingsOf(page)).toEqual([]);
    const file = page.waitForEvent("download");
    await choose(page.getByRole("main"), "Export as CSV");
    const csv = await readFile(await (await file).path(), "utf8");
    expect(csv).toMatch(/,calls and texts,.*,default,.*,By phone,Rang the office\.,/);
    expect(csv).toMatch(/,publish a testimonial,.*,default,.*,By email,,/);
    await review.getByRole("link", { name: "Take it off the site" }).click();
  });

  await test.step("and the review is taken off the site", async () => {
    const review = page.getByRole("article", { name: `Testimonial by ${name}` });
    await review.getByRole("button", { name: "Take it off the site" }).click();
    await expect(toast(page, "Testimonial refused")).toBeVisible();
    const stored = owner.from("testimonials").select("refusal_reason").eq("name", name);
    expect((await stored).data).toEqual([{ refusal_reason: "withdrawn" }]);
  });
  await owner.from("contact_messages").delete().in("name", [name]).throwOnError();
});
