// The settings of the site: what the database accepts, publishes and keeps.
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { defaultSettings } from "../../app/config/site.ts";
import { sectionNames, sectionSchemas } from "../../app/config/site-schema.ts";
import { connect } from "../../backend/database.ts";
import { openClient, type Project, startProject } from "../start-project.ts";

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

test("the database has the schemas of the site", async () => {
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

test("a hidden street is in the version that the owner reads, and not in the published document", async () => {
  const address = { street: "9 Hidden Court", postalCode: "14850", city: "Ithaca" };
  await publish("contact", { ...address, showStreet: false });
  const read = (
    client: Awaited<ReturnType<typeof signInOwner>>,
    table: "site_settings" | "site_settings_versions",
  ) => client.from(table).select("document").eq("section", "contact");
  expect((await read(openClient(project), "site_settings")).data).toEqual([
    { document: { city: "Ithaca", showStreet: false } },
  ]);
  const versions = await read(await signInOwner(), "site_settings_versions");
  expect(versions.data?.at(-1)).toEqual({ document: { ...address, showStreet: false } });
});

test("visitors read every published section but the recipients of messages", async () => {
  await publish("mail", { recipients: ["private@example.com"] });
  await publish("site", {});
  const { data } = await openClient(project).from("site_settings").select("section, document");
  const sections = data?.map(({ section }) => section);
  expect(sections).toContain("site");
  expect(sections).not.toContain("mail");
});
