// The configuration of the embedded backend: the queries, functions, jobs and limits of this site.
import { getServers } from "node:dns";
import { isIPv4, isIPv6 } from "node:net";
import { join } from "node:path";
import type { EmbeddedConfig, FunctionEnvironment } from "embedded-supabase/config.ts";
import type { Sql } from "embedded-supabase/database.ts";
import { textBytes } from "embedded-supabase/rest/rest-api.ts";
import { isArchiveChanged, listWarnings, readArchiveHead } from "./server/embedded/live-facts.ts";
import { backUpWhenDue } from "./server/embedded/schedule-backups.ts";
import { findImageProblem } from "./server/images/check-image.ts";
import { requestLimits } from "./server/limits/request-limits.ts";
import { confirmLink } from "./supabase/functions/_shared/confirm-link.ts";
import { mailPorts } from "./supabase/functions/_shared/mail-service.ts";
import { privateNetworks } from "./supabase/functions/_shared/private-networks.ts";

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

const messageReasons = [
  "Several messages came from your connection just now.",
  "We are getting more messages than usual.",
] as const;

const rest: EmbeddedConfig["rest"] = {
  tables: {
    posts: {
      filters: {
        id: ["eq", "neq", "in", "is"],
        slug: ["eq", "neq", "in"],
        title: ["eq"],
        category: ["eq"],
        image_url: ["is"],
        updated_at: ["eq", "in"],
        is_sample: ["is"],
      },
      order: ["created_at", "id"],
    },
    pages: {
      filters: { id: ["eq", "neq"], slug: ["eq"], updated_at: ["in"] },
      order: ["position"],
    },
    post_slugs: { filters: { slug: ["eq"], post_id: ["eq"] }, order: ["slug"] },
    imported_posts: { filters: { id: ["eq"], former_path: ["eq"] }, order: ["id"] },
    versions: {
      filters: { number: ["eq"], kind: ["eq"], thing: ["eq", "in"], event: ["eq", "in"] },
      order: ["number"],
    },
    drafts: {
      filters: { kind: ["eq", "neq"], thing: ["eq", "in"], saved_at: ["eq"] },
      order: ["saved_at", "thing"],
    },
    schedules: {
      filters: { kind: ["eq"], thing: ["eq"], failure: ["is"] },
      order: ["at", "thing"],
    },
    previews: {
      filters: { kind: ["eq"], thing: ["eq"], token: ["eq"] },
      order: ["created_at"],
    },
    testimonials: {
      filters: {
        id: ["eq", "in", "is"],
        name: ["eq", "in"],
        approved_at: ["is"],
        refused_at: ["is"],
        seen_at: ["is"],
        is_sample: ["is"],
      },
      order: ["created_at", "id", "pin"],
    },
    testimonial_requests: {
      filters: { token: ["eq"], name: ["eq"] },
      order: ["created_at", "token"],
    },
    consents: {
      filters: { id: ["eq"], kind: ["eq"], subject_id: ["eq", "in"] },
      order: ["given_at", "id"],
    },
    consent_withdrawals: { filters: { id: ["eq"] }, order: ["recorded_at", "id"] },
    site_settings: { filters: { section: ["eq", "in"] }, order: ["section"] },
    public_site_settings: { filters: { section: ["eq", "in"] }, order: ["section"] },
    contact_messages: {
      filters: {
        id: ["eq", "in", "is"],
        name: ["eq", "in"],
        status: ["eq"],
        read_at: ["is"],
        deleted_at: ["is"],
        spam_at: ["is"],
        noted_at: ["eq", "is"],
      },
      order: ["created_at", "id"],
    },
    mails: {
      filters: {
        ...{ id: ["eq", "is"], kind: ["eq", "neq"], subject_id: ["eq"], recipient: ["eq"] },
        ...{ attempts: ["eq"], status: ["eq"] },
      },
      order: ["created_at", "id"],
    },
    visit_counts: {
      filters: { day: ["eq"], kind: ["eq"], key: ["eq"] },
      order: ["day", "kind", "key"],
    },
  },
  functions: {
    publish: { changes: "public_site_settings" },
    // Pages say whether the site sends emails.
    store_mail_service: { changes: "public_site_settings" },
    swap_pages: { changes: "pages" },
    undo_deletion: { changes: "posts" },
    unpublish: { changes: "posts" },
    delete_testimonial: { changes: "testimonials" },
    place_testimonial: { changes: "testimonials" },
    erase_person: { changes: "testimonials" },
    remove_person: { endsSessions: true },
    end_my_session: { endsSessions: true },
    end_sessions: { endsSessions: true },
    use_recovery_code: { endsSessions: true },
    claim_recovery_code: { endsSessions: true },
    remove_second_step: { endsSessions: true },
  },
  columnBytes: {
    ...{ by_name: textBytes(320), by_email: textBytes(320), last_error: textBytes(2000) },
    ...{ document: 500_000, images: 100_000, section: 40, event: 40, kind: 40, digest: 64 },
    "drafts.document": 1_000_000,
    "versions.document": 1_100_000,
    "post_slugs.slug": 600,
    ...{ "testimonials.email": 40, "testimonials.consent": 40, "consents.version": 40 },
    "pages.category": textBytes(100),
    "contact_messages.search_text": textBytes(60_000),
  },
};

export const embeddedConfig: EmbeddedConfig = {
  name: "adviser-site",
  supabaseDir: join(import.meta.dirname, "supabase"),
  seededTables: ["public.posts", "public.testimonials"],
  editedMigrationHint: `:
  move the content through a backup (npm run backup -- FILE, npm run restore -- FILE --replace), or delete the folder.`,
  rest,
  functions: {
    "send-email": {
      callers: "anyone",
      headers: ["idempotency-key", "x-turnstile-token"],
      hosts: (environment) => {
        const { SMTP_URL, TURNSTILE_SECRET_KEY, TURNSTILE_SITEVERIFY_URL } = environment;
        return [
          ...(SMTP_URL ? [SMTP_URL] : []),
          "https://api.resend.com",
          // The mail servers that an owner may enter, also beside the site.
          ...(isMailSet(environment) ? [] : mailPorts.map((port) => `0.0.0.0/0:${port}`)),
          ...(TURNSTILE_SECRET_KEY
            ? [TURNSTILE_SITEVERIFY_URL ?? "https://challenges.cloudflare.com"]
            : []),
          // DNS, for the mail server and the records of the sender's domain.
          ...getServers().map(withPort),
        ];
      },
    },
    "invite-person": { callers: hasRole },
    "recover-account": { callers: "anyone" },
    "remove-unused-images": { callers: "secret key" },
    "import-images": {
      callers: hasRole,
      // Web servers of the public internet, and DNS.
      hosts: () => ["0.0.0.0/0:443", "0.0.0.0/0:80", ...getServers().map(withPort)],
      closedHosts: privateNetworks.flatMap((network) => [`${network}:443`, `${network}:80`]),
    },
  },
  // Before a job calls a function, it asks the database whether there is work, so that no process starts without it.
  jobs: {
    mail: {
      failure: "Mails were not delivered",
      interval: 15 * second,
      async run({ sql, sendsMail, call }) {
        // Also without a mail service, because it expires mails.
        const [row] = await sql`select private.is_mail_due() as due`;
        if (row?.due && (await sendsMail())) await call("send-email/deliver");
      },
    },
    unusedImages: {
      failure: "Unused images were not removed",
      interval: hour,
      async run({ sql, call }) {
        const [row] = await sql`select private.note_unused_images() as due`;
        if (row?.due) await call("remove-unused-images");
      },
    },
    deletedMessages: {
      failure: "Deleted messages and spam were not removed",
      interval: hour,
      run: ({ sql }) => sql`select private.remove_deleted_messages(), private.remove_old_mails()`,
    },
    warnings: {
      failure: "Owners were not warned",
      interval: hour,
      async run({ sql, dataDir, sendsMail }) {
        if (!(await sendsMail())) return;
        const warnings = await listWarnings(sql, dataDir);
        await sql`select private.warn_owners(${warnings}::text[])`;
      },
    },
    erasures: {
      failure: "Personal data was not erased",
      interval: hour,
      run: ({ sql }) => sql`select private.finish_erasures()`,
    },
    expiredFiles: {
      failure: "Expired files of the archive were not deleted",
      interval: 24 * hour,
      run: ({ sql }) => sql`select private.delete_expired_files()`,
    },
    backups: {
      failure: "The nightly backup was not made",
      interval: 5 * minute,
      run: (context) => backUpWhenDue(context),
    },
    duePosts: {
      failure: "Scheduled posts were not published",
      interval: 10 * second,
      run: ({ sql }) => sql`select private.publish_due()`,
    },
  },
  rateLimits: {
    // Before the function's other calls.
    spam: {
      limits: requestLimits.spam,
      request: { function: "send-email/spam", method: "POST" },
      reasons: messageReasons,
    },
    contact: {
      limits: requestLimits.contact,
      request: { function: "send-email", method: "POST" },
      reasons: messageReasons,
    },
    importImage: {
      limits: requestLimits.import_image.filter(({ per }) => per === "visitor"),
      request: { function: "import-images", method: "POST" },
      reasons: ["Many images were imported from your connection.", "Many images were imported."],
    },
    recoveryCode: {
      limits: requestLimits.recovery_code,
      request: { rpc: "use_recovery_code" },
      reasons: ["Too many codes were entered.", "Too many people are entering codes."],
    },
    recoverAccount: {
      limits: requestLimits.recovery_code,
      request: { function: "recover-account", method: "POST" },
      reasons: ["Too many codes were entered.", "Too many people are entering codes."],
    },
    search: {
      limits: requestLimits.search,
      request: { rpc: "search_posts" },
      reasons: ["Too many searches came from your connection.", "Too many people are searching."],
    },
  },
  auth: {
    sendEmailHook: "send-email/account",
    async passwordProblem(password, email) {
      const { passwordProblem } = await import("./supabase/functions/_shared/password.ts");
      return passwordProblem(password, [email]);
    },
    confirmLink,
    firstAccount: {
      // A second owner was added on purpose, and is not to be removed by a link.
      async isAwaited(sql) {
        const [row] = await sql`
          select count(*) <= 1 and count(account.last_sign_in_at) = 0 as is_awaited
          from private.people join auth.users as account on account.id = people.user_id
          where people.role = 'owner'`;
        return row?.is_awaited;
      },
      onCreated: (sql, userId) =>
        sql.begin(async (transaction) => {
          await transaction`select public.make_owner(${userId})`;
          // Removes the owner that the start created with a printed password.
          await transaction`
            select public.remove_person(user_id) from private.people
            where role = 'owner' and user_id <> ${userId}`;
        }),
    },
    // An owner gets the link that cannot be mailed, as with an invitation.
    seesUnsentLinks: async (sql, userId) =>
      (await sql`select from private.people where user_id = ${userId} and role = 'owner'`).length >
      0,
  },
  findImageProblem,
  keptFiles: ["backups", "settings.key"],
  readBackupFacts: async (transaction, dataDir) => ({
    archiveHead: await readArchiveHead(transaction),
    isArchiveChanged: await isArchiveChanged(transaction, dataDir),
  }),
  move: {
    listAccounts: (sql) => sql<{ id: string; email: string }[]>`
      select id, email from auth.users where id in (select user_id from private.people)`,
    // The migrations fill them, or they have counts of recent requests.
    skippedTables: [
      ...[
        "counted_requests",
        // Of passwords and authenticator apps, which are not moved.
        ...["recovery_codes", "code_uses"],
        // Its secret is encrypted for this machine.
        ...["local_site", "mail_service"],
        "permissions",
        "request_limits",
        "settings_schemas",
        "visitor_addresses",
      ],
    ],
    // A new site captures the pages of its samples at once, and derives the public settings from other tables.
    isDerived: (table) => table.startsWith("archive_") || table === "public_site_settings",
    // Samples, and the history that `npm run test:project` leaves.
    expendableRows: ['%"is_sample": true%', "%7e577e57%"],
  },
  former: {
    upgrade: "upgrades/0.9.sql",
    tables: [
      ...["post_drafts", "post_versions", "post_approvals", "post_previews", "scheduled_posts"],
      ...["site_settings_drafts", "site_settings_versions", "testimonial_versions"],
    ],
    filled: ["settings_schemas", "schema_migrations"],
  },
};

async function hasRole(sql: Sql, userId: string): Promise<boolean> {
  return (await sql`select from private.people where user_id = ${userId}`).length > 0;
}

/** Whether the environment decides how mails are sent, so that no owner does. */
function isMailSet({ SMTP_URL, RESEND_API_KEY }: FunctionEnvironment): boolean {
  return Boolean(SMTP_URL || RESEND_API_KEY);
}

/** @param server as Node names it: with a port only when it is not 53 */
function withPort(server: string): string {
  return isIPv6(server) ? `[${server}]:53` : isIPv4(server) ? `${server}:53` : server;
}
