// The limits of the post form are those of the CHECK constraints.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { editedPostSchema, emptyDraft, postLimits } from "../../app/manage/posts/post-schema.ts";
import { openClient, type Project, startProject } from "../start-project.ts";

let project: Project;
let owner: ReturnType<typeof openClient>;
const author = randomUUID();

beforeAll(async () => {
  project = await startProject();
  owner = openClient(project);
  await owner.auth.signInWithPassword(project.owner);
});

afterAll(async () => {
  await owner.from("posts").delete().eq("author", author);
  await project.stop();
});

for (const field of ["title", "category", "tagline", "alt"] as const) {
  const isRequired = field === "title" || field === "category";
  test.each([
    ["no character", 0, !isRequired],
    ["one character", 1, true],
    ["as many characters as the limit", postLimits[field], true],
    ["one character more than the limit", postLimits[field] + 1, false],
  ])(`the form and the database agree on a ${field} with %s`, async (_case, length, accepted) => {
    // Two UTF-16 units and four bytes each: both sides have to count characters.
    const texts = { title: "A title", category: "A category", [field]: "😀".repeat(length) };
    const draft = { ...emptyDraft, ...texts, text: "Text" };
    expect(editedPostSchema.safeParse(draft).success).toBe(accepted);

    const { error } = await owner.from("posts").insert({ ...texts, slug: randomUUID(), author });
    if (accepted) expect(error).toBeNull();
    else expect(error?.message).toContain(`posts_${field}_length`);
  });
}
