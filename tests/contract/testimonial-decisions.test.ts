// The overview of decisions about testimonials, and their file.
import { expect, test } from "vitest";
import { readAllRows, toCsv } from "../../app/manage/csv-export.tsx";
import { decisionColumns } from "../../app/manage/testimonials/decisions-page.tsx";
import {
  changeTestimonial,
  decisionOf,
  removeTestimonial,
} from "../../app/manage/testimonials/manage-testimonials.ts";
import { readDecisions } from "../../app/manage/testimonials/read-decisions.ts";
import { publishSettings } from "../other-firm.ts";
import { openClient, setUpProject } from "../start-project.ts";
import { newReview } from "../testimonial-answers.ts";

const { project, owner } = await setUpProject();
await publishSettings(owner, { testimonials: {} });

/** Leaves a review as a visitor. @returns what a moderator sees of it */
async function receive(rating: number) {
  const { id, ...review } = newReview({ content: "=1+1", rating });
  await openClient(project)
    .from("testimonials")
    .insert({ id, ...review })
    .throwOnError();
  return { id, approved_at: null, refused_at: null };
}

test("decisions are counted by stars, and each is in the file with its time, person and reason", async () => {
  await receive(5);
  const [shown, refused, deleted] = [await receive(4), await receive(1), await receive(1)];
  await changeTestimonial(owner, shown, decisionOf(null));
  await changeTestimonial(owner, refused, decisionOf("promise"));
  await changeTestimonial(owner, deleted, decisionOf("duplicate"));
  await removeTestimonial(owner, deleted.id, null);

  const { counts, total } = await readDecisions(owner, 0, 0);
  const cells = counts.map(({ rating, event, number }) => `${rating} ${event}: ${number}`);
  expect(cells.toSorted()).toEqual([
    ...["1 deleted: 1", "1 refused: 1", "4 approved: 1", "5 received: 1"],
  ]);
  expect(total).toBe(8);
  const lines = await decisionLines();
  expect(lines).toHaveLength(9);
  expect(lines[6]).toBe(
    `${project.owner.email},${project.owner.email},1,refused,It promises or guarantees a result,Ada,'=1+1`,
  );
});

test("a deletion is undone: the testimonial is where it was, with its answers, and is counted again", async () => {
  const rows = async (id: string) =>
    (await owner.from("testimonials").select("*").eq("id", id).throwOnError()).data;
  const undo = async (thing: string) =>
    (await owner.rpc("undo_deletion", { kind: "testimonial", thing }).throwOnError()).data;
  const [shown, waiting, refused] = [await receive(3), await receive(3), await receive(3)];
  await changeTestimonial(owner, shown, decisionOf(null));
  for (const { id } of [shown, waiting]) {
    const before = await rows(id);
    await removeTestimonial(owner, id, null);
    // The response was lost.
    expect([await undo(id), await undo(id)]).toEqual([true, true]);
    expect(await rows(id)).toEqual(before);
  }
  await removeTestimonial(owner, refused.id, "unrelated");
  expect(await undo(refused.id)).toBe(true);
  expect(await rows(refused.id)).toMatchObject([
    { approved_at: null, refusal_reason: "unrelated", name: "Ada" },
  ]);

  const { counts } = await readDecisions(owner, 0, 0);
  const cells = counts.filter(({ rating }) => rating === 3).map(({ event }) => event);
  expect(cells.toSorted()).toEqual(["approved", "received", "refused"]);
});

test("a deletion has the reason that was chosen, and one without a reason is counted as such", async () => {
  const [waiting, shown, plain] = [await receive(2), await receive(2), await receive(2)];
  await changeTestimonial(owner, shown, decisionOf(null));
  await expect(removeTestimonial(owner, waiting.id, "too few stars" as never)).rejects.toThrow();
  await removeTestimonial(owner, waiting.id, "unrelated");
  await removeTestimonial(owner, shown.id, "private");
  // The specification's call.
  await owner.from("testimonials").delete().eq("id", plain.id).throwOnError();
  await expect(removeTestimonial(owner, plain.id, "false")).rejects.toThrow("was not found");
  const ids = [waiting, shown, plain].map(({ id }) => id);
  const left = await owner.from("testimonials").select("id").in("id", ids).throwOnError();
  expect(left.data).toEqual([]);

  const { counts } = await readDecisions(owner, 0, 0);
  const deleted = counts.filter(({ rating }) => rating === 2);
  expect(Object.fromEntries(deleted.map(({ event, number }) => [event, number]))).toEqual({
    ...{ deleted: 2, "deleted without reason": 1 },
  });
  const by = `${project.owner.email},${project.owner.email},2,`;
  const lines = (await decisionLines()).filter(
    (line) => line.startsWith(by) && line.includes("deleted"),
  );
  expect(lines).toEqual([
    `${by}deleted,It is not about us,Ada,'=1+1`,
    `${by}deleted,It names other people or private details,Ada,'=1+1`,
    `${by}"deleted, no reason given",,Ada,'=1+1`,
  ]);
});

/** The rows of the file, without their times. */
async function decisionLines(): Promise<string[]> {
  const read = (first: number, count: number) => readDecisions(owner, first, count);
  const rows = await readAllRows(read, () => {});
  const lines = toCsv(decisionColumns, rows, "UTC").trim().split("\r\n");
  return lines.map((line) => line.replace(/^[^,]+,/, ""));
}

test("a refused review can be approved later, and a decided one never waits again", async () => {
  const review = await receive(3);
  const { id } = review;
  await changeTestimonial(owner, review, decisionOf("false"));
  const refused = { ...review, refused_at: "2026-01-01" };
  const waits = { approved_at: null, refused_at: null, refusal_reason: null };
  await expect(changeTestimonial(owner, refused, waits)).rejects.toMatchObject({
    message: "A testimonial leaves the site by a refusal with a reason, or by its deletion.",
  });
  await changeTestimonial(owner, refused, decisionOf(null));
  const visitor = openClient(project).from("testimonials").select("id, refusal_reason");
  const { data } = await visitor.eq("id", id).throwOnError();
  expect(data).toEqual([{ id, refusal_reason: null }]);
});

test("of two moderators who decide at once, the second learns what the first decided", async () => {
  const review = await receive(2);
  const decide = (reason: Parameters<typeof decisionOf>[0]) =>
    changeTestimonial(owner, review, decisionOf(reason));
  await decide("false");
  const message = "Somebody else has refused this testimonial meanwhile.";
  await expect(decide(null)).rejects.toThrow(message);
  await expect(decide("promise")).rejects.toThrow(message);
  await expect(changeTestimonial(owner, review, { reply: "Thanks" })).rejects.toThrow(message);
  const stored = owner.from("testimonials").select("refusal_reason, reply").eq("id", review.id);
  expect((await stored).data).toEqual([{ refusal_reason: "false", reply: null }]);
});
