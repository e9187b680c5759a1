// Starts the embedded backend with what the site needs: its owner, its limits and the environment of its functions.

import { isOutgoingMailHeld } from "embedded-supabase/data-dir.ts";
import type { Sql, Transaction } from "embedded-supabase/database.ts";
import * as project from "embedded-supabase/start.ts";
import { embeddedConfig } from "../../embedded.config.ts";
import type { MailEnvironment } from "../../supabase/functions/_shared/mail-addresses.ts";
import { addressSection, chooseAddress, type SiteAddress } from "../address/site-address.ts";
import { storeLimits } from "../limits/request-limits.ts";
import type { VisitCount } from "../visits/visit-counter.ts";
import { openBackups } from "./backups.ts";
import { mailSecretKey, readEnteredMail } from "./entered-mail.ts";
import { markInitialPassword, readLiveFacts } from "./live-facts.ts";
import { ensureOwner, type OwnerAccount } from "./owner-account.ts";

export { surviveLostConnections } from "embedded-supabase/database.ts";
export { backendPaths } from "embedded-supabase/start.ts";

export interface BackendOptions
  extends Pick<
    project.BackendOptions,
    "dataDir" | "jobIntervals" | "startServer" | "rateLimits" | "visitorAddress" | "onStep" | "log"
  > {
  /** SITE_URL, or where the site listens. */
  siteUrl: string;
  /** Whether it is SITE_URL, which takes precedence over the confirmed address. */
  isSiteUrlSet?: boolean;
  ownerEmail: string;
  ownerPassword?: string;
  mail: {
    /** The mail services to use, in place of the one that an owner entered. Without any, links of accounts are printed. */
    smtpUrl: string | undefined;
    resendApiKey: string | undefined;
    dkimSelector?: string | undefined;
    /** CONTACT_TO, CONTACT_FROM, and the default address of a new site (supabase/functions/_shared/mail-addresses.ts). */
    environment: MailEnvironment;
    /** Whether visitors get an email that confirms their message. */
    confirms?: boolean;
    /** CONTACT_RETRY_PAUSES of send-email. Only tests set it. */
    retryPauses?: string;
  };
  /** Called when it is known whether there is a mail service. */
  onMailChoice?(hasService: boolean): void;
  /** Whether a new database gets the sample posts and testimonials; on by default. */
  sampleContent?: boolean;
  /** The keys for Cloudflare's check of contact messages, which is off without them. */
  turnstile?: {
    secretKey: string | undefined;
    /** The URL that replaces Cloudflare's in tests. */
    siteverifyUrl?: string;
  };
}

export type Backend = Awaited<ReturnType<typeof startBackend>>;

export async function startBackend(options: BackendOptions) {
  const { dataDir, siteUrl, isSiteUrlSet = false, mail, turnstile } = options;
  let address = chooseAddress({ siteUrl, isSiteUrlSet }, null);
  const isMailSet = Boolean(mail.smtpUrl || mail.resendApiKey);
  const mailHeld = isOutgoingMailHeld(dataDir);
  const prepared = Promise.withResolvers<OwnerAccount>();
  const backend = await project.startBackend({
    ...options,
    siteUrl: () => address.url,
    config: embeddedConfig,
    async readMailMode(sql) {
      if (!(await hasMailService(sql))) return "printed";
      return mailHeld ? "held" : "sent";
    },
    seeds: options.sampleContent,
    environments: {
      "send-email": {
        SMTP_URL: mailHeld ? undefined : mail.smtpUrl,
        RESEND_API_KEY: mailHeld ? undefined : mail.resendApiKey,
        DKIM_SELECTOR: mail.dkimSelector,
        // The function reads the confirmed address from the database.
        SITE_URL: isSiteUrlSet ? siteUrl : undefined,
        SITE_URL_FALLBACK: siteUrl,
        // Read once the folder exists.
        get MAIL_SECRET_KEY() {
          return mailSecretKey(dataDir);
        },
        OUTGOING_MAIL: mailHeld ? "held" : undefined,
        TURNSTILE_SECRET_KEY: turnstile?.secretKey,
        TURNSTILE_SITEVERIFY_URL: turnstile?.siteverifyUrl,
        CONTACT_TO: mail.environment.to,
        CONTACT_FROM: mail.environment.from,
        CONTACT_TO_FALLBACK: mail.environment.fallback,
        CONTACT_CONFIRMATION: mail.confirms ? "on" : undefined,
        CONTACT_RETRY_PAUSES: mail.retryPauses,
      },
    },
    async prepare({ sql, createUser }) {
      await storeLimits(sql, options.rateLimits);
      address = chooseAddress({ siteUrl, isSiteUrlSet }, await readConfirmedAddress(sql));
      const { isPublic } = address;
      await storeWhetherLocal(sql, address);
      const { ownerEmail: email, ownerPassword: password } = options;
      const owner = await ensureOwner(sql, { email, password, isPublic, createUser });
      if (owner.email && (owner.generatedPassword || owner.passwordProblem)) {
        await markInitialPassword(sql, dataDir, owner.email);
      }
      prepared.resolve(owner);
    },
  });
  const { sql } = backend;
  return {
    ...backend,
    // It changes when PostgreSQL restarts.
    get databaseUrl(): string {
      return backend.databaseUrl;
    },
    owner: await prepared.promise,
    /** Whether this is a restored copy, which sends no mail. */
    mailHeld,
    /** Whether mails leave this machine now. Never rejects. */
    sendsMail: async (): Promise<boolean> =>
      !mailHeld && (await hasMailService(sql).catch(() => false)),
    /** Adds counts of the site to a day. A hosted project offers `add_visits` instead. */
    async storeVisits(day: string, visits: readonly VisitCount[]): Promise<void> {
      await sql`select private.store_visits(${day}, ${JSON.stringify(visits)}::text::jsonb)`;
    },
    /** A step of a capture for the archive. A hosted project offers it to the site key. */
    async captureSite(step: string, value: object): Promise<unknown> {
      const [row] = await sql`
        select private.capture_site(${step}, ${JSON.stringify(value)}::text::jsonb) as result`;
      return row?.result;
    },
    backups: openBackups(sql, dataDir),
    /** Stores an address that was checked. A hosted project offers `confirm_site_address` instead. */
    async confirmAddress(url: string): Promise<void> {
      const confirmed = chooseAddress({ siteUrl, isSiteUrlSet }, { origin: url });
      await sql.begin(async (transaction) => {
        await transaction`select private.store_site_address(${url})`;
        await storeWhetherLocal(transaction, confirmed);
      });
      address = confirmed;
    },
    /** Rejects while the database is not available. */
    readLiveFacts: () => readLiveFacts(sql, dataDir),
  };

  async function hasMailService(sql: Sql): Promise<boolean> {
    const hasService = isMailSet || Boolean((await readEnteredMail(sql, dataDir))?.service);
    options.onMailChoice?.(hasService);
    return hasService;
  }
}

async function readConfirmedAddress(sql: Sql): Promise<unknown> {
  const [row] = await sql`
    select document from public.public_site_settings where section = ${addressSection}`;
  return row?.document;
}

/** Visitors of a public address see sample posts in a demonstration only. */
async function storeWhetherLocal(sql: Sql | Transaction, { isPublic }: SiteAddress): Promise<void> {
  await (isPublic
    ? sql`delete from private.local_site`
    : sql`insert into private.local_site default values on conflict do nothing`);
}
