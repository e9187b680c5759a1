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
import { parseSections } from "../site-settings.ts";
import { checkMailService } from "./check-mail-service.ts";
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
  isMailHeld: boolean;
  isArchiveChanged: boolean;
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
  /** See `AddressFacts`. */
  proxies?: number | null;
  /** Other machines are not asked again: their answers are these. */
  former?: SiteFacts | null;
}

/** @throws when the database cannot be read */
export async function gatherFacts(sources: FactSources): Promise<SiteFacts> {
  const { settings, anonKey, readBackend, online, proxies = null, former } = sources;
  const { siteUrl, isSiteUrlSet, trustedProxies, project } = settings;
  const backend = readBackend && (await readBackend());
  const stored = backend
    ? storedContentSchema.parse(backend.content)
    : await readStoredContent(
        createClient(project?.url ?? siteUrl, anonKey, { auth: withoutSession }),
      );
  // An invalid document, as from another version of the site, counts as unpublished.
  const { sections, unreadable } = parseSections(stored.settings);
  const siteSettings = completeSettings(sections, settings.sampleContent, settings.isPublic);
  const isPublicSite = isSiteUrlSet && !isLoopbackUrl(siteUrl);
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
      ...{ siteUrl, isSet: isSiteUrlSet, answer, trustedProxies },
      proxies: isPublicSite ? proxies : null,
    },
    mail,
    owner: backend?.owner ?? null,
    machine: backend?.machine ?? null,
    archive: backend?.isArchiveChanged ? "changed" : archiveFact(sources),
  };

  function checkMail({ isMailHeld: isHeld, mailSettings }: BackendFacts): Promise<MailFacts> {
    const documents = { mail: mailSettings, contact: siteSettings.contact };
    const { from } = chooseAddresses(documents, settings.mail);
    const site = isPublicSite ? siteUrl : null;
    return checkMailService(settings.mail, { isHeld, from, site }, online);
  }
}

function archiveFact({ settings, isCaptureFailing }: FactSources): ArchiveFact {
  const { archiveInterval, project, siteKey } = settings;
  if (archiveInterval === null) return "off";
  if (project && !siteKey) return "no key";
  return isCaptureFailing ? "failing" : "on";
}
