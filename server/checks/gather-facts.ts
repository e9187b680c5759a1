// Collects everything that the checks look at, for the running site and for `npm run check-live`.
import { createClient } from "@supabase/supabase-js";
import { isLoopbackUrl } from "../../app/config/checks/checks.ts";
import type {
  ArchiveFact,
  MachineFacts,
  MailFacts,
  OwnerFacts,
  SiteFacts,
} from "../../app/config/checks/facts.ts";
import type { ServerSettings } from "../../app/config/server-settings.ts";
import { completeSettings } from "../../app/config/site.ts";
import { chooseAddresses } from "../../supabase/functions/_shared/mail-addresses.ts";
import { withoutSession } from "../../supabase/functions/_shared/without-session.ts";
import { addressIn } from "../address/site-address.ts";
import { parseSections } from "../site-settings.ts";
import { checkMailService, type EnteredMail } from "./check-mail-service.ts";
import { askSite, siteId } from "./site-identity.ts";
import { contentFacts, readStoredContent, storedContentSchema } from "./stored-content.ts";

/** The facts from the embedded backend. */
interface BackendFacts {
  /** Rows that visitors see. */
  content: unknown;
  owner: OwnerFacts;
  machine: MachineFacts;
  /** The section of the settings that visitors do not see. */
  mailSettings: unknown;
  /** The mail service that an owner entered; null without one. Its service is null when its secret cannot be read. */
  enteredMail: EnteredMail | null;
  isMailHeld: boolean;
  isArchiveChanged: boolean;
}

/** What the request of an owner for the checks tells of the site. */
export interface OwnersRequest {
  /** The origin of the page that made it; null when the browser does not say. */
  origin: string | null;
  /** How many proxies added an address to it; null when it did not come through the site's address. */
  proxies: number | null;
}

interface FactSources {
  settings: ServerSettings;
  anonKey: string;
  /** Null with a hosted project, which is read with the public key. */
  readBackend: (() => Promise<BackendFacts>) | null;
  /** Whether the site fails to capture its pages; unknown where it does not run. */
  isCaptureFailing?: boolean;
  /** Whether the checks may contact other machines. */
  online: boolean;
  request?: OwnersRequest;
  /** Other machines are not asked again: their answers are these. */
  former?: SiteFacts | null;
}

/** @throws when the database cannot be read */
export async function gatherFacts(sources: FactSources): Promise<SiteFacts> {
  const { settings, anonKey, readBackend, online, request, former } = sources;
  const { trustedProxies, project } = settings;
  const backend = readBackend && (await readBackend());
  const stored = backend
    ? storedContentSchema.parse(backend.content)
    : await readStoredContent(
        createClient(project?.url ?? settings.siteUrl, anonKey, { auth: withoutSession }),
      );
  // An invalid document, as from another version of the site, counts as unpublished.
  const { sections, unreadable } = parseSections(stored.settings);
  const { url: siteUrl, source, isPublic } = addressIn(settings, stored.settings);
  const siteSettings = completeSettings(sections, settings.sampleContent, isPublic);
  const isPublicSite = source !== null && !isLoopbackUrl(siteUrl);
  const [answer, mail] = former
    ? [former.address.answer, former.mail]
    : await Promise.all([
        online && isPublicSite ? askSite(siteUrl, siteId(anonKey)) : null,
        backend ? checkMail(backend) : null,
      ]);
  return {
    now: new Date(),
    settings: siteSettings,
    content: {
      ...contentFacts(stored, siteSettings),
      unreadableSections: [...unreadable.keys()],
    },
    address: {
      ...{ siteUrl, source, answer, trustedProxies },
      mayConfirm: project === null || settings.siteKey !== undefined,
      reachedAt: request?.origin ?? null,
      proxies: isPublicSite ? (request?.proxies ?? null) : null,
    },
    mail,
    owner: backend?.owner ?? null,
    machine: backend?.machine ?? null,
    archive: backend?.isArchiveChanged ? "changed" : archiveFact(sources),
  };

  function checkMail(backend: BackendFacts): Promise<MailFacts> {
    const { isMailHeld: isHeld, mailSettings, enteredMail } = backend;
    const documents = { mail: mailSettings, contact: siteSettings.contact };
    const { from } = chooseAddresses(documents, settings.mail);
    const site = isPublicSite ? siteUrl : null;
    return checkMailService(settings.mail, enteredMail, { isHeld, from, site }, online);
  }
}

function archiveFact({ settings, isCaptureFailing }: FactSources): ArchiveFact {
  const { archiveInterval, project, siteKey } = settings;
  if (archiveInterval === null) return "off";
  if (project && !siteKey) return "no key";
  return isCaptureFailing ? "failing" : "on";
}
