// The settings as the setup uses them: whole documents by section, and a save that fails on a conflict.
import { z } from "zod";
import { type SectionName, sectionNames, sectionSchemas } from "../../config/site-schema.ts";
import type { Client } from "../../supabase/client-context.ts";
import type { Json } from "../../supabase/database.ts";
import { publishDrafts, readStored, storeDraft } from "../settings/settings-store.ts";

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

const documentSchema = z.record(z.string(), z.json());

/** @throws the backend's error */
export async function readSettings(client: Client): Promise<SetupSettings> {
  const { published, drafts } = await readStored(client);
  const settings = {
    published: new Map<SectionName, Document>(),
    drafts: new Map<SectionName, Draft>(),
  };
  for (const section of sectionNames) {
    const [live, draft] = [published[section], drafts[section]];
    if (live) settings.published.set(section, documentSchema.parse(live.document));
    if (draft) {
      const document = documentSchema.parse(draft.document);
      settings.drafts.set(section, { document, updatedAt: draft.savedAt });
    }
  }
  return settings;
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
  const saved = await storeDraft(client, section, document, seen?.updatedAt ?? null);
  if ("conflict" in saved) {
    throw new Error(
      "These settings were changed in another window in the meantime. Reload the page to see the change.",
    );
  }
  return { document, updatedAt: saved.savedAt };
}

/** Publishes the saved draft of a section. @throws the backend's error, also for an invalid draft */
export function publishDraft(client: Client, section: SectionName): Promise<void> {
  return publishDrafts(client, [section]);
}

/** What a section holds before anything was entered. */
export function emptyDocument(section: SectionName): Document {
  // `firm` and `adviser` need a name, which is still empty.
  const parsed = sectionSchemas[section].safeParse(
    section === "firm" || section === "adviser" ? { name: "-" } : {},
  );
  const empty = documentSchema.parse(parsed.data ?? {});
  return "name" in empty ? { ...empty, name: "" } : empty;
}
