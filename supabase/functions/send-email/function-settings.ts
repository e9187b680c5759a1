// The function's settings, parsed once at the start. A missing one is reported by name, before a library
// fails on it with a message of its own.

import { Buffer } from "node:buffer";
import { readAllowedOrigins } from "../_shared/cors.ts";
import type { MailEnvironment } from "../_shared/mail-addresses.ts";
import { messageOf } from "../_shared/message-of.ts";
import { readSecretKeys } from "../_shared/secret-key.ts";
import type { Service } from "../_shared/smtp-options.ts";

export interface ProjectSettings {
  url: string;
  /** The secret keys. The function uses the first one; callers may use any. */
  secretKeys: readonly [string, ...string[]];
}

export type FunctionSettings = ReturnType<typeof readFunctionSettings>;

/** @param read returns an environment variable */
export function readFunctionSettings(read: (name: string) => string | undefined) {
  const problems: string[] = [];
  const setting = (name: string) => read(name)?.trim() || undefined;
  const project = readProject();
  const allowedOrigins = attempt(() => readAllowedOrigins(setting("ALLOWED_ORIGINS")));
  return {
    /** Null when messages cannot be stored or the allowed origins are invalid. */
    project: allowedOrigins && project,
    /** The origins of the site; empty when every origin is allowed. */
    allowedOrigins: allowedOrigins ?? new Set<string>(),
    mail: readMail(),
    /** The key of secrets in the database; null where its Vault has them. */
    secretsKey: readSecretsKey(),
    /** The secret with which Auth signs calls of its Send Email hook; null when it does not call it. */
    hookSecrets: readHookSecrets(),
    site: {
      /** The origin of the site, for links in mails; null when an owner confirms it in the browser. */
      set: attempt(() => readSite(setting("SITE_URL"))),
      /** The origin while no owner has confirmed one; null when unknown. */
      fallback:
        attempt(() => readSite(setting("SITE_URL_FALLBACK"))) ??
        [...(allowedOrigins ?? [])][0] ??
        null,
    },
    /** Whether outgoing mail is disabled, as in a restored copy of a site. */
    mailHeld: setting("OUTGOING_MAIL") === "held",
    turnstile: {
      secretKey: setting("TURNSTILE_SECRET_KEY"),
      siteverifyUrl: setting("TURNSTILE_SITEVERIFY_URL"),
    },
    /** The names of missing or invalid settings, without values. */
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

  function readHookSecrets(): string | null {
    const secrets = setting("SEND_EMAIL_HOOK_SECRET");
    if (!secrets || /^(v1,whsec_[A-Za-z0-9+/=]{24,}(\||$))+$/.test(secrets)) return secrets ?? null;
    problems.push(
      "SEND_EMAIL_HOOK_SECRET must look like v1,whsec_…: mails about accounts are rejected",
    );
    return null;
  }

  /** @returns null when it throws, after adding the problem to the list */
  function attempt<Value>(parse: () => Value): Value | null {
    try {
      return parse();
    } catch (error) {
      problems.push(messageOf(error));
      return null;
    }
  }

  function readMail() {
    const environment: MailEnvironment = {
      ...{ to: setting("CONTACT_TO"), from: setting("CONTACT_FROM") },
      fallback: setting("CONTACT_TO_FALLBACK"),
    };
    return {
      ...{ service: readService(), environment, dkimSelector: setting("DKIM_SELECTOR") },
      /** The seconds to wait after each failed attempt. */
      retrySeconds: attempt(() => readRetryPauses(setting("CONTACT_RETRY_PAUSES"))) ?? usualPauses,
      /** Whether the visitor gets a confirmation. */
      confirms: setting("CONTACT_CONFIRMATION") === "on",
    };
  }

  /** 32 bytes in base64, from the embedded backend. */
  function readSecretsKey(): Buffer | null {
    const key = setting("MAIL_SECRET_KEY");
    return key ? Buffer.from(key, "base64") : null;
  }

  /** What the environment sets. Resend takes precedence over SMTP: it is set where SMTP is blocked. */
  function readService(): Service | null {
    const resendApiKey = setting("RESEND_API_KEY");
    if (resendApiKey) return { resendApiKey };
    const address = setting("SMTP_URL");
    if (!address) return null;
    const smtpUrl = URL.parse(address);
    if (smtpUrl && /^smtps?:$/.test(smtpUrl.protocol)) return { smtpUrl };
    problems.push("SMTP_URL must look like smtp://user:password@host:587");
    return null;
  }
}

function readSite(address: string | undefined): string | null {
  if (!address) return null;
  if (!URL.canParse(address)) throw new Error("SITE_URL is not an address");
  return new URL(address).origin;
}

const minute = 60;
const hour = 60 * minute;

/** The seconds to wait after each failed attempt. After the last one, the message is marked as failed. */
const usualPauses = [
  ...[1 * minute, 5 * minute, 15 * minute],
  ...[1 * hour, 3 * hour, 6 * hour, 12 * hour, 24 * hour, 24 * hour],
];

/**
 * @param setting CONTACT_RETRY_PAUSES, seconds such as `0.1,0.5`, for tests
 * @throws when the setting is not a list of numbers
 */
export function readRetryPauses(setting: string | undefined): readonly number[] {
  if (!setting) return usualPauses;
  const given = setting.split(",").map((part) => (part.trim() ? Number(part) : Number.NaN));
  if (given.some((seconds) => !(seconds >= 0))) {
    throw new Error("CONTACT_RETRY_PAUSES must be numbers of seconds, separated by commas");
  }
  return given;
}
