import { z } from "zod";

/** The message has a line per bad value that says what to do. It contains no values: one may be a secret. */
export class SettingsError extends Error {}

/** Trims white space: pasted values and values from files often end with a line break. */
const optionalText = z
  .string()
  .trim()
  .regex(/^\P{Cc}*$/u, "must be one line")
  .optional()
  .transform((text) => text || undefined);
const optionalEmail = optionalText.pipe(z.email({ error: "must be an email address" }).optional());

function optionalUrl(protocol: RegExp, error: string) {
  return optionalText.pipe(z.url({ protocol, error }).regex(/^\S+$/, error).optional());
}

/** Scheme, host and port only: the site appends its own paths, so a configured path would be lost. */
function optionalOrigin(example: string) {
  return optionalUrl(/^https?$/, "must be an address that starts with http:// or https://")
    .refine((address) => address === undefined || isOrigin(address), {
      error: `must be the address alone, without a path, such as ${example}`,
    })
    .transform((address) => address && new URL(address).origin);
}

/** An `address` or `Name <address>`. */
const optionalSender = optionalText.refine(
  (sender) =>
    sender === undefined ||
    z.email().safeParse(/^[^<>]*<([^<>]+)>$/.exec(sender)?.[1] ?? sender).success,
  { error: "must be an email address, or a name and an address: Name <name@example.com>" },
);

function onOrOff(fallback: "on" | "off") {
  return optionalText.pipe(z.enum(["on", "off"], { error: "must be on or off" }).default(fallback));
}

function wholeNumber(max: number, fallback: number) {
  return optionalText.pipe(
    z.coerce
      .number<string | undefined>({ error: "must be a number" })
      .int("must be a whole number")
      .min(0, "must be 0 or more")
      .max(max, `must be at most ${max}`)
      .default(fallback),
  );
}

const defaultHost = "127.0.0.1";
export const defaultOwnerEmail = "owner@example.com";

const settingsShape = {
  PORT: wholeNumber(65535, 3000),
  HOST: optionalText,
  SITE_URL: optionalOrigin("https://www.example.com"),
  SUPABASE_URL: optionalOrigin("https://abcdefgh.supabase.co").refine(
    (address) =>
      address === undefined || address.startsWith("https:") || isLoopback(hostnameOf(address)),
    { error: "must start with https://, except on this machine" },
  ),
  SUPABASE_ANON_KEY: optionalText
    .refine((key) => key === undefined || kindOfKey(key) !== "secret", {
      error:
        "is a secret key, which goes around every rule of the database and must never be in the site's environment. Use the publishable key (Project Settings, API Keys)",
      abort: true,
    })
    .refine((key) => key === undefined || kindOfKey(key) === "public", {
      error:
        "must be the project's publishable key (sb_publishable_...) or its legacy anon key (Project Settings, API Keys)",
    }),
  DATA_DIR: optionalText,
  OWNER_EMAIL: optionalEmail,
  // Checked when an account gets it: an existing one keeps its password (server/embedded/owner-account.ts).
  OWNER_PASSWORD: optionalText,
  SAMPLE_CONTENT: onOrOff("on"),
  CONTACT_TO: optionalEmail,
  CONTACT_FROM: optionalSender,
  CONTACT_CONFIRMATION: onOrOff("off"),
  SMTP_URL: optionalUrl(/^smtps?$/, "must look like smtp://user:password@host:587"),
  RESEND_API_KEY: optionalText.refine((key) => key === undefined || !/\s/.test(key), {
    error: "must not contain blanks",
  }),
  DKIM_SELECTOR: optionalText,
  RATE_LIMITS: onOrOff("on"),
  TRUSTED_PROXIES: wholeNumber(10, 0),
  SITE_KEY: optionalText,
  ARCHIVE_INTERVAL: optionalText
    .refine((seconds) => seconds === undefined || /^(off|[1-9]\d{0,4})$/.test(seconds), {
      error: "must be off or a number of seconds from 1 to 99999",
    })
    .transform((seconds = "60") => (seconds === "off" ? null : Number(seconds))),
  RELEASE_CHECK: onOrOff("on"),
  TURNSTILE_SITE_KEY: optionalText,
  TURNSTILE_SECRET_KEY: optionalText,
};

const environmentSchema = z
  .object(settingsShape)
  .refine((env) => !env.SUPABASE_URL === !env.SUPABASE_ANON_KEY, {
    path: ["SUPABASE_ANON_KEY"],
    error: "must be set together with SUPABASE_URL, or neither",
  })
  .refine((env) => env.RATE_LIMITS === "on" || isLoopback(env.HOST ?? defaultHost), {
    path: ["RATE_LIMITS"],
    error: "can be off only while HOST is this machine alone, such as 127.0.0.1",
  })
  // In a hosted project the secret is set in Supabase, not here.
  .refine((env) => env.SUPABASE_URL || !env.TURNSTILE_SITE_KEY === !env.TURNSTILE_SECRET_KEY, {
    path: ["TURNSTILE_SECRET_KEY"],
    error: "must be set together with TURNSTILE_SITE_KEY, or neither",
  });

/** The names of all environment variables that the project reads. */
export const settingNames: readonly string[] = [
  ...Object.keys(settingsShape),
  // Only commands read it, as `npm run owner` does.
  "SUPABASE_SECRET_KEY",
];

export type ServerSettings = ReturnType<typeof parseSettings>;

export function parseSettings(environment: Record<string, string | undefined>) {
  const result = environmentSchema.safeParse(environment);
  if (!result.success) {
    const lines = result.error.issues.map((issue) => `  ${issue.path.join(".")} ${issue.message}`);
    throw new SettingsError(`Some settings can't be used:\n${lines.join("\n")}`);
  }
  const env = result.data;
  const host = env.HOST ?? defaultHost;
  const fallbackHost = host === "0.0.0.0" ? "127.0.0.1" : host;
  return {
    host,
    port: env.PORT,
    /** The address of SITE_URL, or at which the site listens, without a trailing slash (server/address/site-address.ts). */
    siteUrl: env.SITE_URL ?? `http://${fallbackHost}:${env.PORT}`,
    isSiteUrlSet: env.SITE_URL !== undefined,
    /** The hosted project; null with the embedded backend. */
    project:
      env.SUPABASE_URL && env.SUPABASE_ANON_KEY
        ? { url: env.SUPABASE_URL, anonKey: env.SUPABASE_ANON_KEY }
        : null,
    /** Proves the site to the hosted project: for visit counts and the archive. The embedded backend needs none. */
    siteKey: env.SITE_KEY,
    /** The minimum number of seconds between two captures for the archive; null when nothing is captured. */
    archiveInterval: env.ARCHIVE_INTERVAL,
    dataDir: env.DATA_DIR ?? ".data",
    /** Whether the site looks for newer releases, unless its owner switched it off. */
    checksReleases: env.RELEASE_CHECK === "on",
    owner: { email: env.OWNER_EMAIL ?? defaultOwnerEmail, password: env.OWNER_PASSWORD },
    sampleContent: env.SAMPLE_CONTENT === "on",
    mail: {
      to: env.CONTACT_TO,
      from: env.CONTACT_FROM,
      confirms: env.CONTACT_CONFIRMATION === "on",
      smtpUrl: env.SMTP_URL,
      resendApiKey: env.RESEND_API_KEY,
      /** The name of the mail service's DKIM key, for the check of the sender's domain. */
      dkimSelector: env.DKIM_SELECTOR,
    },
    rateLimits: env.RATE_LIMITS === "on",
    /** How many reverse proxies are trusted to report the visitor's address. */
    trustedProxies: env.TRUSTED_PROXIES,
    /** Cloudflare Turnstile on the contact forms: off without keys. The site key is part of every page. */
    turnstile: { siteKey: env.TURNSTILE_SITE_KEY, secretKey: env.TURNSTILE_SECRET_KEY },
  };
}

/** Whether only this machine can reach a host, given by its name or IP address. */
export function isLoopback(host: string): boolean {
  return ["localhost", "::1", "[::1]"].includes(host) || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function hostnameOf(address: string): string {
  return new URL(address).hostname;
}

function isOrigin(address: string): boolean {
  const url = URL.parse(address);
  // Another rule reports an invalid URL.
  if (!url) return true;
  const { pathname, search, hash, username, password } = url;
  return /^\/*$/.test(pathname) && [search, hash, username, password].every((part) => part === "");
}

/** Newer keys of a Supabase project have a prefix for their kind; legacy keys are JWTs with a role claim. */
function kindOfKey(key: string): "public" | "secret" | "unknown" {
  if (/^sb_publishable_[\w-]+$/.test(key)) return "public";
  if (/sb_secret_/.test(key)) return "secret";
  const [, claims = ""] = /^[\w-]+\.([\w-]+)\.[\w-]+$/.exec(key) ?? [];
  const { data } = claimsSchema.safeParse(parseJson(Buffer.from(claims, "base64url").toString()));
  if (data?.role === "anon") return "public";
  return data?.role === "service_role" ? "secret" : "unknown";
}

const claimsSchema = z.object({ role: z.string() });

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
