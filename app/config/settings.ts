import { z } from "zod";
import { passwordProblem } from "../../supabase/functions/_shared/password.ts";

const optionalText = z
  .string()
  .trim()
  .optional()
  .transform((text) => text || undefined);
const optionalUrl = optionalText.pipe(
  z
    .url({ protocol: /^https?$/, error: "must be an address that starts with http:// or https://" })
    .optional(),
);
const optionalEmail = optionalText.pipe(z.email({ error: "must be an e-mail address" }).optional());

function onOrOff(usual: "on" | "off") {
  return optionalText.pipe(z.enum(["on", "off"], { error: "must be on or off" }).default(usual));
}

const defaultHost = "127.0.0.1";

const environmentSchema = z
  .object({
    PORT: z.coerce
      .number({ error: "must be a number" })
      .int("must be a whole number")
      .min(0, "must be 0 or more")
      .max(65535, "must be at most 65535")
      .default(3000),
    HOST: optionalText,
    SITE_URL: optionalUrl,
    SUPABASE_URL: optionalUrl,
    SUPABASE_ANON_KEY: optionalText,
    DATA_DIR: optionalText,
    OWNER_EMAIL: optionalEmail,
    OWNER_PASSWORD: optionalText.pipe(
      z
        .string()
        .superRefine((password, context) => {
          const problem = passwordProblem(password);
          if (problem) context.addIssue(`cannot be used. ${problem}`);
        })
        .optional(),
    ),
    CONTACT_TO: optionalEmail,
    CONTACT_FROM: optionalText,
    CONTACT_CONFIRMATION: onOrOff("off"),
    SMTP_URL: optionalText.pipe(
      z
        .url({ protocol: /^smtps?$/, error: "must look like smtp://user:password@host:587" })
        .optional(),
    ),
    RESEND_API_KEY: optionalText,
    RATE_LIMITS: onOrOff("on"),
    TRUSTED_PROXIES: z.coerce
      .number({ error: "must be a number" })
      .int("must be a whole number")
      .min(0, "must be 0 or more")
      .max(10, "must be at most 10")
      .default(0),
    TURNSTILE_SITE_KEY: optionalText,
    TURNSTILE_SECRET_KEY: optionalText,
  })
  .refine((env) => !env.SUPABASE_URL === !env.SUPABASE_ANON_KEY, {
    path: ["SUPABASE_ANON_KEY"],
    error: "must be set together with SUPABASE_URL, or neither",
  })
  .refine((env) => env.RATE_LIMITS === "on" || isLoopback(env.HOST ?? defaultHost), {
    path: ["RATE_LIMITS"],
    error: "can be off only while HOST is this machine alone, such as 127.0.0.1",
  })
  // A hosted project keeps the secret itself.
  .refine((env) => env.SUPABASE_URL || !env.TURNSTILE_SITE_KEY === !env.TURNSTILE_SECRET_KEY, {
    path: ["TURNSTILE_SECRET_KEY"],
    error: "must be set together with TURNSTILE_SITE_KEY, or neither",
  });

/** The settings of one running site. Documented in `.env.example`. */
export interface Settings {
  host: string;
  port: number;
  /** Public address without a trailing slash. Never guessed from a request. */
  siteUrl: string;
  /** The hosted project; null when the embedded backend serves. */
  project: { url: string; anonKey: string } | null;
  dataDir: string;
  owner: { email: string; password: string | undefined };
  mail: {
    to: string | undefined;
    from: string | undefined;
    /** Whether visitors are mailed that their message has arrived. */
    confirms: boolean;
    smtpUrl: string | undefined;
    resendApiKey: string | undefined;
  };
  /** Whether visitors are kept from asking too often. Off for tests on loopback only. */
  rateLimits: boolean;
  /** How many proxies in front are trusted for the visitor's address. */
  trustedProxies: number;
  /** Cloudflare's check on the contact forms: off without keys. */
  turnstile: {
    /** Public: the pages carry it. */
    siteKey: string | undefined;
    secretKey: string | undefined;
  };
}

/**
 * Reads the settings from an environment.
 * @throws Error with a line per bad value that says what to do.
 */
export function parseSettings(environment: Record<string, string | undefined>): Settings {
  const result = environmentSchema.safeParse(environment);
  if (!result.success) {
    const lines = result.error.issues.map((issue) => `  ${issue.path.join(".")} ${issue.message}`);
    throw new Error(`Some settings can't be used:\n${lines.join("\n")}`);
  }
  const env = result.data;
  const host = env.HOST ?? defaultHost;
  const fallbackHost = host === "0.0.0.0" ? "127.0.0.1" : host;
  return {
    host,
    port: env.PORT,
    siteUrl: (env.SITE_URL ?? `http://${fallbackHost}:${env.PORT}`).replace(/\/+$/, ""),
    project:
      env.SUPABASE_URL && env.SUPABASE_ANON_KEY
        ? { url: env.SUPABASE_URL.replace(/\/+$/, ""), anonKey: env.SUPABASE_ANON_KEY }
        : null,
    dataDir: env.DATA_DIR ?? ".data",
    owner: { email: env.OWNER_EMAIL ?? "owner@example.com", password: env.OWNER_PASSWORD },
    mail: {
      to: env.CONTACT_TO,
      from: env.CONTACT_FROM,
      confirms: env.CONTACT_CONFIRMATION === "on",
      smtpUrl: env.SMTP_URL,
      resendApiKey: env.RESEND_API_KEY,
    },
    rateLimits: env.RATE_LIMITS === "on",
    trustedProxies: env.TRUSTED_PROXIES,
    turnstile: { siteKey: env.TURNSTILE_SITE_KEY, secretKey: env.TURNSTILE_SECRET_KEY },
  };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);
}
