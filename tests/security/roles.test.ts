// Permissions at the API: every verb on every table, every function and every bucket, as each actor. The tables below
// list what is allowed. A rejected request must also change nothing, which the tests check in the database itself, or
// for another project (npm run test:project) by reading the row over its API.
import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { join, posix } from "node:path";
import { createClient, FunctionsHttpError, type SupabaseClient } from "@supabase/supabase-js";
import { decodeJwt, SignJWT } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { embeddedConfig } from "../../embedded.config.ts";
import { may, type Role, roleInfo, roles } from "../../supabase/functions/_shared/roles.ts";
import { callSentence, publishSentence } from "../consent-sentences.ts";
import { otherFirm, publicationOf, saveSettings } from "../other-firm.ts";
import {
  decision,
  later,
  managedSearch,
  newPost,
  restoring,
  saving,
  scheduling,
  submitting,
} from "../post-calls.ts";
import { appendOnly, tableKeys } from "../project/marked.ts";
import { gif } from "../small-files.ts";
import { openClient, type Project, setUpProject } from "../start-project.ts";
import { newReview, testimonialAnswers } from "../testimonial-answers.ts";

type Actor = "anonymous" | "stranger" | Role;
type Who = readonly Actor[];
type Row = Record<string, unknown>;
interface Result {
  data?: unknown;
  error: unknown;
}
type Account = Project["owner"];
interface Session {
  client: SupabaseClient;
  userId: string;
  token: string;
  account?: Account;
}
/** @returns whether it worked */
type Attempt = (session: Session) => Promise<boolean>;

const nobody: Who = [];
const owners: Who = ["owner"];
const writers: Who = ["owner", "editor", "editor_assistant"];
/** The roles that handle messages, who also moderate testimonials. */
const handlers: Who = ["owner", "assistant", "editor_assistant"];
const people: Who = roles;
const accounts: Who = ["stranger", ...people];
const everyone: Who = ["anonymous", ...accounts];

const then = "2026-11-21T09:00:00Z";

interface Table {
  row: () => Row | Promise<Row>;
  change: Row;
  may: [select: Who, insert: Who, update: Who, upsert: Who, remove: Who];
}

const message = () => ({
  id: randomUUID(),
  name: "Ada",
  email: "a@b.example",
  message: "Ten letters",
});
const consent = (): Row => ({
  ...{ kind: "calls", subject_id: randomUUID(), wording: callSentence },
  ...{ name: "A", email: `${randomUUID()}@example.com` },
});
const settings = (): Row => ({ section: "services", document: { lead: randomUUID() } });
const tables: Record<string, Table> = {
  posts: {
    row: newPost,
    change: { title: "Changed" },
    may: [everyone, writers, writers, writers, writers],
  },
  pages: {
    row: () => ({ id: randomUUID(), slug: randomUUID(), title: "A", author: "A" }),
    change: { title: "Changed" },
    may: [everyone, writers, writers, writers, writers],
  },
  versions: {
    row: () => ({ kind: "post", thing: randomUUID(), event: "approved", document: {} }),
    change: { document: { title: "Forged" } },
    may: [writers, nobody, nobody, nobody, nobody],
  },
  drafts: {
    row: () => ({ kind: "post", thing: randomUUID(), document: { title: "A" } }),
    change: { document: { title: "Changed" } },
    may: [writers, nobody, nobody, nobody, nobody],
  },
  schedules: {
    row: async () => {
      const { thing, number } = await storedVersion("posts");
      return { kind: "post", thing, version: number, at: later() };
    },
    change: { at: then },
    may: [writers, nobody, nobody, nobody, nobody],
  },
  previews: {
    row: async () => ({ kind: "post", thing: (await stored("drafts")).thing }),
    change: { expires_at: "2100-01-01T00:00:00Z" },
    may: [writers, writers, nobody, nobody, writers],
  },
  imported_posts: {
    row: async () => ({ id: (await stored("posts")).id, former_path: `/${randomUUID()}` }),
    change: { former_path: "/other" },
    may: [writers, writers, nobody, nobody, nobody],
  },
  post_slugs: {
    row: async () => ({ slug: randomUUID(), post_id: (await stored("posts")).id }),
    change: { created_at: "2001-01-01T00:00:00Z" },
    may: [everyone, nobody, nobody, nobody, nobody],
  },
  testimonials: {
    row: () => ({ id: randomUUID(), name: "A", content: "A", rating: 5 }),
    change: { content: "Changed" },
    may: [everyone, everyone, nobody, nobody, handlers],
  },
  testimonial_requests: {
    row: () => ({ name: randomUUID() }),
    change: { expires_at: "2100-01-01T00:00:00Z" },
    may: [handlers, handlers, nobody, nobody, handlers],
  },
  consents: {
    row: consent,
    change: { wording: "Forged" },
    may: [handlers, nobody, nobody, nobody, nobody],
  },
  consent_withdrawals: {
    row: async () => ({
      ...{ id: (await stored("consents")).id, received_at: then },
      ...{ channel: "phone", by_name: "A", by_email: null },
    }),
    change: { note: "Forged" },
    may: [handlers, nobody, nobody, nobody, nobody],
  },
  contact_messages: {
    row: message,
    change: { message: "Changed, and long enough" },
    may: [handlers, nobody, nobody, nobody, handlers],
  },
  site_settings: {
    row: () => ({ ...settings(), version: 1 }),
    change: { document: { lead: "Forged" } },
    may: [owners, nobody, nobody, nobody, nobody],
  },
  public_site_settings: {
    row: () => ({ ...settings(), section: randomUUID(), version: 1 }),
    change: { document: { lead: "Forged" } },
    may: [everyone, nobody, nobody, nobody, nobody],
  },
  // Owners read all columns but the one with words and tokens; see 'mails: read the outbox'.
  mails: {
    row: () => ({
      kind: "test",
      recipient: `${randomUUID()}@example.com`,
      data: { token: "secret" },
    }),
    change: { status: "sent" },
    may: [nobody, nobody, nobody, nobody, nobody],
  },
  visit_counts: {
    row: () => ({ day: "2026-11-22", kind: "page", key: `/blog/${randomUUID()}`, count: 1 }),
    change: { count: 1000 },
    may: [owners, nobody, nobody, nobody, nobody],
  },
};

type Verb = (client: SupabaseClient, table: string, values?: Row, of?: Row) => Promise<boolean>;

/** @param values the columns of the row, or the change for `update` */
const verbs = {
  async select(client, table, values) {
    const row = await prepare(() => stored(table, values));
    return reads(() => client.from(table).select("*").match(keyOf(table, row)));
  },
  async insert(client, table, values) {
    const row = await prepare(() => unstored(table, values));
    return writes(() => client.from(table).insert(row), rowState(table, row, null));
  },
  async "insert and read back"(client, table) {
    const row = await prepare(() => unstored(table));
    return writes(() => client.from(table).insert(row).select(), rowState(table, row, null));
  },
  async update(client, table, values, of) {
    const row = await prepare(() => stored(table, of));
    const change = { ...(values ?? tables[table]?.change) };
    const update = () => client.from(table).update(change).match(keyOf(table, row));
    return writes(update, rowState(table, row));
  },
  async "upsert a new row"(client, table) {
    const row = await prepare(() => unstored(table));
    return writes(() => client.from(table).upsert(row), rowState(table, row, null));
  },
  async "upsert over a row"(client, table) {
    const [given, row] = await prepare(async () => {
      const given = await rowOf(table);
      return [given, await stored(table, given)];
    });
    const changed = { ...given, ...tables[table]?.change };
    return writes(() => client.from(table).upsert(changed), rowState(table, row));
  },
  async delete(client, table) {
    const row = await prepare(() => stored(table));
    return writes(() => client.from(table).delete().match(keyOf(table, row)), rowState(table, row));
  },
} satisfies Record<string, Verb>;

const refusal = { approved_at: null, refused_at: then, refusal_reason: "withdrawn" };

/** Permissions on single columns and rows, which the verbs above do not cover. */
const details: [table: string, verb: keyof typeof verbs, who: Who, values: Row, of?: Row][] = [
  ["posts", "insert", nobody, { is_sample: true }],
  ["posts", "update", nobody, { is_sample: true }],
  ["pages", "select", writers, { hidden: true }],
  // Addresses of the site itself, and what no address may be.
  ["pages", "insert", nobody, { slug: "blog" }],
  ["pages", "update", nobody, { slug: "manage" }],
  ["pages", "insert", nobody, { slug: "Privacy" }],
  ["pages", "insert", nobody, { place: "header" }],
  ["versions", "select", handlers, { kind: "testimonial" }],
  ["versions", "select", owners, { kind: "section" }],
  ["schedules", "update", nobody, { retry_at: null, failure: "None" }],
  ["drafts", "select", owners, { kind: "section", thing: "notice" }],
  // An editor with such a link could approve her own post.
  ["previews", "insert", owners, { may_approve: true }],
  ["previews", "select", owners, { may_approve: true }],
  ["previews", "update", nobody, { may_approve: true }],
  ["testimonials", "insert", nobody, { approved_at: then }],
  ["testimonials", "insert", nobody, { is_sample: true }],
  ["testimonials", "insert", nobody, { owner: true }],
  ["testimonials", "insert", nobody, { user_id: randomUUID() }],
  ["testimonials", "insert", nobody, { status: "approved" }],
  ["testimonials", "insert", nobody, { id: "static-1" }],
  ["testimonials", "update", nobody, { is_sample: true }],
  ["testimonials", "insert", nobody, { is_asked: true }],
  ["testimonials", "insert", everyone, { may_be_spam: true }],
  ["testimonials", "update", nobody, { may_be_spam: false }, { may_be_spam: true }],
  ["testimonials", "insert", nobody, { seen_at: then }],
  ["testimonials", "insert", nobody, { pin: 1 }],
  ["testimonials", "update", nobody, { pin: 1 }],
  ["testimonials", "update", handlers, { seen_at: then }],
  ["testimonials", "insert", nobody, { reply: "Thank you" }],
  ["testimonials", "insert", nobody, { relationship: "friend" }],
  ["testimonials", "insert", nobody, { compensation: "$25" }],
  ["testimonials", "insert", nobody, { connection: "cousin" }],
  ["testimonials", "insert", nobody, { compensation: "none", compensation_details: "A voucher" }],
  ["testimonials", "insert", nobody, { statement: "A friend" }],
  ["testimonials", "insert", everyone, { ...testimonialAnswers, consent: publishSentence }],
  ["testimonials", "insert", nobody, { request: "00000000-0000-4000-8000-000000000000" }],
  ["testimonials", "update", nobody, { approved_at: null }],
  ["testimonials", "update", handlers, refusal],
  ["testimonials", "update", nobody, { approved_at: null, refused_at: then }],
  ["testimonials", "update", nobody, { ...refusal, refusal_reason: "Too few stars" }],
  ["testimonials", "update", nobody, { ...refusal, approved_at: then }],
  ["testimonials", "update", nobody, { refused_at: null, refusal_reason: null }, refusal],
  ["testimonials", "update", handlers, { reply: "Thank you" }],
  ["testimonials", "update", handlers, { statement: "Received a voucher" }],
  // What the reviewer answered stays.
  ["testimonials", "update", nobody, { relationship: "client" }],
  ["testimonials", "update", nobody, { compensation: "none" }],
  [
    "testimonials",
    "update",
    nobody,
    { compensation_details: "Nothing" },
    { compensation: "given" },
  ],
  ["testimonials", "update", nobody, { connection: "none" }],
  ["testimonials", "update", nobody, { reply: "Thank you", replied_at: then }],
  ["testimonials", "update", nobody, { is_asked: true }],
  ["testimonials", "update", nobody, { consent: publishSentence }],
  ["testimonial_requests", "insert", nobody, { token: randomUUID() }],
  ["testimonial_requests", "insert", nobody, { expires_at: "2100-01-01T00:00:00Z" }],
  // One forbidden column forbids the whole update.
  ["testimonials", "update", nobody, { approved_at: then, content: "Changed" }],
  ["contact_messages", "update", handlers, { read_at: then }],
  ["contact_messages", "update", handlers, { answered_at: then }],
  ["contact_messages", "update", handlers, { flagged_at: then }],
  ["contact_messages", "update", handlers, { deleted_at: then }],
  ["contact_messages", "update", handlers, { deleted_at: null }, { deleted_at: then }],
  ["contact_messages", "update", handlers, { note: "Call on Thursday" }],
  ["contact_messages", "update", handlers, { spam_at: null }, { spam_at: then }],
  ["contact_messages", "update", nobody, { spam_at: then }],
  ["contact_messages", "update", nobody, { spam_at: "2100-01-01T00:00:00Z" }, { spam_at: then }],
  ["contact_messages", "update", nobody, { read_at: then, noted_at: then }],
  ["contact_messages", "update", nobody, { read_at: then, search_text: "A" }],
  ["contact_messages", "update", nobody, { read_at: then, status: "sent" }],
  ["contact_messages", "update", nobody, { read_at: then, created_at: then }],
  ["site_settings", "select", writers, { section: "blog" }],
  ["site_settings", "select", owners, { section: "mail" }],
];

type Arguments = Row | ((session: Session) => Row | Promise<Row>);
/** What is compared of a function's result: a column of its first row, or a property. */
type Pick = (data: { entries: unknown; 0?: Row; rows: unknown; counts: Row }) => unknown;

const allSamples = {
  ...{ include_edited: true, shows_samples: true, shown_lead: "", keep_posts: false },
};
const leases = { max_count: 1, lease_seconds: 60, max_attempts: 3 };
const always = { starts: then, ends: "2200-01-01T00:00:00Z" };
const search = { query: "findable", filter: "all", first: 0, count: 20 };

/** The functions of the database. Words after a name describe the call. */
const functions: [call: string, who: Who, does: Does, values?: Arguments, pick?: Pick][] = [
  ["is_owner", owners, reads],
  ["my_role", people, reads],
  ["my_profile", people, reads, {}, (rows) => rows[0]?.role],
  ["set_my_name", people, writes, () => ({ name: randomUUID() })],
  ["make_owner of oneself", nobody, responds, ({ userId }) => ({ id: userId })],
  ["list_people", owners, reads],
  // The new names let the calls change something.
  ["set_person", owners, writes, () => renamed(bystander.userId, "assistant")],
  ["set_person of oneself", owners, writes, ({ userId }) => renamed(userId, "owner")],
  [
    "set_person of the last owner",
    nobody,
    writes,
    () => renamed(sessions.owner.userId, "assistant"),
  ],
  ["remove_person", owners, writes, editor],
  ["remove_person of the last owner", nobody, writes, () => ({ id: sessions.owner.userId })],
  ["add_person", nobody, responds, bystanderAsOwner],
  ["list_my_sessions", accounts, reads],
  ["end_my_session", accounts, writes, otherSession],
  ["end_my_session of another", nobody, writes, () => ({ id: sessionIdOf(bystander) })],
  // tests/security/second-step.test.ts has accounts with an app.
  ["has_just_signed_in", accounts, reads],
  ["create_recovery_codes after a sign-in", accounts, responds],
  ["count_recovery_codes", accounts, responds],
  ["use_recovery_code", accounts, responds, { code: "none" }],
  // Whoever could call it without the function would not be counted by address.
  [
    "claim_recovery_code",
    nobody,
    responds,
    { email: "a@example.com", code: "a", request_headers: "{}" },
  ],
  ["list_code_uses", owners, responds],
  ["dismiss_code_uses", owners, responds, { latest: "2026-01-01T00:00:00Z" }],
  ["remove_second_step", nobody, responds, () => ({ id: bystander.userId })],
  ["end_sessions", nobody, responds, () => ({ id: bystander.userId })],
  // Only functions may count: others could exhaust the rate limit of every visitor, or of the owners.
  ["count_contact_message", nobody, responds, { request_headers: "{}" }],
  ["count_invitation", nobody, responds],
  ["count_test_mail", owners, responds],
  ["mail_service", owners, reads],
  ["store_mail_service after a sign-in", owners, writes, mailService],
  ["read_mail_service", nobody, responds],
  ["count_image_import", writers, responds],
  ["project_facts", nobody, responds],
  ["table_states", everyone, reads],

  ["import_post", writers, writes, importedPost],
  ["find_former_path", everyone, responds, { path: "/former", parameters: [] }],
  ["save_draft", writers, writes, () => saving({ id: randomUUID(), title: "A" })],
  ["save_draft of a page", writers, writes, () => saving({ id: randomUUID() }, { kind: "page" })],
  ["save_draft of a section", owners, writes, () => sectionDraft()],
  ["save_draft of a testimonial", nobody, writes, saving({ id: "A" }, { kind: "testimonial" })],
  ["keep_draft", writers, writes, draftOf],
  ["discard_draft", writers, writes, async () => ({ ...(await draftOf()), replaced: null })],
  ["discard_draft of a section", owners, writes, async () => discarding(await settingsDraft())],
  ["schedule", writers, writes, () => scheduling(newPost())],
  ["unschedule", writers, writes, scheduledPost],
  ["unpublish", writers, writes, async () => ({ thing: (await stored("posts")).id })],
  ["restore", writers, writes, deletedVersion],
  ["restore of a section", owners, writes, publishedSection],
  [
    "restore of a testimonial",
    nobody,
    writes,
    async () => restoring((await storedVersion("testimonials")).number),
  ],
  ["undo_deletion", writers, writes, deletedThing],
  ["undo_deletion of a testimonial", handlers, writes, deletedTestimonial],
  ["remove_deleted", writers, writes, deletedThing],
  ["search_managed_posts", writers, reads, managedSearch()],
  ["search_managed_posts for pages", writers, reads, managedSearch({ kind: "page" })],
  ["get_preview", everyone, reads, given("preview_token", "previews", "token")],
  ["submit", writers, writes, finishedPost],
  ["submit of a section", owners, writes, finishedSection],
  ["submit of a testimonial", nobody, writes, submitting(newPost(), null, "testimonial")],
  ["schedule of a section", nobody, writes, scheduling(newPost(), { kind: "section" })],
  ["decide", owners, writes, openSubmission],
  ["decide by a link", everyone, writes, openReview],
  ["search_posts", everyone, reads, { query: "insurance", first: 0, count: 1 }],
  ["list_post_categories", everyone, reads],
  ["list_category_posts", everyone, reads, categoryOfPost],
  ["find_neighbor_posts", everyone, reads, given("post_slug", "posts", "slug")],
  ["claim_unused_images", nobody, responds, { max_count: 1 }],
  ["list_expired_images", nobody, responds, { max_count: 1 }],

  ["search_messages", handlers, reads, findableMessage, ({ rows }) => rows],
  ["search_messages counts", handlers, reads, findableMessage, ({ counts }) => counts.all],
  ["list_consents", handlers, reads, listedConsent, ({ rows }) => rows],
  ["withdraw_consent", handlers, writes, openConsent],
  ["withdraw_consent in the future", nobody, writes, futureWithdrawal],
  ["claim_mails", nobody, responds, { ...leases, team: "[]" }],
  ["queue_confirmation", nobody, responds, given("message_id", "contact_messages")],
  [
    "get_testimonial_request",
    everyone,
    reads,
    given("request_token", "testimonial_requests", "token"),
  ],
  ["delete_testimonial", handlers, writes, withReason("duplicate")],
  ["delete_testimonial without a reason", nobody, writes, withReason(null)],
  [
    "place_testimonial",
    owners,
    writes,
    async () => ({ id: (await stored("testimonials")).id, place: 1 }),
  ],
  [
    "testimonial_decisions",
    handlers,
    reads,
    async () => {
      await stored("testimonials");
      return { first: 0, count: 1 };
    },
    ({ rows }) => rows,
  ],

  ["keep_contact", owners, responds, { value: "1", kind: "post", thing: "1", is_right: false }],
  ["find_person", owners, reads, foundPerson, ({ entries }) => entries],
  ["erase_person", owners, writes, async () => ({ ...(await privacyRequest()), keep: [] })],
  ["record_copy", owners, writes, privacyRequest],
  [
    "list_privacy_requests",
    owners,
    reads,
    async () => {
      const given = await privacyRequest();
      await sessions.owner.client.rpc("record_copy", given).throwOnError();
      return { email: given.email, first: 0 };
    },
  ],

  ["swap_pages", writers, writes, twoPages],
  ["publish", owners, writes, async () => publicationOf(await settingsDraft())],
  ["publish of a post", writers, writes, newPublication],
  ["publish of a testimonial", nobody, writes, publicationOf({ A: null }, "testimonial")],
  ["sample_content", owners, reads],
  ["outdated_contact", owners, responds],
  ["remove_sample_content", owners, writes, allSamples],
  ["archive_rows", owners, reads, { moment: then, path: null, query: null, first: 0, count: 9 }],
  ["read_archive_files", owners, responds, { hashes: [] }],
  ["archive_changes", owners, responds, { ...always, first: 0 }],
  ["archive_retention", owners, reads, { years: null }],
  ["capture_site with a guessed key", nobody, responds, guessedCapture],
  ["keep_mail", nobody, responds, { name: "confirmation", subject: "A mail", words: "Words" }],
  ["create_site_key", owners, writes],
  ["confirm_site_address with a guessed key", nobody, responds, guessedAddress],
  ["visit_summary", owners, reads, { day_count: 30, time_zone: "UTC" }],
  ["add_visits with a guessed key", nobody, responds, guessedVisits],
];

type Bucket = ReturnType<SupabaseClient["storage"]["from"]>;
type FileAct = (bucket: Bucket, path: string) => PromiseLike<Result>;

/** What a bucket has, and how a post refers to it. */
const kinds = {
  images: {
    ...{ folder: "public/", extension: "gif", bytes: gif, contentType: "image/gif" },
    refer: (path: string): Row => ({
      image_url: admin.storage.from("images").getPublicUrl(path).data.publicUrl,
    }),
  },
  files: {
    ...{ folder: "files/", extension: "pdf", contentType: "application/pdf" },
    bytes: Buffer.from("%PDF-1.7"),
    refer(path: string): Row {
      const marks = [{ type: "link", start: 0, end: 4, href: `/${path}` }];
      return { content: [{ type: "list", items: ["Text"], itemMarks: [marks] }] };
    },
  },
};
type Kind = keyof typeof kinds;

const upload =
  (kind: Kind): FileAct =>
  (bucket, path) => {
    const { bytes, contentType } = kinds[kind];
    return bucket.upload(path, bytes, { contentType });
  };
const replace =
  (kind: Kind, upsert?: boolean): FileAct =>
  (bucket, path) => {
    const { bytes, contentType } = kinds[kind];
    const other = Buffer.concat([bytes, bytes]);
    if (upsert) return bucket.upload(path, other, { contentType, upsert });
    return bucket.update(path, other, { contentType });
  };
const remove: FileAct = (bucket, path) => bucket.remove([path]);
const moveTo =
  (destinationBucket: string): FileAct =>
  (bucket, path) =>
    bucket.move(path, path, { destinationBucket });
const setAside = moveTo("deleted-images");

type FileCell = [what: string, who: Who, path: () => string | Promise<string>, act: FileAct];

/** The operations on files that the buckets allow. */
const files: FileCell[] = [
  ...(["images", "files"] as const).flatMap((kind): FileCell[] => {
    const { folder } = kinds[kind];
    const added = () => newPath(kind);
    const rename: FileAct = (bucket, path) => bucket.move(path, newPath(kind));
    const file = () => storedFile(kind);
    const used = () => fileOf(kind, (values) => stored("posts", values));
    const restorable = () => fileOf(kind, deletedPost);
    return [
      [`${kind}: upload to ${folder}`, writers, added, upload(kind)],
      [`${kind}: upload to another folder`, nobody, () => newPath(kind, "private/"), upload(kind)],
      [`${kind}: replace by update()`, writers, file, replace(kind)],
      [`${kind}: replace by upsert`, writers, file, replace(kind, true)],
      [`${kind}: replace one of a post`, nobody, used, replace(kind)],
      [`${kind}: remove`, writers, file, remove],
      [`${kind}: remove one of a post`, nobody, used, remove],
      [`${kind}: remove one of a deleted post`, nobody, restorable, remove],
      [`${kind}: rename`, nobody, file, rename],
      [`${kind}: move to the deleted ones`, writers, file, setAside],
      [`${kind}: move one of a post`, nobody, used, setAside],
      [`deleted-images: restore to ${kind}`, writers, () => deletedFile(kind), moveTo(kind)],
    ];
  }),
  ["images: upload to the top", nobody, () => newPath("images", ""), upload("images")],
  ["images: upload to public/../", nobody, () => newPath("images", "public/../"), upload("images")],
  ["images: upload a PDF", nobody, () => newPath("files", "public/"), upload("files")],
  ["files: upload with another ending", nobody, () => newPath("images", "files/"), upload("files")],
  ["files: upload an image", nobody, () => newPath("files"), upload("images")],
  ["files: move to the images", nobody, () => storedFile("files"), moveTo("images")],
  ["deleted-images: upload", nobody, () => newPath("images"), upload("images")],
  ["deleted-images: remove", nobody, () => deletedFile("images"), remove],
  [
    "deleted-images: restore a PDF as an image",
    nobody,
    () => deletedFile("files"),
    moveTo("images"),
  ],
];

type Cell = [what: string, who: Who, attempt: Attempt];

const cells: Cell[] = [
  ...Object.entries(tables).flatMap(([name, { may }]) => {
    const [select, insert, update, upsert, remove] = may;
    const allowed = [select, insert, insert, update, upsert, upsert, remove];
    return Object.entries<Verb>(verbs).map(([verb, act], index): Cell => {
      const attempt: Attempt = ({ client }) => act(client, name);
      return [`${name}: ${verb}`, allowed[index] ?? nobody, attempt];
    });
  }),
  ...details.map(([table, verb, who, values, of]): Cell => {
    const act: Verb = verbs[verb];
    const attempt: Attempt = ({ client }) => act(client, table, values, of);
    return [`${table}: ${verb} ${JSON.stringify(values).slice(0, 60)}`, who, attempt];
  }),
  ...functions.map(([call, who, does, values = {}, pick = (data) => data]): Cell => {
    const attempt: Attempt = async (session) => {
      const make = async () => (typeof values === "function" ? values(session) : values);
      const given = await (values.length === 0 ? prepare(make) : make());
      return does(async () => {
        const { data, error } = await session.client.rpc(call.split(" ")[0] ?? "", given);
        return { data: data && pick(data), error };
      });
    };
    return [`rpc ${call}`, who, attempt];
  }),
  ...files.map(([what, who, path, act]): Cell => {
    const attempt: Attempt = async ({ client }) => {
      const file = await prepare(path);
      const bucket = client.storage.from(what.split(":")[0] ?? "");
      return writes(() => act(bucket, file), fileState(file));
    };
    return [what, who, attempt];
  }),
  ["images: download", everyone, download("images", storedFile)],
  ["deleted-images: download", writers, download("deleted-images", deletedFile)],
  ["files: read by the public address", everyone, readPublic("files", storedFile)],
  ["images: read by the public address", everyone, readPublic("images", storedFile)],
  ["deleted-images: read by the public address", nobody, readPublic("deleted-images", deletedFile)],
  [
    "images: make private",
    nobody,
    onStorage((storage) => storage.updateBucket("images", { public: false })),
  ],
  ["images: empty", nobody, onStorage((storage) => storage.emptyBucket("images"))],
  [
    "buckets: create",
    nobody,
    onStorage((storage) => storage.createBucket(`forged-${randomUUID()}`, { public: true })),
  ],
  ["contact_messages: delete all", handlers, deleteAllMessages],
  ["mails: read the outbox", owners, readOutbox],
  ["send-email: mail about an account", nobody, invoke("send-email/account")],
  // The function reads what this actor sends; a valid message would be mailed.
  ["send-email: send a message", everyone, invoke("send-email", "{}", 400)],
  ["send-email: send spam", everyone, invoke("send-email/spam", "{}", 400)],
  ["send-email: deliver what is due", nobody, invoke("send-email/deliver")],
  ["send-email: test mail", owners, invoke("send-email/test")],
  ["send-email: enter a mail service", owners, invoke("send-email/service", "{}", 400)],
  ["invite-person: invite", owners, invoke("invite-person", "{}", 400)],
  ["recover-account: use a code", everyone, invoke("recover-account", "{}", 400)],
  ["import-images: fetch", writers, invoke("import-images", "{}", 400)],
  ["remove-unused-images: start", nobody, invoke("remove-unused-images")],
  ["auth: sign up", nobody, signUp],
  ["auth: set up", nobody, setUp],
];

const { project, sql, admin } = await setUpProject<SupabaseClient>({
  // A job that changes rows between two attempts would be taken for the second one.
  jobIntervals: { mail: 3_600_000, duePosts: 3_600_000 },
});
/** Reads all rows in one query: a request per table would take minutes for all attempts. */
let snapshotQuery = "";
const sessions = {} as Record<Actor, Session>;
/** The files of the tests. */
const paths: string[] = [];
let canListFiles = true;
/** What an attempt works on. The next one works on the same if it changed nothing. */
let prepared: unknown;
/** Whether nothing was prepared since the last attempt. */
let isPrepared = false;
/** The state after the last attempt. */
let lastState: string | null = null;
/** The error of the last attempt. */
let lastError: unknown;
/** An account with a role and a session that other accounts try to change. */
let bystander: Session;

beforeAll(async () => {
  sessions.anonymous = { client: openClient(project), userId: randomUUID(), token: "" };
  sessions.stranger = await openSession(await project.createStranger());
  sessions.owner = await openSession(project.owner);
  for (const role of roles) {
    if (role !== "owner") sessions[role] = await openSession(await newPerson(role));
  }
  bystander = await openSession(await newPerson("editor"));
  if (!project.backend) return;
  // Each change of a row changes its xmin.
  const [row] = await sql<{ query: string }[]>`
    select 'select concat_ws('' '', ' || string_agg(format(
        '(select count(*) || '':'' || coalesce(sum(xmin::text::bigint), 0) from %I.%I)', nspname, relname
      ), ', ') || ') as state' as query
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind = 'r' and (nspname in ('public', 'private', 'storage')
      or (nspname, relname) in (('auth', 'users'), ('auth', 'sessions')))`;
  snapshotQuery = row?.query ?? "";
});

afterAll(async () => {
  for (const id of buckets) await admin.storage.from(id).remove(paths);
});

/** What these calls change in another project could not be restored, so only those try them who must be rejected. */
const irreversible =
  /^(rpc (remove_sample_content|create_site_key|count_test_mail|store_mail_service.*)|contact_messages: delete all|send-email: test mail)$/;
/** What these calls change in a project with real data could not be restored if one were wrongly allowed, or stays in a log. */
const needsEmptyProject =
  /settings|section|^rpc (publish|remove_sample_content|create_site_key|erase_person|record_copy|list_privacy_requests)$|^(contact_messages: delete all|images: (make private|empty))$/;

test.for(cells)("%s", async ([what, who, attempt], { skip, task }) => {
  const other = !project.backend;
  skip(other && what.includes("last owner"), "Another project has an owner of its own");
  const hasData = Boolean(process.env.CONTRACT_WITH_DATA);
  skip(hasData && needsEmptyProject.test(what), "This could destroy real data");
  const mustFail = other && irreversible.test(what);
  const expected: Actor[] = [];
  const worked: Actor[] = [];
  let reason = "";
  prepared = undefined;
  for (const actor of everyone) {
    const isAllowed = who.includes(actor);
    if (isAllowed && mustFail) continue;
    if (worked.length > 0) prepared = undefined;
    lastError = undefined;
    isPrepared = false;
    const hasWorked = await attempt(sessions[actor]);
    // Another project has rate limits, which come before the policies.
    skip(other && isRateLimit(lastError), "A rate limit of the project is reached");
    if (isAllowed) expected.push(actor);
    if (hasWorked) worked.push(actor);
    else if (isAllowed) reason = describeError(lastError);
  }
  task.meta.permission = { what, expected, worked, reason };
  expect(worked).toEqual(expected);
});

test("the expectations above name every table, function and bucket", async () => {
  expect(Object.keys(tables).toSorted()).toEqual(
    Object.keys(embeddedConfig.rest.tables).toSorted(),
  );
  const called = new Set(functions.map(([call]) => call.split(" ")[0]));
  // Another project does not reveal its catalog.
  if (project.backend) {
    const offered = await sql<{ name: string }[]>`
      select proname as name from pg_proc
      where pronamespace = 'public'::regnamespace and prorettype <> 'trigger'::regtype`;
    expect([...called].toSorted()).toEqual(offered.map(({ name }) => name).toSorted());
  }
  const others = new Set(cells.map(([what]) => what.split(/[:/]/)[0]));
  const folder = join(import.meta.dirname, "../../supabase/functions");
  const edgeFunctions = readdirSync(folder).filter((name) => !name.startsWith("_"));
  const { data: buckets } = await admin.storage.listBuckets();
  for (const name of [...edgeFunctions, ...(buckets ?? []).map(({ id }) => id)]) {
    expect(others).toContain(name);
  }
});

test("the pages offer each role what the database allows", async ({ skip }) => {
  if (!project.backend) return skip("This reads the database itself");
  for (const role of roles) {
    const session = sessions[role];
    const claims = JSON.stringify({ sub: session.userId, session_id: sessionIdOf(session) });
    await sql`select set_config('request.jwt.claims', ${claims}, false)`;
    for (const task of roleInfo.owner.tasks) {
      const [answer] = await sql`select private.may(${task}) as allowed`;
      expect(answer?.allowed, `${role}: ${task}`).toBe(may(role, task));
    }
  }
});

test("the API reaches no table or function of another schema", async ({ skip }) => {
  if (!project.backend) return skip("This reads the database itself");
  const hidden = await sql<{ schema: string; name: string; kind: string }[]>`
    select nspname as schema, relname as name, 'table' as kind
      from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where relkind in ('r', 'v') and nspname in ('private', 'auth', 'storage', 'supabase_migrations')
    union all select 'private', proname, 'function'
      from pg_proc where pronamespace = 'private'::regnamespace`;
  expect(hidden).toContainEqual({ schema: "private", name: "people", kind: "table" });
  const before = await snapshot();
  for (const { schema, name, kind } of hidden) {
    // The API rejects them whoever asks; other roles may do less than an owner.
    for (const { client } of [sessions.anonymous, sessions.stranger, sessions.owner]) {
      const table = client.schema(schema).from(name);
      const attempts =
        kind === "table"
          ? [
              table.select("*"),
              table.insert({}),
              table.update({}).not("id", "is", null),
              table.delete().not("id", "is", null),
            ]
          : [client.schema(schema).rpc(name), client.rpc(name)];
      for (const { error } of await Promise.all(attempts)) {
        expect(error, `${schema}.${name}`).not.toBeNull();
      }
    }
  }
  expect(await snapshot()).toBe(before);
});

test.each(["", "sb_publishable_wrong", "sb_secret_wrong"])(
  "the key %j gives no access",
  async (apikey) => {
    const response = await fetch(`${project.url}/rest/v1/posts?select=id`, { headers: { apikey } });
    expect(response.status).toBe(401);
  },
);

type Does = (request: () => PromiseLike<Result>, state?: State) => Promise<boolean>;
/** Reads what a request would change, with the secret key. What it is before is known for a row. */
interface State {
  before?: unknown;
  read: () => PromiseLike<unknown>;
}

/** The state of all rows that a caller could have changed. Without the database, only what the request names. */
async function snapshot(state?: State): Promise<string | null> {
  if (project.backend) {
    // Planning it takes longer than running it.
    const [row] = await sql.unsafe<{ state: string }[]>(snapshotQuery, [], { prepare: true });
    return row?.state ?? "";
  }
  return state ? JSON.stringify(await state.read()) : null;
}

/** @param before null when the row is not stored */
async function prepare<Target>(make: () => Target | Promise<Target>): Promise<Target> {
  isPrepared = prepared !== undefined;
  prepared ??= await make();
  // The attempts of a cell prepare the same kind of value.
  return prepared as Target;
}

/** @returns undefined for a row that gets its key from the database */
function rowState(table: string, row: Row, before: Row | null = row): State | undefined {
  if (row[tableKeys[table] ?? "id"] === undefined) return;
  const find = () => admin.from(table).select("*").match(keyOf(table, row)).maybeSingle();
  return { before, read: async () => (await find()).data };
}

const buckets = ["images", "files", "deleted-images"];

/** Where a file is, in all buckets. The embedded backend lists no files. */
function fileState(path: string): State {
  const { dir, base: search } = posix.parse(posix.normalize(path));
  const find = async (id: string) => {
    const bucket = admin.storage.from(id);
    const listed = canListFiles ? (await bucket.list(dir, { search })).data : null;
    canListFiles = listed !== null;
    return listed ?? (await bucket.download(path)).data?.size;
  };
  return { read: () => Promise.all(buckets.map(find)) };
}

/** A write worked when it changed something. A response that says otherwise fails the test. */
async function writes(request: () => PromiseLike<Result>, state?: State): Promise<boolean> {
  const isKnown = !project.backend && state?.before !== undefined;
  const unchanged = project.backend && isPrepared ? lastState : null;
  const before = isKnown ? JSON.stringify(state.before) : (unchanged ?? (await snapshot(state)));
  const { data, error } = await request();
  lastError = error;
  // A function that changes nothing returns false. Otherwise the response is all that another project reveals.
  if (before === null) return !error && data !== false;
  lastState = await snapshot(state);
  const changed = lastState !== before;
  if (changed && error) throw new Error("An error was returned, but something changed");
  if (!changed && Array.isArray(data) && data.length > 0) {
    throw new Error("Rows were returned, but nothing changed");
  }
  return changed;
}

/** For calls that must fail: any response but an error is wrong. */
async function responds(request: () => PromiseLike<Result>): Promise<boolean> {
  const { error } = await request();
  lastError = error;
  return !error;
}

async function reads(request: () => PromiseLike<Result>): Promise<boolean> {
  const { data, error } = await request();
  lastError = error;
  return !error && (Array.isArray(data) ? data.length > 0 : Boolean(data));
}

function isRateLimit(error: unknown): boolean {
  return error instanceof Object && "code" in error && error.code === "over_request_rate_limit";
}

function describeError(error: unknown): string {
  if (error instanceof FunctionsHttpError) return `HTTP ${error.context.status}`;
  return error instanceof Object && "message" in error ? String(error.message) : "";
}

function keyOf(table: string, row: Row): Row {
  const key = tableKeys[table] ?? "id";
  return { [key]: row[key] };
}

async function rowOf(table: string, values?: Row): Promise<Row> {
  return { ...(await tables[table]?.row()), ...values };
}

/** What makes a trigger add a row to a table that nobody may write. */
const versionWriters: Record<string, (values?: Row) => Promise<unknown>> = {
  versions: async (values) => {
    if (values?.kind !== "section") return stored(values ? "testimonials" : "posts");
    return publishedSection();
  },
};

/** @returns the row as it was stored */
async function stored(table: string, values?: Row): Promise<Row> {
  const write = versionWriters[table];
  if (write) {
    await write(values);
    return newestVersion();
  }
  // Only triggers write it.
  if (table === "public_site_settings") {
    return (await admin.from(table).select("*").eq("section", "content").single().throwOnError())
      .data;
  }
  const row = await rowOf(table, values);
  // Such a link names its maker.
  const maker = row.may_approve ? { created_by: sessions.owner.userId } : {};
  const rows = admin.from(table);
  const request = appendOnly.includes(table) ? rows.insert(row) : rows.upsert({ ...row, ...maker });
  return (await request.select().single().throwOnError()).data;
}

async function newestVersion(): Promise<Row> {
  const newest = admin.from("versions").select("*").order("number", { ascending: false }).limit(1);
  return (await newest.single().throwOnError()).data;
}

/** The version of a new row. */
async function storedVersion(table: "posts" | "testimonials"): Promise<Row> {
  const { id } = await stored(table);
  const versions = admin.from("versions").select("*").eq("thing", id);
  return (await versions.single().throwOnError()).data;
}

/** A row for an insert. Each section of the settings can exist once, so one is removed first. */
async function unstored(table: string, values?: Row): Promise<Row> {
  const row = await rowOf(table, values);
  if (row.section && !appendOnly.includes(table))
    await admin.from(table).delete().match(keyOf(table, row)).throwOnError();
  return row;
}

async function openSession(account: Account): Promise<Session> {
  const client: SupabaseClient = openClient(project);
  const { data, error } = await client.auth.signInWithPassword(account);
  if (error) throw error;
  return { client, userId: data.user.id, token: data.session.access_token, account };
}

function sessionIdOf({ token }: Session): unknown {
  return decodeJwt(token).session_id;
}

async function newPerson(role: Role) {
  const account = await project.createStranger();
  await admin.rpc("add_person", { email: account.email, role, name: "Ada" }).throwOnError();
  return account;
}

async function editor(): Promise<Row> {
  return { id: (await newPerson("editor")).id };
}

function renamed(id: string, role: Role): Row {
  return { id, role, name: randomUUID() };
}

function bystanderAsOwner(): Row {
  return { email: bystander.account?.email, role: "owner", name: "" };
}

async function otherSession({ account }: Session): Promise<Row> {
  return { id: account ? sessionIdOf(await openSession(account)) : randomUUID() };
}

/** As encrypted. */
function mailService(): Row {
  return { service: JSON.stringify({ kind: "resend" }), secret: "A".repeat(60) };
}

function withReason(reason: string | null) {
  return async (): Promise<Row> => ({ id: (await stored("testimonials")).id, reason });
}

/** An argument or a row that takes its value from a column of another row. */
function given(name: string, table: string, column = "id") {
  return async (): Promise<Row> => ({ [name]: (await stored(table))[column] });
}

async function twoPages(): Promise<Row> {
  return { one: (await stored("pages")).id, other: (await stored("pages")).id };
}

async function categoryOfPost(): Promise<Row> {
  return { categories: [(await stored("posts")).category], first: 0, count: 1 };
}

function thingIn({ kind, thing }: Row): Row {
  return { kind, thing };
}

/** One that was never public. */
async function scheduledPost(): Promise<Row> {
  const call = scheduling(newPost());
  await sessions.owner.client.rpc("schedule", call).throwOnError();
  return thingIn(call);
}

async function draftOf(): Promise<Row> {
  return thingIn(await stored("drafts"));
}

async function sectionDraft(): Promise<Row> {
  const changes = { kind: "section", base: await publishedVersion("notice") };
  await admin.from("drafts").delete().match({ kind: "section", thing: "notice" }).throwOnError();
  return saving({ id: "notice", text: randomUUID() }, changes);
}

function discarding(drafts: Readonly<Record<string, string>>): Row {
  const [[thing, replaced] = []] = Object.entries(drafts);
  return { kind: "section", thing, replaced };
}

async function publishedSection(): Promise<Row> {
  await sessions.owner.client.rpc("publish", publicationOf(await settingsDraft())).throwOnError();
  return restoring((await newestVersion()).number);
}

function newPublication(): Row {
  const { id, ...document } = newPost();
  return { changes: JSON.stringify([{ kind: "post", thing: id, draft: null, document }]) };
}

async function deletedThing(): Promise<Row> {
  return { kind: "post", thing: await deletedPost() };
}

async function deletedTestimonial(): Promise<Row> {
  const { id } = await stored("testimonials");
  await admin.from("testimonials").delete().eq("id", id).throwOnError();
  return { kind: "testimonial", thing: id };
}

async function deletedPost(values?: Row): Promise<unknown> {
  const { id } = await stored("posts", values);
  await admin.from("posts").delete().eq("id", id).throwOnError();
  return id;
}

/** The version that was stored when the post was deleted. */
async function deletedVersion(): Promise<Row> {
  const versions = admin
    .from("versions")
    .select("number")
    .eq("thing", await deletedPost());
  const last = versions.order("number", { ascending: false }).limit(1).single();
  return restoring((await last.throwOnError()).data.number);
}

function importedPost(): Row {
  const texts = { title: "A", category: "", slug: "", content: [] };
  return { post: JSON.stringify({ ...texts, id: randomUUID(), former_path: `/${randomUUID()}` }) };
}

async function finishedPost() {
  const { thing: id, saved_at } = await stored("drafts");
  // The mails about its approval have its title, by which a test of a project finds and removes them.
  return submitting(newPost({ id, title: randomUUID() }), String(saved_at));
}

async function openSubmission(): Promise<Row> {
  const { data } = await sessions.owner.client.rpc("submit", await finishedPost());
  return decision(data);
}

/** A submission that anyone with the link of its post may decide about. */
async function openReview(): Promise<Row> {
  const draft = await finishedPost();
  const { data } = await sessions.owner.client.rpc("submit", draft);
  const { token } = await stored("previews", { thing: draft.thing, may_approve: true });
  return decision(data, { preview_token: token, name: "Rita", email: "rita@example.com" });
}

async function readOutbox({ client }: Session): Promise<boolean> {
  const { id } = await prepare(() => stored("mails"));
  return reads(() => client.from("mails").select("id, kind, recipient, status").eq("id", id));
}

async function findableMessage(): Promise<Row> {
  await stored("contact_messages", { name: "Findable" });
  return search;
}

async function listedConsent(): Promise<Row> {
  const { subject_id } = await stored("consents");
  return { filter: "all", subjects: [subject_id], first: 0, count: 1 };
}

async function openConsent(): Promise<Row> {
  const { id } = await stored("consents");
  return { consent: id, received_at: new Date().toISOString(), channel: "phone", note: "" };
}

async function futureWithdrawal(): Promise<Row> {
  return { ...(await openConsent()), received_at: "2100-01-01T00:00:00Z" };
}

async function foundPerson(): Promise<Row> {
  const email = `${randomUUID()}@example.com`;
  await stored("contact_messages", { email });
  return { email };
}

async function privacyRequest(): Promise<Row> {
  return { ...(await foundPerson()), received_on: "2026-11-20" };
}

function settingsDraft(): Promise<Record<string, string>> {
  const blog = { ...otherFirm.blog, heading: `Heading ${randomUUID()}` };
  return saveSettings(sessions.owner.client, { blog });
}

async function finishedSection(): Promise<Row> {
  const { blog: draft } = await settingsDraft();
  const stored = sessions.owner.client.from("drafts").select("document").eq("thing", "blog");
  const { document } = (await stored.single().throwOnError()).data ?? {};
  return { kind: "section", thing: "blog", document: JSON.stringify(document), draft };
}

async function publishedVersion(section: string): Promise<unknown> {
  const published = admin.from("site_settings").select("version").eq("section", section);
  return (await published.maybeSingle().throwOnError()).data?.version ?? null;
}

function guessedCapture(): Row {
  return { site_key: randomUUID(), step: "begin", value: JSON.stringify({ holder: "A" }) };
}

function guessedAddress(): Row {
  return { site_key: randomUUID(), address: "https://evil.example" };
}

function guessedVisits(): Row {
  const day = new Date().toISOString().slice(0, 10);
  const visits = JSON.stringify([{ kind: "page", key: "/", count: 1000 }]);
  return { site_key: randomUUID(), day, visits };
}

function newPath(kind: Kind, folder = kinds[kind].folder): string {
  const path = `${folder}${randomUUID()}.${kinds[kind].extension}`;
  paths.push(path);
  return path;
}

async function storedFile(kind: Kind = "images"): Promise<string> {
  const path = newPath(kind);
  const { error } = await upload(kind)(admin.storage.from(kind), path);
  if (error) throw error;
  return path;
}

/** A file of a post, or of one that was deleted. */
async function fileOf(kind: Kind, post: (values: Row) => Promise<unknown>): Promise<string> {
  const path = await storedFile(kind);
  await post(kinds[kind].refer(path));
  return path;
}

async function deletedFile(kind: Kind = "images"): Promise<string> {
  const path = await storedFile(kind);
  const { error } = await setAside(admin.storage.from(kind), path);
  if (error) throw error;
  return path;
}

function download(bucket: string, file: () => Promise<string>): Attempt {
  return async ({ client }) => {
    const path = await prepare(() => file());
    return reads(() => client.storage.from(bucket).download(path));
  };
}

function readPublic(bucket: string, file: (kind?: Kind) => Promise<string>): Attempt {
  return async () => {
    const path = await prepare(() => file(bucket === "files" ? "files" : "images"));
    const { publicUrl } = admin.storage.from(bucket).getPublicUrl(path).data;
    return (await fetch(publicUrl)).ok;
  };
}

function onStorage(act: (storage: SupabaseClient["storage"]) => PromiseLike<Result>): Attempt {
  return async ({ client }) => {
    await storedFile();
    return writes(() => act(client.storage));
  };
}

async function deleteAllMessages({ client }: Session): Promise<boolean> {
  const state = rowState("contact_messages", await stored("contact_messages"));
  return writes(() => client.from("contact_messages").delete().not("id", "is", null), state);
}

/** @param status of the response that shows that the function accepts the caller */
function invoke(name: string, body = "", status = 200): Attempt {
  return async ({ client }) => {
    const { error } = await client.functions.invoke(name, { body });
    lastError = error;
    return (error?.context.status ?? 200) === status;
  };
}

/** With the address of an account, so that nothing is created when sign-up is open. */
async function signUp(): Promise<boolean> {
  const account = { email: bystander.account?.email ?? "", password: randomUUID() };
  const { error } = await openClient(project).auth.signUp(account);
  lastError = error;
  return error?.code !== "signup_disabled";
}

/** Without a link. A hosted project does not have the call. */
async function setUp({ token }: Session): Promise<boolean> {
  const { url, anonKey } = project;
  const response = await fetch(`${url}/auth/v1/setup`, {
    method: "POST",
    headers: { apikey: anonKey, authorization: `Bearer ${token || anonKey}` },
    body: JSON.stringify({ token: "x", email: "set-up@example.com", password: randomUUID() }),
  });
  lastError = await response.text();
  return response.ok;
}

test.each(["2999-01-01T00:00:00Z", "2001-01-01T00:00:00Z", "-infinity", "0044-03-15 BC"])(
  "the database sets the time of a review that is sent with %s",
  async (created_at) => {
    // Owners have no rate limit.
    for (const { client } of [...(project.backend ? [sessions.anonymous] : []), sessions.owner]) {
      // Since the samples were removed above, the site asks for them.
      const row = newReview({ created_at });
      await client.from("testimonials").insert(row).throwOnError();
      const { data } = await admin.from("testimonials").select("*").eq("id", row.id).single();
      expect(Math.abs(Date.parse(data?.created_at) - Date.now())).toBeLessThan(60_000);
    }
  },
);

/** The owner's rights that a client can use. */
async function powersOf(client: SupabaseClient): Promise<string[]> {
  const powers: string[] = [];
  const asked = [
    "rpc is_owner",
    "posts: insert",
    "contact_messages: select",
    "images: upload to public/",
  ];
  for (const [what, , attempt] of cells) {
    if (!asked.includes(what)) continue;
    prepared = undefined;
    if (await attempt({ ...sessions.owner, client })) powers.push(what);
  }
  return powers;
}

test("the owner's valid session has the rights that others are denied below", async () => {
  expect(await powersOf(sessions.owner.client)).toHaveLength(4);
});

test("a stranger's own user metadata grants no rights", async () => {
  const { client, token } = await openSession(await project.createStranger());
  const claims = { owner: true, is_owner: true, role: "service_role", is_super_admin: true };
  const response = await fetch(`${project.url}/auth/v1/user`, {
    method: "PUT",
    headers: {
      apikey: project.anonKey,
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({
      ...claims,
      aud: "service_role",
      data: claims,
      app_metadata: claims,
      raw_app_meta_data: claims,
    }),
  });
  await response.text();
  const { session, user } = (await client.auth.refreshSession()).data;
  const authenticated = { role: "authenticated", aud: "authenticated" };
  expect(decodeJwt(session?.access_token ?? "")).toMatchObject(authenticated);
  expect(user?.app_metadata).not.toMatchObject({ owner: true });
  expect(await powersOf(client)).toEqual([]);
});

const hour = 3600;
const now = () => Math.floor(Date.now() / 1000);
const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
const ownerClaims = () => ({
  sub: sessions.owner.userId,
  aud: "authenticated",
  role: "authenticated",
  exp: now() + hour,
  session_id: sessionIdOf(sessions.owner),
});

/** The owner's token with other claims. The secret of another project is unknown, so the signature is wrong there. */
function sign(changes: object = {}, secret = project.jwtSecret ?? "unknown"): Promise<string> {
  return new SignJWT({ ...ownerClaims(), ...changes })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .sign(new TextEncoder().encode(secret));
}

test.each<[what: string, forge: () => string | Promise<string>]>([
  ["that has expired", () => sign({ exp: now() - hour })],
  ["for another audience", () => sign({ aud: "somewhere-else" })],
  ["without a subject", () => sign({ sub: undefined })],
  ["without a session", () => sign({ session_id: undefined })],
  ["of a session that never existed", () => sign({ session_id: randomUUID() })],
  ["of another user's session", () => sign({ sub: sessions.stranger.userId })],
  ["signed with another secret", () => sign({}, "x".repeat(64))],
  ["signed with the public key", () => sign({}, project.anonKey)],
  ["of the service role, signed with another secret", () => sign({ role: "service_role" }, "y")],
  ["with alg none", () => `${encode({ alg: "none", typ: "JWT" })}.${encode(ownerClaims())}.`],
  ["without its signature", async () => (await sign()).replace(/[.][^.]*$/, ".")],
  [
    "of a stranger, with the owner's id inserted",
    () => sessions.stranger.token.replace(/[.].*[.]/, `.${encode(ownerClaims())}.`),
  ],
  ["that is not a JWT", () => "sb_secret_guessed"],
])("a token %s grants no rights", async (_what, forge) => {
  const token = await forge();
  const client = createClient(project.url, project.anonKey, { accessToken: async () => token });
  expect(await powersOf(client)).toEqual([]);
});
