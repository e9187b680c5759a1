// The settings of the site: what the database accepts, publishes and keeps.
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { z } from "zod";
import { defaultSettings } from "../../app/config/site.ts";
import { sectionNames, sectionSchemas } from "../../app/config/site-schema.ts";
import {
  publishDrafts,
  readSettings,
  storeDraft,
} from "../../app/manage/settings/settings-store.ts";
import { connect } from "../../backend/database.ts";
import { openClient, type Project, startProject } from "../start-project.ts";

type Client = ReturnType<typeof openClient>;

let project: Project;

beforeAll(async () => {
  project = await startProject();
});

afterAll(async () => {
  await project?.stop();
});

async function signInOwner() {
  const client = openClient(project);
  const { error } = await client.auth.signInWithPassword(project.owner);
  if (error) throw error;
  return client;
}

/** Saves a draft and publishes it. @returns the message of the database's error, or null */
async function publish(section: string, document: unknown): Promise<string | null> {
  const owner = await signInOwner();
  const saved = await owner
    .from("site_settings_drafts")
    // The column takes any JSON; the test sends invalid documents on purpose.
    .upsert({ section, document: document as never });
  if (saved.error) return saved.error.message;
  const published = await owner.rpc("publish_settings", { sections: [section] });
  return published.error?.message ?? null;
}

test("the database has the schemas of the site (npm run types)", async () => {
  if (!project.backend) return;
  const sql = connect(project.backend.databaseUrl, 1);
  const rows = await sql`select section, schema from private.settings_schemas`;
  await sql.end();
  const stored = Object.fromEntries(rows.map(({ section, schema }) => [section, schema]));
  const expected = sectionNames.map((name) => {
    const { $schema: _, ...schema } = z.toJSONSchema(sectionSchemas[name], { io: "input" });
    return [name, schema];
  });
  expect(stored).toEqual(Object.fromEntries(expected));
});

test.each(sectionNames)("the default of the section %s can be published", async (section) => {
  expect(await publish(section, defaultSettings[section])).toBeNull();
});

test.each([
  ["firm", {}, "firm.name is missing"],
  ["firm", { name: "" }, "firm.name has characters or a form that is not allowed"],
  ["firm", { name: " A" }, "firm.name has characters or a form that is not allowed"],
  ["firm", { name: "\ufeffA" }, "firm.name has characters or a form that is not allowed"],
  ["firm", { name: "A\u00a0" }, "firm.name has characters or a form that is not allowed"],
  ["firm", { name: "🏡".repeat(31) }, "firm.name must have at most 60 characters"],
  ["licenses", { npn: "١٢" }, "licenses.npn has characters or a form that is not allowed"],
  ["firm", { name: "A\nB" }, "firm.name has characters or a form that is not allowed"],
  ["firm", { name: "A".repeat(61) }, "firm.name must have at most 60 characters"],
  ["firm", { name: 3 }, "firm.name must be of type string"],
  ["firm", { name: "A", motto: "B" }, "firm.motto is not a setting"],
  ["firm", { name: "A", mainColor: "red" }, "firm.mainColor has characters or a form"],
  [
    "firm",
    { name: "A", logo: { src: "javascript:alert(1)", width: 1, height: 1 } },
    "firm.logo.src",
  ],
  [
    "firm",
    { name: "A", logo: { src: "https://elsewhere.example/a.png", width: 1, height: 1 } },
    "firm.logo.src",
  ],
  ["firm", { name: "A", logo: { src: "/images/a.png", width: 0, height: 1 } }, "whole number"],
  ["firm", { name: "A", logo: { src: "/images/a.png", width: 1.5, height: 1 } }, "whole number"],
  ["firm", [], "site_settings_drafts_document"],
  ["contact", { schedulingUrl: "javascript:alert(1)" }, "contact.schedulingUrl"],
  ["contact", { socials: [{ name: "A", url: "/a" }] }, "contact.socials[0].url"],
  ["contact", { showStreet: "yes" }, "contact.showStreet must be of type boolean"],
  ["mail", { recipients: ["a@b.example\nBcc: c@d.example"] }, "mail.recipients[0]"],
  ["home", { hidden: ["header"] }, "home.hidden[0] is none of the choices"],
  ["services", { items: [{ slug: "../login", title: "A" }] }, "services.items[0].slug"],
  [
    "adviser",
    { name: "A", paragraphs: Array(9).fill("B") },
    "adviser.paragraphs must have at most 8",
  ],
])(
  "an invalid document of the section %s is not published: %j",
  async (section, document, problem) => {
    expect(await publish(section, document)).toContain(problem);
  },
);

test("sections are published together or not at all", async () => {
  const owner = await signInOwner();
  await owner.from("site_settings_drafts").upsert([
    { section: "blog", document: { heading: "Together" } },
    { section: "site", document: { visible: "no" } },
  ]);
  const { error } = await owner.rpc("publish_settings", { sections: ["blog", "site"] });
  expect(error?.message).toContain("site.visible");
  const { data } = await owner.from("site_settings").select("document").eq("section", "blog");
  expect(JSON.stringify(data)).not.toContain("Together");
});

test("every published document stays in the history, and its draft is gone", async () => {
  for (const heading of ["First", "Second"]) await publish("blog", { heading });
  const owner = await signInOwner();
  const versions = await owner
    .from("site_settings_versions")
    .select("document")
    .eq("section", "blog")
    .order("id", { ascending: false })
    .limit(2);
  expect(versions.data).toEqual([
    { document: { heading: "Second" } },
    { document: { heading: "First" } },
  ]);
  expect(
    (await owner.from("site_settings_drafts").select("section").eq("section", "blog")).data,
  ).toEqual([]);
});

test("a draft that another window changed is not overwritten, and is returned", async () => {
  const owner = await signInOwner();
  await owner.from("site_settings_drafts").delete().eq("section", "licenses").throwOnError();
  const save = (npn: string, replaced: string | null) =>
    storeDraft(owner, "licenses", { npn }, replaced);
  const first = await save("1", null);
  const second = await save("2", "savedAt" in first ? first.savedAt : null);
  const { drafts } = await readSettings(owner);
  expect(drafts.licenses).toMatchObject({ document: { npn: "2" }, ...second });
  for (const replaced of ["savedAt" in first ? first.savedAt : null, null]) {
    expect(await save("3", replaced)).toEqual({ conflict: drafts.licenses });
  }
});

test("an unfinished draft can be saved and not published", async () => {
  const owner = await signInOwner();
  await owner.from("site_settings_drafts").delete().eq("section", "firm").throwOnError();
  await storeDraft(owner, "firm", { name: "" }, null);
  expect(await publishDrafts(owner, ["firm"])).toMatchObject({ section: "firm", path: "name" });
  expect((await readSettings(owner)).drafts.firm?.document).toEqual({ name: "" });
});

const address = { street: "9 Hidden Court", postalCode: "14850", city: "Ithaca" };
const service = (slug: string, fields: object = {}) => ({ slug, title: slug, ...fields });

test.each([
  ["contact", { ...address, showStreet: false }, { city: "Ithaca", showStreet: false }],
  ["contact", { ...address, showStreet: true }, { ...address, showStreet: true }],
  ["disclosures", { footer: ["Shown"], mails: "Private" }, { footer: ["Shown"] }],
  ["blog", { heading: "Notes", authors: ["Nobody"] }, { heading: "Notes" }],
  [
    "services",
    {
      items: [
        service("a"),
        service("secret", { hidden: true, tagline: "Not yet" }),
        service("b", { hidden: false }),
      ],
      redirects: [
        { from: "old", to: "secret" },
        { from: "older", to: "a" },
      ],
    },
    {
      items: [service("a"), service("b", { hidden: false })],
      redirects: [{ from: "old" }, { from: "older", to: "a" }],
    },
  ],
  ["services", {}, { items: [], redirects: [] }],
  [
    "home",
    { headline: "Shown", hidden: ["approach"], approachHeading: "Private", contactLead: "Shown" },
    { headline: "Shown", hidden: ["approach"], contactLead: "Shown" },
  ],
])(
  "of the section %s published as %j, visitors read %j and owners all",
  async (section, document, shown) => {
    expect(await publish(section, document)).toBeNull();
    const read = async (client: Client, table: "site_settings" | "public_site_settings") =>
      (await client.from(table).select("document").eq("section", section)).data;
    expect(await read(openClient(project), "public_site_settings")).toEqual([{ document: shown }]);
    expect(await read(await signInOwner(), "site_settings")).toEqual([{ document }]);
  },
);

test("visitors read the adviser's text only while the home page shows it", async () => {
  const document = { name: "Ada", lead: "I became independent.", title: "Adviser" };
  await publish("adviser", document);
  for (const hidden of [["about"], []]) {
    await publish("home", { hidden });
    const { data } = await openClient(project)
      .from("public_site_settings")
      .select("document")
      .eq("section", "adviser");
    const { lead: _, ...withoutText } = document;
    expect(data).toEqual([{ document: hidden.length > 0 ? withoutText : document }]);
  }
});

test("visitors receive nothing but the public part by Realtime", async () => {
  const received: unknown[] = [];
  const visitor = openClient(project);
  for (const table of ["site_settings", "public_site_settings"]) {
    const channel = visitor
      .channel(table)
      .on("postgres_changes", { event: "*", schema: "public", table }, (change) =>
        received.push(change.new),
      );
    // A page can subscribe to only one of the two tables.
    await new Promise<unknown>((resolve) => channel.subscribe(resolve));
  }
  await publish("mail", { recipients: ["private@example.com"] });
  await publish("disclosures", { footer: ["By Realtime"], mails: "Private text" });
  await vi.waitFor(() => expect(JSON.stringify(received)).toContain("disclosures"), 5_000);
  expect(JSON.stringify(received)).not.toMatch(/private/i);
  expect(received).toHaveLength(1);
  await visitor.removeAllChannels();
});

test("visitors read every published section but the recipients of messages", async () => {
  await publish("mail", { recipients: ["private@example.com"] });
  await publish("site", {});
  const { data } = await openClient(project).from("public_site_settings").select("section");
  const sections = data?.map(({ section }) => section);
  expect(sections).toContain("site");
  expect(sections).not.toContain("mail");
});
