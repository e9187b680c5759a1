// The settings of the site: what the database accepts, publishes and keeps.

import { expect, test } from "vitest";
import { z } from "zod";
import { defaultSettings } from "../../app/config/site.ts";
import { sectionNames, sectionSchemas } from "../../app/config/site-schema.ts";
import { ChangedElsewhereError } from "../../app/manage/describe-failure.ts";
import {
  publishDrafts,
  readStoredSettings,
  sectionThing,
} from "../../app/manage/settings/settings-store.ts";
import { saveDraft } from "../../app/manage/versions/content-store.ts";
import { messageOf } from "../../supabase/functions/_shared/message-of.ts";
import { interleave } from "../interleave.ts";
import { publicationOf, publishSettings, saveSettings } from "../other-firm.ts";
import { type openClient, setUpProject } from "../start-project.ts";

type Client = ReturnType<typeof openClient>;

const { sql, visitor, owner } = await setUpProject();

/** Saves a draft and publishes it. @returns the message of the database's error, or null */
async function publish(section: string, document: unknown): Promise<string | null> {
  const publishing = publishSettings(owner, { [section]: document });
  return publishing.then(() => null, messageOf);
}

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
  ["firm", { name: "A\u2028B" }, "firm.name has characters or a form that is not allowed"],
  ["firm", { name: "A", tagline: "A\u0085B" }, "firm.tagline has characters or a form"],
  ["firm", { name: "A".repeat(61) }, "firm.name must have at most 60 characters"],
  ["firm", { name: 3 }, "firm.name must be of type string"],
  ["firm", { name: "A", motto: "B" }, "firm.motto is not a setting"],
  ["look", { mainColor: "red" }, "look.mainColor has characters or a form"],
  [
    "look",
    { logo: { src: "javascript:alert(1)", width: 1, height: 1 } },
    "The address of an image is not accepted.",
  ],
  [
    "look",
    { logo: { src: "https://elsewhere.example/a.png", width: 1, height: 1 } },
    "look.logo.src",
  ],
  ["look", { logo: { src: "/images/a.png", width: 0, height: 1 } }, "whole number"],
  ["look", { logo: { src: "/images/a.png", width: 1.5, height: 1 } }, "whole number"],
  ["firm", [], "drafts_document"],
  ["contact", { schedulingUrl: "javascript:alert(1)" }, "contact.schedulingUrl"],
  ["contact", { socials: [{ name: "A", url: "/a" }] }, "contact.socials[0].url"],
  ["contact", { showStreet: "yes" }, "contact.showStreet must be of type boolean"],
  ["mail", { recipients: ["a@b.example\nBcc: c@d.example"] }, "mail.recipients[0]"],
  ["home", { hidden: ["header"] }, "home.hidden[0] is none of the choices"],
  ["calculators", { annualIncome: { min: 10, max: 9 } }, "calculators.annualIncome.max must not"],
  ["calculators", { currentAge: { max: 17 } }, "calculators.currentAge.max must not come before"],
  ["notice", { firstDay: "2026-11-22", lastDay: "2026-11-21" }, "notice.lastDay must not come"],
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

test("an error about a setting names its path in the hint, for programs", async () => {
  const saved = publishSettings(owner, { firm: { name: "A".repeat(61) } });
  await expect(saved).rejects.toMatchObject({ code: "PT422", hint: "firm.name" });
});

test("the ends of a range may be equal, and a notice may have no end", async () => {
  expect(await publish("calculators", { annualIncome: { min: 9, max: 9 } })).toBeNull();
  expect(await publish("notice", { firstDay: "2026-11-22", lastDay: "" })).toBeNull();
});

test("sections are published together or not at all", async () => {
  const documents = { blog: { heading: "Together" }, site: { visible: "no" } };
  await expect(publishSettings(owner, documents)).rejects.toThrow("site.visible");
  const { data } = await owner.from("site_settings").select("document").eq("section", "blog");
  expect(JSON.stringify(data)).not.toContain("Together");
});

test("every published document stays in the history, and its draft is gone", async () => {
  for (const heading of ["First", "Second"]) await publish("blog", { heading });
  const versions = await owner
    .from("versions")
    .select("document")
    .eq("thing", "blog")
    .order("number", { ascending: false })
    .limit(2);
  expect(versions.data).toEqual([
    { document: { heading: "Second" } },
    { document: { heading: "First" } },
  ]);
  expect((await owner.from("drafts").select("thing").eq("thing", "blog")).data).toEqual([]);
});

test("a draft that another window changed is not overwritten, and is returned", async () => {
  const discarded = { kind: "section", thing: "licenses", replaced: null } as const;
  await owner.rpc("discard_draft", discarded).throwOnError();
  const version = (await readStoredSettings(owner)).published.licenses?.version ?? null;
  const save = (npn: string, savedAt: string | null) =>
    saveDraft(owner, sectionThing("licenses"), { npn }, { savedAt, version });
  const first = await save("1", null);
  const second = await save("2", first);
  for (const replaced of [first, null]) expect(await save("3", replaced)).toBeNull();
  const { licenses } = (await readStoredSettings(owner)).drafts;
  expect(licenses).toEqual({ document: { npn: "2" }, savedAt: second });
});

test("a window that was opened before a publication cannot put back what it replaced", async () => {
  await publish("blog", { heading: "Old", lead: "Old" });
  const opened = (await readStoredSettings(owner)).published.blog?.version ?? null;
  await publish("blog", { heading: "Changed on the phone", lead: "Old" });

  const stale = { kind: "section", thing: "blog", replaced: null } as const;
  const document = { heading: "Old", lead: "Changed here" };
  for (const base of [opened, null]) {
    const draft = { ...stale, document: JSON.stringify(document), base };
    const { error } = await owner.rpc("save_draft", draft);
    expect(error).toMatchObject({
      code: "23P01",
      message: "Another window published this section",
    });
  }
  const published = { document: { heading: "Changed on the phone", lead: "Old" } };
  const replaced = { savedAt: null, version: opened };
  expect(await saveDraft(owner, sectionThing("blog"), document, replaced)).toBeNull();
  const stored = await readStoredSettings(owner);
  expect(stored).toMatchObject({ published: { blog: published }, drafts: {} });

  // A current draft does not become one of another version.
  const { blog: seen = "" } = await saveSettings(owner, { blog: { heading: "Next" } });
  const next = { ...stale, document: JSON.stringify(document), base: opened, replaced: seen };
  expect((await owner.rpc("save_draft", next)).error?.code).toBe("23P01");
});

test("a publication names the drafts that its window has shown", async () => {
  const seen = await saveSettings(owner, { blog: { heading: "Seen" }, site: {} });
  await saveSettings(owner, { blog: { heading: "Changed on the phone" } });
  const { published, drafts } = await readStoredSettings(owner);
  const { blog = "", site = "" } = seen;
  for (const outdated of [seen, { firm: blog }, { blog: site }]) {
    const { error } = await owner.rpc("publish", publicationOf(outdated));
    expect(error).toMatchObject({ code: "23P01", message: "Another window changed the draft" });
  }
  await expect(publishDrafts(owner, seen)).rejects.toThrow(ChangedElsewhereError);
  expect(await readStoredSettings(owner)).toMatchObject({ published, drafts });
  for (const thing of ["blog", "site"]) {
    await owner.rpc("discard_draft", { kind: "section", thing, replaced: null }).throwOnError();
  }
});

test.each([true, false])(
  "a draft that is saved during a publication is of the new version or refused (first one: %s)",
  async (isFirst) => {
    await sql`delete from public.site_settings where section = 'contact'`;
    if (!isFirst) await publish("contact", { city: "Ithaca" });
    const version = (await readStoredSettings(owner)).published.contact?.version ?? null;
    const saving = interleave(
      sql,
      (publication) => publication`select private.publish_document('contact', '{"city": "Troy"}')`,
      () => saveDraft(owner, sectionThing("contact"), { city: "Rome" }, { savedAt: null, version }),
    );
    expect(await saving).toBeNull();
    const { contact } = (await readStoredSettings(owner)).published;
    expect(contact?.document).toEqual({ city: "Troy" });
  },
);

test("an unfinished draft can be saved and not published", async () => {
  const seen = await saveSettings(owner, { firm: { name: "" } });
  expect(await publishDrafts(owner, seen)).toMatchObject({ section: "firm", path: "name" });
  expect((await readStoredSettings(owner)).drafts.firm?.document).toEqual({ name: "" });
});

const address = { street: "9 Hidden Court", postalCode: "14850", city: "Ithaca" };
const service = (slug: string, fields: object = {}) => ({ slug, title: slug, ...fields });

test.each([
  ["contact", { ...address, showStreet: false }, { city: "Ithaca", showStreet: false }],
  ["contact", { ...address, showStreet: true }, { ...address, showStreet: true }],
  ["disclosures", { footer: ["Shown"], mails: "Private" }, { footer: ["Shown"] }],
  ["blog", { heading: "Notes", authors: ["Nobody"], needApproval: true }, { heading: "Notes" }],
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
  ["mail", { recipients: ["private@example.com"] }, null],
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
    expect(await read(visitor, "public_site_settings")).toEqual(shown ? [{ document: shown }] : []);
    expect(await read(owner, "site_settings")).toEqual([{ document }]);
  },
);

test("visitors read no section and no field that is private in the schema", async () => {
  for (const section of sectionNames) await publish(section, defaultSettings[section]);
  const { data } = await visitor.from("public_site_settings").select("section, document");
  const shown = new Map(
    data?.map(({ section, document }) => [section, Object.keys(document ?? {})]),
  );
  for (const section of sectionNames) {
    const isShown = !z.globalRegistry.get(sectionSchemas[section])?.private;
    expect([section, shown.has(section)]).toEqual([section, isShown]);
    for (const [name, schema] of Object.entries(sectionSchemas[section].shape)) {
      if (z.globalRegistry.get(schema)?.private) expect(shown.get(section)).not.toContain(name);
    }
  }
  expect(shown.get("blog")).toEqual(["lead", "heading"]);
});

test("visitors read the adviser's text only while the home page shows it", async () => {
  const document = { name: "Ada", lead: "I became independent.", title: "Adviser" };
  await publish("adviser", document);
  for (const hidden of [["about"], []]) {
    await publish("home", { hidden });
    const { data } = await visitor
      .from("public_site_settings")
      .select("document")
      .eq("section", "adviser");
    const { lead: _, ...withoutText } = document;
    expect(data).toEqual([{ document: hidden.length > 0 ? withoutText : document }]);
  }
});

test("visitors read the texts of a page only while it is switched on", async () => {
  const texts = {
    blog: { heading: "Notes", lead: "Private" },
    testimonials: { lead: "Private", samples: false },
    disclosures: {
      posts: [],
      testimonials: "Private",
      retirementCalculator: "Shown",
      consent: "A",
    },
    home: { headline: "Shown", blogHeading: "Private", testimonialsHeading: "Private", hidden: [] },
  };
  for (const [section, document] of Object.entries(texts)) await publish(section, document);
  const shown = async () => {
    const { data } = await visitor.from("public_site_settings").select();
    return Object.fromEntries((data ?? []).map(({ section, document }) => [section, document]));
  };
  await publish("pages", {
    hidden: ["blog", "testimonials"],
    blog: { title: "Private" },
    contact: { title: "Shown" },
  });
  expect(await shown()).toMatchObject({
    blog: {},
    testimonials: { samples: false },
    disclosures: { retirementCalculator: "Shown", consent: "A" },
    home: { headline: "Shown", hidden: [] },
    pages: { hidden: ["blog", "testimonials"], contact: { title: "Shown" } },
  });
  expect(JSON.stringify(await shown())).not.toMatch(/Private|Notes/);
  await publish("pages", {});
  expect(await shown()).toMatchObject(texts);
});
