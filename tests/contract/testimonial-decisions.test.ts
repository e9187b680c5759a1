// The overview of decisions about testimonials, and their file.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readAllRows, toCsv } from "../../app/manage/csv-export.tsx";
import { decisionColumns, readDecisions } from "../../app/manage/testimonials/decisions-page.tsx";
import {
  changeTestimonial,
  decisionOf,
} from "../../app/manage/testimonials/manage-testimonials.ts";
import { openClient, type Project, startProject } from "../start-project.ts";

let project: Project;
let owner: ReturnType<typeof openClient>;

beforeAll(async () => {
  project = await startProject();
  owner = openClient(project);
  await owner.auth.signInWithPassword(project.owner);
  const document = {} as never;
  await owner.from("site_settings_drafts").upsert({ section: "testimonials", document });
  await owner.rpc("publish_settings", { sections: ["testimonials"] }).throwOnError();
});

afterAll(() => project?.stop());

/** Leaves a review as a visitor. @returns what a moderator sees of it */
async function receive(rating: number) {
  const id = randomUUID();
  const answers = { relationship: "client", consent: "I agree." };
  const review = { id, name: "Ada", content: "=1+1", rating, ...answers };
  await openClient(project).from("testimonials").insert(review).throwOnError();
  return { id, approved_at: null, refused_at: null };
}

test("decisions are counted by stars, and each is in the file with its time, person and reason", async () => {
  await receive(5);
  const [shown, refused, deleted] = [await receive(4), await receive(1), await receive(1)];
  await changeTestimonial(owner, shown, decisionOf(null));
  await changeTestimonial(owner, refused, decisionOf("promise"));
  await changeTestimonial(owner, deleted, decisionOf("duplicate"));
  await owner.from("testimonials").delete().eq("id", deleted.id).throwOnError();

  const { counts, total } = await readDecisions(owner, 0, 0);
  const cells = counts.map(({ rating, event, number }) => `${rating} ${event}: ${number}`);
  expect(cells.toSorted()).toEqual([
    ...["1 deleted: 1", "1 refused: 1", "4 approved: 1", "5 received: 1"],
  ]);
  expect(total).toBe(8);
  const rows = await readAllRows(
    (first, count) => readDecisions(owner, first, count),
    () => {},
  );
  const lines = toCsv(decisionColumns, rows, "UTC").trim().split("\r\n");
  expect(lines).toHaveLength(9);
  expect(lines[6]?.replace(/^[^,]+/, "")).toBe(
    `,${project.owner.email},1,refused,It promises or guarantees a result,Ada,'=1+1`,
  );
});

test("a refused review can be approved later, and a decided one never waits again", async () => {
  const review = await receive(3);
  const { id } = review;
  await changeTestimonial(owner, review, decisionOf("false"));
  const refused = { ...review, refused_at: "2026-01-01" };
  const waits = { approved_at: null, refused_at: null, refusal_reason: null };
  await expect(changeTestimonial(owner, refused, waits)).rejects.toMatchObject({
    message: "A review leaves the site by a refusal with a reason, or by its deletion.",
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
  const message = "Somebody else has refused this review meanwhile.";
  await expect(decide(null)).rejects.toThrow(message);
  await expect(decide("promise")).rejects.toThrow(message);
  await expect(changeTestimonial(owner, review, { reply: "Thanks" })).rejects.toThrow(message);
  const stored = owner.from("testimonials").select("refusal_reason, reply").eq("id", review.id);
  expect((await stored).data).toEqual([{ refusal_reason: "false", reply: null }]);
});
