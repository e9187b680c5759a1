// Collects everything that the checks look at, for the running site and for `npm run check-live`.
import type {
  ForwardedFacts,
  MachineFacts,
  OwnerFacts,
  SiteFacts,
} from "../../app/config/checks/check.ts";
import { isLoopbackUrl } from "../../app/config/checks/operation-checks.ts";
import type { Settings } from "../../app/config/settings.ts";
import { defaultSettings } from "../../app/config/site.ts";
import { findBrokenLinks, linksOf } from "./broken-links.ts";
import { checkMailService } from "./mail-service.ts";
import { askSite, siteId } from "./site-identity.ts";
import { contentFacts, type StoredContent, settingsOf } from "./stored-content.ts";

/** What only the embedded backend knows. */
export interface BackendFacts {
  owner: OwnerFacts;
  machine: MachineFacts;
  isMailHeld: boolean;
}

export interface FactSources {
  settings: Settings;
  /** The public key. */
  anonKey: string;
  readContent(): Promise<StoredContent>;
  /** Null with a hosted project. */
  readBackendFacts: (() => Promise<BackendFacts>) | null;
  forwarded: ForwardedFacts | null;
  /** The folder that serves `/images/`. */
  clientDir: string;
  /** Whether other machines may be asked. */
  online: boolean;
}

/** @throws when the database cannot be read */
export async function gatherFacts(sources: FactSources): Promise<SiteFacts> {
  const { settings, anonKey, readBackendFacts, forwarded, clientDir, online } = sources;
  const [stored, backend] = await Promise.all([
    sources.readContent(),
    readBackendFacts ? readBackendFacts() : null,
  ]);
  const siteSettings = settingsOf(stored, settings.sampleContent);
  const { siteUrl, isSiteUrlSet, trustedProxies } = settings;
  const isPublicSite = isSiteUrlSet && !isLoopbackUrl(siteUrl);
  const [content, answer, mail, brokenLinks, measure] = await Promise.all([
    contentFacts(stored, siteSettings, clientDir),
    online && isPublicSite ? askSite(siteUrl, siteId(anonKey)) : null,
    backend ? checkMailService(settings.mail, backend.isMailHeld, online) : null,
    // The links of the fictional firm are invented; other checks report that firm.
    online && siteSettings.firm.name !== defaultSettings.firm.name
      ? findBrokenLinks(linksOf(siteSettings))
      : [],
    loadMeasure(),
  ]);
  return {
    now: new Date(),
    settings: siteSettings,
    content,
    address: { siteUrl, isSet: isSiteUrlSet, answer, trustedProxies, forwarded },
    mail,
    owner: backend?.owner ?? null,
    brokenLinks,
    machine: backend?.machine ?? null,
    measure,
  };
}

/** Loaded late: it reads a font. */
async function loadMeasure(): Promise<SiteFacts["measure"]> {
  const { loadTypeface } = await import("../../app/seo/typeface.ts");
  return loadTypeface(["@fontsource/newsreader/files/newsreader-latin-500-normal.woff"]).measure;
}
