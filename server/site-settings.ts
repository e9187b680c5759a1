// The published settings of the site: read from the backend, refreshed after each change, and stored in a file, so
// that the site shows the last known ones while the backend fails, also after a restart. A section that this version of
// the site cannot read keeps its last readable document.
import { readFileSync } from "node:fs";
import type { SupabaseClient } from "@supabase/supabase-js";
import { createSharedWork } from "embedded-supabase/rate-limits/shared-work.ts";
import { z } from "zod";
import { toPublicSite } from "../app/config/public-site.ts";
import type { CurrentSite } from "../app/config/request-context.ts";
import type { ServerSettings } from "../app/config/server-settings.ts";
import { completeSettings } from "../app/config/site.ts";
import { ownPagesSchema, type StoredContent } from "../app/config/site-pages.ts";
import { type SiteSettings, sectionNames, sectionSchemas } from "../app/config/site-schema.ts";
import { isMissing } from "../supabase/functions/_shared/api-errors.ts";
import { dayIn } from "../supabase/functions/_shared/licenses.ts";
import { addressIn, chooseAddress, type SiteAddress } from "./address/site-address.ts";
import { replaceFile } from "./pages/replace-file.ts";

const publishedSchema = z.array(
  z.object({ section: z.string(), document: z.unknown(), version: z.number() }),
);
type Published = z.infer<typeof publishedSchema>;

/** How long settings are cached while changes are not reported. */
const maxAgeWithoutReportsMs = 5_000;
const maxAgeMs = 300_000;
/** How often the day is compared with that of the known site. */
const dayIntervalMs = 1_000;

export type SiteSettingsStore = ReturnType<typeof createSiteSettingsStore>;

/** The site on a day of its time zone. */
interface SiteOfDay extends CurrentSite {
  /** As `2026-11-22`. */
  day: string;
  /** Whether pages say something else on the next day, because of a notice or a license. */
  isLastDay: boolean;
  address: SiteAddress;
}

export function createSiteSettingsStore(options: {
  /** Reads the rows of `public_site_settings`. */
  read(): Promise<Published>;
  cacheFile: string;
  /** Of the environment. */
  settings: EnvironmentSettings;
}) {
  const { read, cacheFile, settings } = options;
  /** What was read last, readable. */
  let lastPublished = readCacheFile();
  let known = lastPublished && toCurrentSite(lastPublished, settings);
  let readAt = Number.NEGATIVE_INFINITY;
  let isRealtimeConnected = false;
  const reading = createSharedWork<void>("for the site");
  /** Whether the settings changed since the current read began. */
  let isOutdated = false;
  let hasFailed = false;
  let comparedAt = 0;

  return {
    /**
     * The published settings. Waits while they are being read after a change.
     * @throws when they have never been read, so that no other firm's name is shown
     */
    async current(): Promise<SiteOfDay> {
      const maxAge = isRealtimeConnected ? maxAgeMs : maxAgeWithoutReportsMs;
      if (reading.isRunning("settings") || performance.now() - readAt > maxAge) await refreshOnce();
      const site = latest();
      if (!site) throw new Error("The settings of the site could not be read yet");
      return site;
    },
    /** The settings that were read last; null before the first read. */
    known: latest,
    /** The public address, as far as it is known. */
    address: (): SiteAddress => latest()?.address ?? chooseAddress(settings, null),
    /** Called when the settings changed. */
    refresh(): Promise<void> {
      isOutdated = true;
      return refreshOnce();
    },
    /** Whether changes are reported from now on. Without reports, the settings are read again after seconds. */
    setRealtimeConnected(connected: boolean): void {
      isRealtimeConnected = connected;
      // Changes were missed while the connection was down.
      if (connected) void this.refresh();
    },
  };

  /** A notice starts and ends with a day, and a license ends with one, without a change of the settings. */
  function latest(): SiteOfDay | null {
    const now = Date.now();
    if (lastPublished && known && Math.abs(now - comparedAt) >= dayIntervalMs) {
      comparedAt = now;
      if (dayIn(known.settings.contact.timeZone, now) !== known.day) {
        known = toCurrentSite(lastPublished, settings);
      }
    }
    return known;
  }

  /** Runs one read at a time; a change during a read causes another one. */
  function refreshOnce(): Promise<void> {
    return reading.share("settings", readAll);
  }

  async function readAll(): Promise<void> {
    do {
      isOutdated = false;
      try {
        const published = replaceUnreadable(await read(), lastPublished ?? []);
        known = toCurrentSite(published, settings);
        lastPublished = published;
        hasFailed = false;
        await storeInFile(published);
      } catch (error) {
        if (!hasFailed) console.error(`The settings of the site cannot be read: ${error}`);
        hasFailed = true;
      }
      // After a failure, too: requests must not each wait for another failure.
      readAt = performance.now();
    } while (isOutdated);
  }

  function readCacheFile(): Published | null {
    try {
      const published = publishedSchema.parse(JSON.parse(readFileSync(cacheFile, "utf8")));
      return replaceUnreadable(published, []);
    } catch {
      return null;
    }
  }

  async function storeInFile(published: Published): Promise<void> {
    try {
      await replaceFile(cacheFile, JSON.stringify(published));
    } catch (error) {
      console.error(`The settings of the site cannot be stored in ${cacheFile}: ${error}`);
    }
  }
}

/** @param client a visitor's client */
export function readPublishedSettings(client: SupabaseClient): () => Promise<Published> {
  return async () => {
    const { data, error } = await client
      .from("public_site_settings")
      .select("section, document, version")
      .order("section");
    // The project has not run the migration that creates the table.
    if (isMissing(error?.code)) return [];
    if (error) throw new Error(error.message);
    return publishedSchema.parse(data);
  };
}

/**
 * Replaces sections that cannot be read with their earlier document, or with the defaults of a firm that only has a name.
 * @throws when the firm's name is unknown, so that no other firm's name is shown
 */
function replaceUnreadable(published: Published, earlier: Published): Published {
  const { unreadable } = parseSections(published);
  return published.flatMap((row) => {
    const problem = unreadable.get(row.section);
    if (problem === undefined) return [row];
    console.error(`The settings ${row.section} do not fit this version: ${problem}`);
    const last = earlier.find(({ section }) => section === row.section);
    if (last) return [{ ...last, version: row.version }];
    return row.section === "firm" ? [{ ...row, document: nameOnly(row.document) }] : [];
  });
}

function nameOnly(firm: unknown): unknown {
  return sectionSchemas.firm.parse(z.object({ name: z.string().trim() }).parse(firm));
}

const noPages: z.infer<typeof ownPagesSchema> = { items: [], former: {} };

type EnvironmentSettings = Pick<ServerSettings, "sampleContent" | "siteUrl" | "isSiteUrlSet">;

function toCurrentSite(published: Published, environment: EnvironmentSettings): SiteOfDay {
  const address = addressIn(environment, published);
  const settings = completeSettings(
    parseSections(published).sections,
    environment.sampleContent,
    address.isPublic,
  );
  const row = published.find(({ section }) => section === "ownPages");
  const { items, former } = ownPagesSchema.safeParse(row?.document).data ?? noPages;
  const ownPages = items.map(({ slug, title, place }) => ({
    ...{ path: `/${slug}`, label: title, place },
  }));
  const siteOn = (day: string) => toPublicSite(settings, storedContent(published), ownPages, day);
  const day = dayIn(settings.contact.timeZone, Date.now());
  const days = Date.parse(day) / 86_400_000;
  const nextDay = new Date((days + 1) * 86_400_000).toISOString().slice(0, 10);
  const site = siteOn(day);
  const version = published.reduce((latest, { version }) => Math.max(latest, version), 0);
  return {
    ...{ settings, site, formerPages: former, day, address },
    // Open windows compare the version, and load the site again on another day.
    version: version + days / 100_000,
    isLastDay: JSON.stringify(site) !== JSON.stringify(siteOn(nextDay)),
  };
}

/** Without a row, as after the restore of an older backup, nothing is known to be empty. */
function storedContent(published: Published): StoredContent | undefined {
  const row = published.find(({ section }) => section === "content");
  return z.object({ posts: z.boolean(), testimonials: z.boolean() }).safeParse(row?.document).data;
}

/** The published sections, and the reasons why this version of the site cannot read the others. */
export function parseSections(
  published: readonly Pick<Published[number], "section" | "document">[],
): { sections: Partial<SiteSettings>; unreadable: Map<string, string> } {
  const sections: Record<string, unknown> = {};
  const unreadable = new Map<string, string>();
  for (const name of sectionNames) {
    const row = published.find(({ section }) => section === name);
    if (!row) continue;
    const result = sectionSchemas[name].safeParse(row.document);
    if (result.success) sections[name] = result.data;
    else unreadable.set(name, z.prettifyError(result.error));
  }
  // Each section was parsed with its own schema.
  return { sections: sections as Partial<SiteSettings>, unreadable };
}
