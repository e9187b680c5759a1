// What the setup stores, with the real client.
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  emptyDocument,
  publishDraft,
  readSettings,
  saveDraft,
} from "../../app/manage/setup/setup-settings.ts";
import type { Client } from "../../app/supabase/client-context.ts";
import { openClient, type Project, startProject } from "../start-project.ts";

let project: Project;
let owner: Client;

beforeAll(async () => {
  project = await startProject();
  owner = openClient(project);
  const { error } = await owner.auth.signInWithPassword(project.owner);
  if (error) throw error;
});

afterAll(async () => {
  await project?.stop();
});

test("a step is saved as a draft, then published", async () => {
  const document = { ...emptyDocument("mail"), recipients: ["ada@example.com"] };
  const draft = await saveDraft(owner, "mail", document, undefined);
  expect((await readSettings(owner)).drafts.get("mail")).toEqual(draft);

  await publishDraft(owner, "mail");
  const settings = await readSettings(owner);
  expect(settings.drafts.has("mail")).toBe(false);
  expect(settings.published.get("mail")).toEqual(document);
});

test("a hidden street is still there when the setup is opened again", async () => {
  const document = { ...emptyDocument("contact"), street: "9 Hidden Court", showStreet: false };
  await saveDraft(owner, "contact", document, undefined);
  await publishDraft(owner, "contact");
  expect((await readSettings(owner)).published.get("contact")).toEqual(document);
});

test("a draft that another window changed is not overwritten", async () => {
  const empty = emptyDocument("licenses");
  const first = await saveDraft(owner, "licenses", empty, undefined);
  const second = await saveDraft(owner, "licenses", { ...empty, npn: "1" }, first);
  const inAnotherWindow = "changed in another window";
  await expect(saveDraft(owner, "licenses", empty, first)).rejects.toThrow(inAnotherWindow);
  await expect(saveDraft(owner, "licenses", empty, undefined)).rejects.toThrow(inAnotherWindow);
  expect((await readSettings(owner)).drafts.get("licenses")).toEqual(second);
});

test("an unfinished step can be saved and not published", async () => {
  await saveDraft(owner, "firm", emptyDocument("firm"), undefined);
  await expect(publishDraft(owner, "firm")).rejects.toThrow("firm.name");
  expect((await readSettings(owner)).published.has("firm")).toBe(false);
});

test("a visitor reads no drafts and can neither save nor publish", async () => {
  const visitor = openClient(project);
  await expect(readSettings(visitor)).rejects.toThrow("permission denied");
  await expect(
    saveDraft(visitor, "contact", emptyDocument("contact"), undefined),
  ).rejects.toThrow();
  await expect(publishDraft(visitor, "firm")).rejects.toThrow();
});
