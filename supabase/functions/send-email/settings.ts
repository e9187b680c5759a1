// The function's settings, checked before anything uses them: a missing one is named in the log, instead of the
// sentence of whichever library meets it first.

import { readSecretKeys } from "../_shared/secret-key.ts";
import { readAllowedOrigins } from "./cors.ts";
import { readRetryPauses } from "./retry-pauses.ts";

export interface ProjectSettings {
  url: string;
  /** The first is the one to use. */
  secretKeys: readonly [string, ...string[]];
}

export interface MailDeliverySettings {
  service: { resendApiKey: string } | { smtpUrl: URL };
  to: string;
  from: string;
  pauses: readonly number[];
  /** Whether the visitor is told that a message has arrived. */
  confirms: boolean;
}

export interface Settings {
  /** Null when nothing can be stored, or the origins cannot be read. */
  project: ProjectSettings | null;
  /** Null when messages are only stored. */
  mail: MailDeliverySettings | null;
  /** Whether mail is held back on purpose, in a restored copy of a site. */
  mailHeld: boolean;
  /** The origins of the site; empty when every origin is allowed. */
  allowedOrigins: ReadonlySet<string>;
  turnstile: { secretKey: string | undefined; siteverifyUrl: string | undefined };
  /** What is missing or cannot be used: names and no values. */
  problems: string[];
}

/** @param read gives a variable of the environment */
export function readSettings(read: (name: string) => string | undefined): Settings {
  const problems: string[] = [];
  const setting = (name: string) => read(name)?.trim() || undefined;
  const project = readProject();
  const allowedOrigins = readOrigins();
  return {
    project: allowedOrigins && project,
    allowedOrigins: allowedOrigins ?? new Set(),
    mail: readMail(),
    mailHeld: setting("OUTGOING_MAIL") === "held",
    turnstile: {
      secretKey: setting("TURNSTILE_SECRET_KEY"),
      siteverifyUrl: setting("TURNSTILE_SITEVERIFY_URL"),
    },
    problems,
  };

  function readProject(): ProjectSettings | null {
    const url = setting("SUPABASE_URL");
    if (!url) problems.push("SUPABASE_URL is not set");
    else if (!URL.canParse(url)) problems.push("SUPABASE_URL is not an address");
    const [first, ...others] = readSecretKeys(
      setting("SUPABASE_SECRET_KEYS"),
      setting("SUPABASE_SERVICE_ROLE_KEY"),
    );
    if (!first) problems.push("SUPABASE_SECRET_KEYS or SUPABASE_SERVICE_ROLE_KEY is not set");
    return url && URL.canParse(url) && first ? { url, secretKeys: [first, ...others] } : null;
  }

  function readOrigins(): ReadonlySet<string> | null {
    try {
      return readAllowedOrigins(setting("ALLOWED_ORIGINS"));
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
      return null;
    }
  }

  function readMail(): MailDeliverySettings | null {
    const service = readService();
    if (!service) return null;
    const to = setting("CONTACT_TO");
    if (!to) {
      problems.push("CONTACT_TO is not set: messages are stored and not mailed");
      return null;
    }
    const confirms = setting("CONTACT_CONFIRMATION") === "on";
    return { service, to, from: setting("CONTACT_FROM") ?? to, pauses: readPauses(), confirms };
  }

  /** Resend wins over SMTP: it is set where SMTP is blocked. */
  function readService(): MailDeliverySettings["service"] | null {
    const resendApiKey = setting("RESEND_API_KEY");
    if (resendApiKey) return { resendApiKey };
    const address = setting("SMTP_URL");
    if (!address) return null;
    const smtpUrl = URL.parse(address);
    if (smtpUrl && /^smtps?:$/.test(smtpUrl.protocol)) return { smtpUrl };
    problems.push(
      "SMTP_URL must look like smtp://user:password@host:587: messages are stored and not mailed",
    );
    return null;
  }

  function readPauses(): readonly number[] {
    try {
      return readRetryPauses(setting("CONTACT_RETRY_PAUSES"));
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
      return readRetryPauses(undefined);
    }
  }
}
