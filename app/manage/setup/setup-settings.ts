// Reads, saves and publishes the sections of the settings that the setup asks for.
import { z } from "zod";
import { type SectionName, sectionNames, sectionSchemas } from "../../config/site-schema.ts";
import type { Client } from "../../supabase/client-context.ts";
import type { Json } from "../../supabase/database.ts";

/** A section's settings, which may be incomplete or invalid while they are a draft. */
export type Document = Readonly<Record<string, Json>>;

export interface Draft {
  document: Document;
  /** Identifies the version, so that nobody overwrites another one. */
  updatedAt: string;
}

export interface SetupSettings {
  published: ReadonlyMap<SectionName, Document>;
  drafts: ReadonlyMap<SectionName, Draft>;
}

const section = z.enum(sectionNames);
const document = z.record(z.string(), z.json());
const publishedRows = z.array(z.object({ section, document }));
const draftRows = z.array(z.object({ section, document, updated_at: z.string() }));

/** @throws the backend's error */
export async function readSettings(client: Client): Promise<SetupSettings> {
  const [published, drafts] = await Promise.all([
    client.from("site_settings").select("section, document").order("section").throwOnError(),
    client
      .from("site_settings_drafts")
      .select("section, document, updated_at")
      .order("section")
      .throwOnError(),
  ]);
  return {
    published: new Map(
      publishedRows.parse(published.data).map((row) => [row.section, row.document]),
    ),
    drafts: new Map(
      draftRows
        .parse(drafts.data)
        .map((row) => [row.section, { document: row.document, updatedAt: row.updated_at }]),
    ),
  };
}

/**
 * Saves a draft.
 * @param seen the draft that was changed; undefined when there was none
 * @throws the backend's error, or an Error when someone else changed the draft
 */
export async function saveDraft(
  client: Client,
  section: SectionName,
  document: Document,
  seen: Draft | undefined,
): Promise<Draft> {
  const table = client.from("site_settings_drafts");
  const { data, error } = await (seen
    ? table.update({ document }).eq("section", section).eq("updated_at", seen.updatedAt)
    : table.insert({ section, document })
  ).select("updated_at");
  if (error && error.code !== "23505") throw error;
  const [saved] = data ?? [];
  if (!saved) {
    throw new Error(
      "These settings were changed in another window in the meantime. Reload the page to see the change.",
    );
  }
  return { document, updatedAt: saved.updated_at };
}

/** Publishes the saved draft of a section. @throws the backend's error, also for an invalid draft */
export async function publishDraft(client: Client, section: SectionName): Promise<void> {
  const { error } = await client.rpc("publish_settings", { sections: [section] });
  if (error) throw error;
}

/** What a section holds before anything was entered. */
export function emptyDocument(section: SectionName): Document {
  // `firm` and `adviser` need a name, which is still empty.
  const parsed = sectionSchemas[section].safeParse(
    section === "firm" || section === "adviser" ? { name: "-" } : {},
  );
  const empty = document.parse(parsed.data ?? {});
  return "name" in empty ? { ...empty, name: "" } : empty;
}
