// Collects everything that the checks look at, for the running site and for `npm run check-live`.
import { createClient } from "@supabase/supabase-js";
import { isLoopbackUrl } from "../../app/config/checks/checks.ts";
import type {
  AddressFacts,
  MachineFacts,
  OwnerFacts,
  SiteFacts,
} from "../../app/config/checks/facts.ts";
import type { Settings } from "../../app/config/settings.ts";
import { completeSettings } from "../../app/config/site.ts";
import { parseSections } from "../site-settings.ts";
import { findMailProblem } from "./mail-service.ts";
import { askSite, siteId } from "./site-identity.ts";
import { contentFacts, readStoredContent, storedContentSchema } from "./stored-content.ts";

/** What the embedded backend knows. */
interface BackendFacts {
  /** Rows that visitors see. */
  content: unknown;
  owner: OwnerFacts;
  machine: MachineFacts;
  isMailHeld: boolean;
}

interface SiteSources {
  settings: Settings;
  /** The public key. */
  anonKey: string;
}

export interface FactSources extends SiteSources {
  /** Null with a hosted project, which is read with the public key. */
  readBackend: (() => Promise<BackendFacts>) | null;
  /** Asks other machines; null when they may not be asked. */
  ask: (() => Promise<Answers>) | null;
  /** See `AddressFacts`. */
  proxies?: number | null;
}

/** What other machines say. */
interface Answers {
  site: AddressFacts["answer"];
  /** Why the mail service cannot be used. */
  mailProblem: string | null;
}

const noAnswers: Answers = { site: null, mailProblem: null };
/** Milliseconds that their answers are kept: they take seconds, and may count who asks. */
const maxAge = 60_000;

/** @returns asks whether this site answers at SITE_URL, and the mail service of the embedded backend */
export function createInquiry({ settings, anonKey }: SiteSources): () => Promise<Answers> {
  let answers = Promise.resolve(noAnswers);
  let askedAt = Number.NEGATIVE_INFINITY;

  async function ask(): Promise<Answers> {
    const [site, mailProblem] = await Promise.all([
      isPublicSite(settings) ? askSite(settings.siteUrl, siteId(anonKey)) : null,
      settings.project ? null : findMailProblem(settings.mail),
    ]);
    return { site, mailProblem };
  }

  return () => {
    if (Date.now() - askedAt > maxAge) {
      askedAt = Date.now();
      answers = ask();
    }
    return answers;
  };
}

function isPublicSite({ isSiteUrlSet, siteUrl }: Settings): boolean {
  return isSiteUrlSet && !isLoopbackUrl(siteUrl);
}

/** @throws when the database cannot be read */
export async function gatherFacts(sources: FactSources): Promise<SiteFacts> {
  const { settings, anonKey, readBackend, ask, proxies = null } = sources;
  const { siteUrl, isSiteUrlSet, trustedProxies, project, mail } = settings;
  const backend = readBackend && (await readBackend());
  const stored = backend
    ? storedContentSchema.parse(backend.content)
    : await readStoredContent(
        createClient(project?.url ?? siteUrl, anonKey, {
          auth: { persistSession: false, autoRefreshToken: false },
        }),
      );
  const { sections, unreadable } = parseSections(stored.settings);
  // An invalid document, of another version of the site, counts as unpublished.
  const siteSettings = completeSettings(sections, settings.sampleContent);
  const { site: answer, mailProblem } = ask ? await ask() : noAnswers;
  return {
    now: new Date(),
    settings: siteSettings,
    content: {
      ...contentFacts(stored, siteSettings),
      unreadableSections: [...unreadable.keys()],
    },
    address: {
      ...{ siteUrl, isSet: isSiteUrlSet, answer, trustedProxies },
      proxies: isPublicSite(settings) ? proxies : null,
    },
    mail: backend && {
      isConfigured: Boolean(mail.smtpUrl || mail.resendApiKey),
      isHeld: backend.isMailHeld,
      problem: backend.isMailHeld ? null : mailProblem,
    },
    owner: backend?.owner ?? null,
    machine: backend?.machine ?? null,
  };
}
