// Approval of the settings, past the browser: with 'Settings need approval as well', what one owner writes is public only after
// another one has approved exactly that.
import type { SupabaseClient } from "@supabase/supabase-js";
import { expect, test } from "vitest";
import { messageOf } from "../../supabase/functions/_shared/message-of.ts";
import { publishSettings, saveSettings } from "../other-firm.ts";
import { decision } from "../post-calls.ts";
import { setUpProject } from "../start-project.ts";

const { sql, visitor, owner, admin, signInAs } = await setUpProject<SupabaseClient>();
const approval = { needApproval: true, ownersNeedApproval: true, settingsNeedApproval: true };

/** Two sections with texts that came with the site. */
const starting = (starter: boolean, headline = "Hello") => ({
  home: { headline, starter },
  services: { items: [{ slug: "life", title: "Life", starter }] },
});

const publish = (client: SupabaseClient, settings: Record<string, object>) =>
  publishSettings(client, settings).then(() => null, messageOf);

async function submit(client: SupabaseClient, section: string, document: object) {
  const { [section]: draft } = await saveSettings(client, { [section]: document });
  const args = { kind: "section", thing: section, document: JSON.stringify(document), draft };
  return client.rpc("submit", args);
}

async function publishStored(client: SupabaseClient, thing: string) {
  const drafts = client.from("drafts").select("saved_at").eq("kind", "section").eq("thing", thing);
  const draft = (await drafts.single().throwOnError()).data?.saved_at;
  return client.rpc("publish", { changes: JSON.stringify([{ kind: "section", thing, draft }]) });
}

async function shownNotice() {
  const { data } = await visitor
    .from("public_site_settings")
    .select("document")
    .eq("section", "notice")
    .maybeSingle();
  return data?.document.text;
}

const eventsOf = async (thing: string) => {
  const versions = owner.from("versions").select("event").eq("thing", thing).order("number");
  return (await versions.throwOnError()).data?.map(({ event }) => event);
};

test("the settings of an only owner count as approved, and are marked so", async () => {
  await publishSettings(owner, { blog: approval });
  expect(await publish(owner, { notice: { text: "Closed on Monday" } })).toBeNull();
  expect(await eventsOf("notice")).toEqual(["approved", "published"]);
  expect(await publish(owner, starting(true))).toBeNull();
});

test("with two owners, a section is public only as the other one has approved it", async () => {
  const { client: other } = await signInAs("owner", "Otto Other");
  const { client: editor } = await signInAs("editor", "Ed");
  const refusal = "This version needs approval. Ask for approval before it is published";
  const notice = { text: "Guaranteed 12 percent" };
  expect(await publish(owner, { notice })).toBe(refusal);
  // Nor does a function of the database publish it, or an owner switch approval off.
  const direct = sql`select private.publish_document('notice', ${JSON.stringify(notice)}::text::jsonb)`;
  await expect(direct).rejects.toThrow(refusal);
  const notices = () => admin.from("site_settings");
  const deleted = await notices().delete().eq("section", "notice");
  expect(deleted.error?.message).toBe("A section that needs approval is not deleted");
  const renamed = await notices().update({ section: "site" }).eq("section", "notice");
  expect(renamed.error?.message).toBe("The section of a section never changes");
  expect(await publish(owner, { blog: { ...approval, settingsNeedApproval: false } })).toBe(
    refusal,
  );
  expect(await shownNotice()).toBe("Closed on Monday");

  const { data: submission } = await submit(owner, "notice", notice);
  expect(submission).toEqual(expect.any(Number));
  expect((await owner.rpc("decide", decision(submission))).data).toContain("Another person must");
  expect((await editor.rpc("decide", decision(submission))).error?.code).toBe("42501");
  const returned = decision(submission, { is_approved: false, comment: "Nobody guarantees that." });
  expect((await other.rpc("decide", returned)).data).toBeNull();
  expect((await publishStored(owner, "notice")).error?.message).toBe(refusal);

  const changed = { text: "Closed on Tuesday" };
  const { data: second } = await submit(owner, "notice", changed);
  expect((await other.rpc("decide", decision(second))).data).toBeNull();
  // What was changed since is not approved.
  await saveSettings(owner, { notice });
  expect((await publishStored(owner, "notice")).error?.message).toBe(refusal);
  await saveSettings(owner, { notice: changed });
  expect((await publishStored(owner, "notice")).error).toBeNull();
  expect(await shownNotice()).toBe("Closed on Tuesday");
  // That texts were read changes none of them.
  expect(await publish(owner, starting(false))).toBeNull();
  expect(await publish(owner, starting(true, "Guaranteed"))).toBe(refusal);
});

test("a section that breaks a rule cannot be submitted, and no editor submits one", async () => {
  const { error } = await submit(owner, "firm", { name: "" });
  expect(error).toMatchObject({ code: "PT422", hint: "firm.name" });
  const { client: editor } = await signInAs("editor", "Eve");
  const args = { kind: "section", thing: "firm", document: "{}", draft: null };
  expect((await editor.rpc("submit", args)).error?.code).toBe("42501");
});
