// Permissions at the API: every verb on every table and on the bucket, as each of the five actors.
// The table below is the expectation. What is rejected must also change nothing, which is verified
// with the secret key.
import { randomUUID } from "node:crypto";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { decodeJwt, SignJWT } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect, type Sql } from "../../backend/database.ts";
import { openClient, type Project, startProject } from "../start-project.ts";

const roles = ["anonymous", "stranger", "owner", "editor", "assistant"] as const;
type Role = (typeof roles)[number];
interface Account {
  email: string;
  password: string;
}
type Verdict = "allowed" | "rejected";
type Attempt = (client: SupabaseClient, userId: string) => Promise<Verdict>;

const yes = "allowed";
const no = "rejected";

interface Table {
  name: string;
  /** The column that identifies a row. */
  key: string;
  row: () => Record<string, unknown>;
  change: Record<string, unknown>;
  /** The columns to compare: responses with whole posts have few rows. */
  compared?: string;
}

const posts: Table = {
  name: "posts",
  key: "id",
  row: () => ({ id: randomUUID(), slug: randomUUID(), title: "A", category: "A", author: "A" }),
  change: { title: "Changed" },
  compared: "id,slug,title,category,author,updated_at",
};
const samplePost: Table = {
  ...posts,
  row: () => ({ ...posts.row(), is_sample: true }),
  change: { is_sample: true },
};
const postOfAnyYear: Table = { ...posts, change: { updated_at: "infinity" } };
const drafts: Table = {
  name: "post_drafts",
  key: "id",
  row: () => ({ id: randomUUID(), title: "A" }),
  change: { title: "Changed" },
};
const scheduledPosts: Table = {
  name: "scheduled_posts",
  key: "id",
  row: () => ({
    ...posts.row(),
    ...{ content: [{ type: "paragraph", text: "A" }], image_url: "/images/posts/old-oak.svg" },
    published_date: new Date(Date.now() + 3_600_000).toISOString(),
  }),
  change: { title: "Changed" },
};
const failedSchedule: Table = { ...scheduledPosts, change: { retry_at: null, failure: "None" } };
/** Drafts without a preview link. */
const previewableDrafts = Array.from({ length: 20 }, () => randomUUID());
const previews: Table = {
  name: "post_previews",
  key: "post_id",
  row: () => ({ post_id: previewableDrafts.pop() }),
  change: { expires_at: "2100-01-01T00:00:00Z" },
};
const postVersions: Table = {
  name: "post_versions",
  key: "post_id",
  row: () => ({ post_id: randomUUID(), event: "draft", document: {} }),
  change: { document: { title: "Forged" } },
};
const testimonials: Table = {
  name: "testimonials",
  key: "id",
  row: () => ({ id: randomUUID(), name: "A", content: "A", rating: 5 }),
  change: { content: "Changed" },
};
const hiddenTestimonial: Table = { ...testimonials, change: { approved_at: null } };
const forgedApproval: Table = {
  ...testimonials,
  change: { approved_at: "2026-11-22T09:00:00Z", content: "Changed" },
};
const approvedTestimonial: Table = {
  ...testimonials,
  row: () => ({ ...testimonials.row(), approved_at: "2026-11-22T09:00:00Z" }),
};
const sampleTestimonial: Table = {
  ...testimonials,
  row: () => ({ ...testimonials.row(), is_sample: true }),
  change: { is_sample: true },
};
const formerSlugs: Table = {
  name: "post_slugs",
  key: "slug",
  row: () => ({ slug: randomUUID(), post_id: postId }),
  change: { created_at: "2001-01-01T00:00:00Z" },
};
const messages: Table = {
  name: "contact_messages",
  key: "id",
  row: () => ({ id: randomUUID(), name: "Ada", email: "a@b.example", message: "Ten letters" }),
  change: { message: "Changed, and long enough" },
};
const visitCounts: Table = {
  name: "visit_counts",
  key: "key",
  row: () => ({ day: "2026-11-22", kind: "page", key: `/blog/${randomUUID()}`, count: 1 }),
  change: { count: 1000 },
};
const publicSettings: Table = {
  name: "public_site_settings",
  key: "section",
  row: () => ({ section: randomUUID(), document: {}, version: 1 }),
  change: { document: { lead: "Forged" } },
};
const settings = (section: string): Table => ({
  ...publicSettings,
  name: "site_settings",
  row: () => ({ section, document: {}, version: 1 }),
});

const then = "2026-11-21T09:00:00Z";
const gif = Buffer.from("R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==", "base64");

//                                                 anonymous, stranger, owner, editor, assistant
const table: [what: string, attempt: Attempt, ...expected: Verdict[]][] = [
  ["posts: select", select(posts), yes, yes, yes, yes, yes],
  ["posts: insert", insert(posts), no, no, yes, yes, no],
  ["posts: insert and read back", insertSelect(posts), no, no, yes, yes, no],
  ["posts: update", update(posts), no, no, yes, yes, no],
  ["posts: upsert a new row", upsertNew(posts), no, no, yes, yes, no],
  ["posts: upsert over a row", upsertOver(posts), no, no, yes, yes, no],
  ["posts: delete", remove(posts), no, no, yes, yes, no],
  ["posts: insert a sample", insert(samplePost), no, no, no, no, no],
  ["posts: make one a sample", update(samplePost), no, no, no, no, no],
  ["posts: choose a time that no page can read", update(postOfAnyYear), no, no, no, no, no],

  ["post_drafts: select", select(drafts), no, no, yes, yes, no],
  ["post_drafts: insert", insert(drafts), no, no, yes, yes, no],
  ["post_drafts: insert and read back", insertSelect(drafts), no, no, yes, yes, no],
  ["post_drafts: update", update(drafts), no, no, yes, yes, no],
  ["post_drafts: upsert over a row", upsertOver(drafts), no, no, yes, yes, no],
  ["post_drafts: delete", remove(drafts), no, no, no, no, no],
  ["scheduled_posts: select", select(scheduledPosts), no, no, yes, yes, no],
  ["scheduled_posts: insert", insert(scheduledPosts), no, no, no, no, no],
  ["scheduled_posts: update", update(scheduledPosts), no, no, no, no, no],
  ["scheduled_posts: upsert over a row", upsertOver(scheduledPosts), no, no, no, no, no],
  ["scheduled_posts: write a failure", update(failedSchedule), no, no, no, no, no],
  ["scheduled_posts: delete", remove(scheduledPosts), no, no, no, no, no],
  ["post_previews: select", select(previews), no, no, yes, yes, no],
  ["post_previews: insert", insert(previews), no, no, yes, yes, no],
  ["post_previews: prolong", update(previews), no, no, no, no, no],
  ["post_previews: delete", remove(previews), no, no, yes, yes, no],
  ["post_versions: select", select(postVersions), no, no, yes, yes, no],
  ["post_versions: insert", insert(postVersions), no, no, no, no, no],
  ["post_versions: update", update(postVersions), no, no, no, no, no],
  ["post_versions: upsert over a row", upsertOver(postVersions), no, no, no, no, no],
  ["post_versions: delete", remove(postVersions), no, no, no, no, no],
  ["rpc save_draft_version", saveDraftVersion, no, no, yes, yes, no],
  ["rpc discard_draft", discardDraft, no, no, yes, yes, no],
  ["rpc search_managed_posts", searchManagedPosts, no, no, yes, yes, no],
  ["rpc schedule_post", schedulePost, no, no, yes, yes, no],
  ["rpc unschedule_post", unschedulePost, no, no, yes, yes, no],
  ["rpc restore_post_version", restorePostVersion, no, no, yes, yes, no],
  ["rpc get_post_preview with a token", readPreview, yes, yes, yes, yes, yes],
  ["rpc list_expired_images", listExpiredImages, no, no, no, no, no],

  ["testimonials: select", select(testimonials), yes, yes, yes, yes, yes],
  ["testimonials: insert", insert(testimonials), yes, yes, yes, yes, yes],
  ["testimonials: insert and read back", insertSelect(testimonials), yes, yes, yes, yes, yes],
  ["testimonials: update", update(testimonials), no, no, no, no, no],
  ["testimonials: upsert a new row", upsertNew(testimonials), no, no, no, no, no],
  ["testimonials: upsert over a row", upsertOver(testimonials), no, no, no, no, no],
  ["testimonials: delete", remove(testimonials), no, no, yes, no, yes],
  ["testimonials: hide or approve", update(hiddenTestimonial), no, no, yes, no, yes],
  ["testimonials: approve, and change the text too", update(forgedApproval), no, no, no, no, no],
  ["testimonials: insert an approved one", insert(approvedTestimonial), no, no, no, no, no],
  ["testimonials: insert a sample", insert(sampleTestimonial), no, no, no, no, no],
  ["testimonials: make one a sample", update(sampleTestimonial), no, no, no, no, no],

  ["post_slugs: select", select(formerSlugs), yes, yes, yes, yes, yes],
  ["post_slugs: insert", insert(formerSlugs), no, no, no, no, no],
  ["post_slugs: update", update(formerSlugs), no, no, no, no, no],
  ["post_slugs: upsert a new row", upsertNew(formerSlugs), no, no, no, no, no],
  ["post_slugs: upsert over a row", upsertOver(formerSlugs), no, no, no, no, no],
  ["post_slugs: delete", remove(formerSlugs), no, no, no, no, no],

  ["contact_messages: select", select(messages), no, no, yes, no, yes],
  ["contact_messages: insert", insert(messages), no, no, no, no, no],
  ["contact_messages: update", update(messages), no, no, no, no, no],
  ["contact_messages: mark as read", mark("read_at"), no, no, yes, no, yes],
  ["contact_messages: mark as answered", mark("answered_at"), no, no, yes, no, yes],
  [
    "contact_messages: mark as read at a time that no page can read",
    update({ ...messages, change: { read_at: "infinity" } }),
    no,
    no,
    no,
    no,
    no,
  ],
  ["contact_messages: flag", mark("flagged_at"), no, no, yes, no, yes],
  ["contact_messages: write a note", note("Call on Thursday"), no, no, yes, no, yes],
  [
    "contact_messages: write a note of 2,001 characters",
    note("n".repeat(2001)),
    no,
    no,
    no,
    no,
    no,
  ],
  [
    "contact_messages: choose the version of a note",
    markAnd({ noted_at: then }),
    no,
    no,
    no,
    no,
    no,
  ],
  ["contact_messages: delete recoverably", mark("deleted_at"), no, no, yes, no, yes],
  ["contact_messages: restore", restore, no, no, yes, no, yes],
  ["contact_messages: change the searched text", markAnd({ search_text: "A" }), no, no, no, no, no],
  [
    "contact_messages: mark, and change the state too",
    markAnd({ status: "sent" }),
    no,
    no,
    no,
    no,
    no,
  ],
  [
    "contact_messages: mark, and change the time too",
    markAnd({ created_at: then }),
    no,
    no,
    no,
    no,
    no,
  ],
  ["contact_messages: upsert over a row", upsertOver(messages), no, no, no, no, no],
  ["contact_messages: delete", remove(messages), no, no, yes, no, yes],
  ["contact_messages: delete all", removeAll(messages), no, no, yes, no, yes],

  ["public_site_settings: select", select(publicSettings), yes, yes, yes, yes, yes],
  ["public_site_settings: insert", insert(publicSettings), no, no, no, no, no],
  ["public_site_settings: update", update(publicSettings), no, no, no, no, no],
  ["public_site_settings: upsert over a row", upsertOver(publicSettings), no, no, no, no, no],
  ["public_site_settings: delete", remove(publicSettings), no, no, no, no, no],
  ["site_settings: insert", insert(settings("home")), no, no, no, no, no],
  ["site_settings: select the services", select(settings("services")), no, no, yes, no, no],
  ["site_settings: select who may sign posts", select(settings("blog")), no, no, yes, yes, no],
  ["site_settings: select the recipients", select(settings("mail")), no, no, yes, no, no],
  ["site_settings: update", update(settings("blog")), no, no, no, no, no],
  ["site_settings: upsert over a row", upsertOver(settings("blog")), no, no, no, no, no],
  ["site_settings: delete", remove(settings("blog")), no, no, no, no, no],

  ["visit_counts: select", select(visitCounts), no, no, yes, no, no],
  ["visit_counts: insert", insert(visitCounts), no, no, no, no, no],
  ["visit_counts: update", update(visitCounts), no, no, no, no, no],
  ["visit_counts: upsert over a row", upsertOver(visitCounts), no, no, no, no, no],
  ["visit_counts: delete", remove(visitCounts), no, no, no, no, no],
  ["rpc add_visits with a guessed key", addVisits, no, no, no, no, no],
  ["rpc create_visits_key", createVisitsKey, no, no, yes, no, no],
  ["rpc visit_summary", readVisits, no, no, yes, no, no],
  ["private.visits_key: select", selectAny("private", "visits_key"), no, no, no, no, no],
  ["private.visits_key: update", updateAny("private", "visits_key"), no, no, no, no, no],
  ["private.visit_batches: select", selectAny("private", "visit_batches"), no, no, no, no, no],

  ["private.people: select", selectAny("private", "people"), no, no, no, no, no],
  ["private.people: insert oneself", insertSelf("private", "people"), no, no, no, no, no],
  ["private.people: update", updateAny("private", "people"), no, no, no, no, no],
  ["private.people: delete", deleteAny("private", "people"), no, no, no, no, no],
  ["auth.users: select", selectAny("auth", "users"), no, no, no, no, no],
  ["auth.users: insert", insertSelf("auth", "users"), no, no, no, no, no],
  ["auth.users: update", updateAny("auth", "users"), no, no, no, no, no],
  ["auth.users: delete", deleteAny("auth", "users"), no, no, no, no, no],
  ["storage.objects by REST: select", selectAny("storage", "objects"), no, no, no, no, no],
  ["storage.objects by REST: delete", deleteAny("storage", "objects"), no, no, no, no, no],

  ["rpc is_owner returns true", isOwner, no, no, yes, no, no],
  ["rpc make_owner of oneself", makeOwner, no, no, no, no, no],
  ["rpc claim_contact_messages", claimMessages, no, no, no, no, no],
  ["rpc count_contact_message", countMessage, no, no, no, no, no],
  ["rpc search_messages finds a message", searchMessages, no, no, yes, no, yes],
  ["rpc search_messages counts messages", countMessages, no, no, yes, no, yes],
  ["rpc search_posts finds a post", searchPosts, yes, yes, yes, yes, yes],
  ["rpc list_post_categories", succeeds("list_post_categories"), yes, yes, yes, yes, yes],
  ["rpc find_neighbor_posts", findNeighbors, yes, yes, yes, yes, yes],
  [
    "private.post_search_vector: call",
    succeeds("post_search_vector", { title: "A", tagline: "", content: [] }),
    no,
    no,
    no,
    no,
    no,
  ],
  ["rpc claim_unused_images", claimImages, no, no, no, no, no],
  ["private.unused_images: select", selectAny("private", "unused_images"), no, no, no, no, no],
  ["private.request_limits: update", updateAny("private", "request_limits"), no, no, no, no, no],
  [
    "private.counted_requests: select",
    selectAny("private", "counted_requests"),
    no,
    no,
    no,
    no,
    no,
  ],
  [
    "private.counted_requests: delete",
    deleteAny("private", "counted_requests"),
    no,
    no,
    no,
    no,
    no,
  ],

  ["rpc sample_content", succeeds("sample_content"), no, no, yes, no, no],
  ["rpc remove_sample_content", removeSampleContent, no, no, yes, no, no],
  ["rpc restore_sample_content", restoreSampleContent, no, no, yes, no, no],
  ["rpc claim_test_mail", succeeds("claim_test_mail"), no, no, yes, no, no],
  ["rpc claim_testimonial_notices", claimNotices, no, no, no, no, no],
  ["rpc finish_testimonial_notice", finishNotice, no, no, no, no, no],
  ["private.removed_samples: select", selectAny("private", "removed_samples"), no, no, no, no, no],
  [
    "private.testimonial_notices: select",
    selectAny("private", "testimonial_notices"),
    no,
    no,
    no,
    no,
    no,
  ],
  ["private.test_mails: delete", deleteAny("private", "test_mails"), no, no, no, no, no],
  ["send-email: test mail", sendTestMail, no, no, yes, no, no],

  ["auth.sessions: select", selectAny("auth", "sessions"), no, no, no, no, no],
  ["auth.sessions: delete", deleteAny("auth", "sessions"), no, no, no, no, no],
  ["rpc list_people", listPeople, no, no, yes, no, no],
  ["rpc set_person of another", changePerson, no, no, yes, no, no],
  ["rpc set_person of oneself", changeOneself, no, no, yes, no, no],
  ["rpc set_person of the last owner to editor", demoteLastOwner, no, no, no, no, no],
  ["rpc remove_person", removePerson, no, no, yes, no, no],
  ["rpc remove_person of the last owner", removeLastOwner, no, no, no, no, no],
  ["rpc add_person", addPerson, no, no, no, no, no],
  ["rpc my_profile returns a role", readProfile, no, no, yes, yes, yes],
  ["rpc set_my_name", setMyName, no, no, yes, yes, yes],
  ["rpc list_my_sessions", listSessions, no, yes, yes, yes, yes],
  ["rpc end_my_session of one's own", endOwnSession, no, yes, yes, yes, yes],
  ["rpc end_my_session of another's", endForeignSession, no, no, no, no, no],
  ["rpc end_sessions", endAllSessions, no, no, no, no, no],
  ["rpc count_invitation", countInvitation, no, no, no, no, no],
  ["invite-person: invite someone", invitePerson, no, no, yes, no, no],

  ["send-email: send a message", sendMessage, yes, yes, yes, yes, yes],
  ["send-email: deliver what is due", deliverMessages, no, no, no, no, no],
  ["remove-unused-images", removeUnusedImages, no, no, no, no, no],

  ["images: upload to public/", upload("public/"), no, no, yes, yes, no],
  ["images: upload to the top", upload(""), no, no, no, no, no],
  ["images: upload to another folder", upload("private/"), no, no, no, no, no],
  ["images: upload to public/../", upload("public/../"), no, no, no, no, no],
  ["images: replace by update()", replace("update"), no, no, yes, yes, no],
  ["images: replace by upsert", replace("upsert"), no, no, yes, yes, no],
  ["images: list", list, no, no, yes, yes, no],
  ["images: remove", removeImage, no, no, yes, yes, no],
  ["images: remove one that a post shows", removeUsedImage, no, no, no, no, no],
  ["images: replace one that a post shows", replaceUsedImage, no, no, no, no, no],
  ["images: move a draft's image to the deleted ones", moveImage(false), no, no, yes, yes, no],
  ["images: move one that a post shows", moveImage(true), no, no, no, no, no],
  ["images: rename", renameImage, no, no, no, no, no],
  ["images: remove one of a deleted post", removeRestorableImage, no, no, no, no, no],
  ["deleted-images: upload", uploadDeleted, no, no, no, no, no],
  ["deleted-images: list", listDeleted, no, no, yes, yes, no],
  ["deleted-images: restore", restoreImage, no, no, yes, yes, no],
  ["deleted-images: remove", removeDeleted, no, no, no, no, no],
  ["images: read by the public address", readPublic, yes, yes, yes, yes, yes],
  ["images: make the bucket private", closeBucket, no, no, no, no, no],
  ["images: empty the bucket", emptyBucket, no, no, no, no, no],
  ["buckets: create", createBucket, no, no, no, no, no],
];

/** The post of the former slugs. */
const postId = randomUUID();

let project: Project;
let admin: SupabaseClient;
/** The database; null for another project, whose rows are read over its API. */
let sql: Sql | null = null;
const accounts = {} as Record<Exclude<Role, "anonymous">, Account>;
/** An account with a role and a session, to test that no other account may change them. */
let bystander: { client: SupabaseClient; userId: string; sessionId: string };
let strangerClient: SupabaseClient;
const clients = {} as Record<Role, SupabaseClient>;
const userIds = {} as Record<Role, string>;
const results = new Map<string, Verdict[]>();

beforeAll(async () => {
  project = await startProject();
  admin = createClient(project.url, project.secretKey, { auth: { persistSession: false } });
  if (project.backend) sql = connect(project.backend.databaseUrl, 1);
  const post = await admin.from("posts").insert({ ...posts.row(), id: postId });
  if (post.error) throw post.error;
  const draftRows = previewableDrafts.map((id) => ({ id }));
  const previewable = await admin.from("post_drafts").insert(draftRows);
  if (previewable.error) throw previewable.error;
  accounts.owner = project.owner;
  accounts.stranger = await project.createStranger();
  accounts.editor = await createPerson("editor");
  accounts.assistant = await createPerson("assistant");
  for (const role of roles) {
    const client: SupabaseClient = openClient(project);
    userIds[role] = role === "anonymous" ? randomUUID() : await signIn(client, accounts[role]);
    clients[role] = client;
  }
  const client: SupabaseClient = openClient(project);
  const userId = await signIn(client, await createPerson("editor"));
  bystander = { client, userId, sessionId: await sessionIdOf(client) };
  strangerClient = clients.stranger;
});

afterAll(async () => {
  await admin.from("posts").delete().eq("id", postId);
  const lines = [...results].map(([what, verdicts]) => `| ${what} | ${verdicts.join(" | ")} |`);
  console.log(
    [`| attempt | ${roles.join(" | ")} |`, "|---|---|---|---|---|---|", ...lines].join("\n"),
  );
  await sql?.end();
  await project.stop();
});

test.each(table)("%s", async (what, attempt, ...expected) => {
  const seen: Verdict[] = [];
  for (const role of roles) seen.push(await attempt(clients[role], userIds[role]));
  results.set(what, seen);
  expect(seen).toEqual(expected);
});

async function createPerson(role: "owner" | "editor" | "assistant"): Promise<Account> {
  const account = await project.createStranger();
  const { error } = await admin.rpc("add_person", { email: account.email, role, name: "Ada" });
  if (error) throw error;
  return account;
}

/** @returns the account's id */
async function signIn(client: SupabaseClient, account: Account): Promise<string> {
  const { data, error } = await client.auth.signInWithPassword(account);
  if (error) throw error;
  return data.user.id;
}

async function sessionIdOf(client: SupabaseClient): Promise<string> {
  return String(decodeJwt(await sessionToken(client)).session_id);
}

/** All data that a caller could have changed, as seen by the secret key and the accounts. */
async function snapshot(): Promise<string> {
  return sql ? snapshotRows(sql) : snapshotOverTheApi();
}

/** One query in place of twelve requests, which would take two minutes for all attempts. */
async function snapshotRows(database: Sql): Promise<string> {
  const [row] = await database<{ rows: string }[]>`
    select md5(concat(
      (select string_agg(post::text, '' order by post.id)
        from (select id, slug, title, category, author, updated_at from posts) as post),
      (select string_agg(row::text, '' order by row.id) from post_drafts as row),
      (select string_agg(row::text, '' order by row.id) from scheduled_posts as row),
      (select string_agg(row::text, '' order by row.id) from post_versions as row),
      (select string_agg(row::text, '' order by row.token) from post_previews as row),
      (select string_agg(row::text, '' order by row.id) from testimonials as row),
      (select string_agg(row::text, '' order by row.slug) from post_slugs as row),
      (select string_agg(row::text, '' order by row.section) from site_settings as row),
      (select string_agg(row::text, '' order by row.section) from public_site_settings as row),
      (select string_agg(row::text, '' order by row.id) from contact_messages as row),
      (select string_agg(row::text, '' order by row::text) from visit_counts as row),
      (select string_agg(row::text, '' order by row.user_id) from private.people as row),
      (select string_agg(object::text, '' order by object.bucket_id, object.name)
        from (select bucket_id, name, owner_id, metadata, updated_at from storage.objects) as object),
      (select string_agg(row::text, '' order by row.id) from storage.buckets as row),
      (select string_agg(account::text, '' order by account.id)
        from (select id, email, encrypted_password, raw_user_meta_data, raw_app_meta_data
          from auth.users) as account)
    )) as rows`;
  return row?.rows ?? "";
}

async function snapshotOverTheApi(): Promise<string> {
  const images = admin.storage.from("images");
  const responses = await Promise.all([
    ...[posts, testimonials, formerSlugs, messages, visitCounts, drafts, scheduledPosts].map(
      ({ name, key, compared = "*" }) => admin.from(name).select(compared).order(key),
    ),
    ...["", "public", "private"].map((folder) => images.list(folder, { limit: 1000 })),
    admin.storage.listBuckets(),
    clients.owner.auth.getUser(),
    clients.stranger.auth.getUser(),
    admin.rpc("list_people"),
  ]);
  return JSON.stringify(responses.map(({ data, error }) => error ?? data));
}

/** A write is allowed when it changed something. A response that says otherwise fails the test. */
async function tryWriting(
  write: () => PromiseLike<{ data?: unknown; error: unknown }>,
): Promise<Verdict> {
  const before = await snapshot();
  const { data, error } = await write();
  const changed = (await snapshot()) !== before;
  if (changed && error) throw new Error("An error was returned, but something changed");
  if (!changed && Array.isArray(data) && data.length > 0)
    throw new Error("Rows were returned, but nothing changed");
  return changed ? yes : no;
}

async function tryReading(
  read: () => PromiseLike<{ data: unknown[] | null; error: unknown }>,
): Promise<Verdict> {
  const { data, error } = await read();
  return !error && data && data.length > 0 ? yes : no;
}

async function stored({ name, row }: Table): Promise<Record<string, unknown>> {
  const stored = row();
  const { error } = await admin.from(name).upsert(stored);
  if (error) throw error;
  return stored;
}

function select(table: Table): Attempt {
  return async (client) => {
    const row = await stored(table);
    return tryReading(() => client.from(table.name).select("*").eq(table.key, row[table.key]));
  };
}

function insert(table: Table): Attempt {
  return (client) => tryWriting(() => client.from(table.name).insert(table.row()));
}

function insertSelect(table: Table): Attempt {
  return (client) => tryWriting(() => client.from(table.name).insert(table.row()).select());
}

function update(table: Table): Attempt {
  return async (client) => {
    const row = await stored(table);
    return tryWriting(() =>
      client.from(table.name).update(table.change).eq(table.key, row[table.key]),
    );
  };
}

function mark(column: "read_at" | "answered_at" | "flagged_at" | "deleted_at"): Attempt {
  return update({ ...messages, change: { [column]: then } });
}

function note(text: string): Attempt {
  return update({ ...messages, change: { note: text } });
}

function restore(client: SupabaseClient, userId: string): Promise<Verdict> {
  const row = () => ({ ...messages.row(), deleted_at: then });
  return update({ ...messages, row, change: { deleted_at: null } })(client, userId);
}

async function searchMessages(client: SupabaseClient): Promise<Verdict> {
  const { id } = await stored({
    ...messages,
    row: () => ({ ...messages.row(), name: "Findable" }),
  });
  const search = { query: "findable", filter: "all", first: 0, count: 20 };
  const { data, error } = await client.rpc("search_messages", search);
  return !error && data.rows.some((row: { id: unknown }) => row.id === id) ? yes : no;
}

async function countMessages(client: SupabaseClient): Promise<Verdict> {
  await stored(messages);
  const search = { query: "", filter: "all", first: 0, count: 0 };
  const { data, error } = await client.rpc("search_messages", search);
  return !error && data.counts.all > 0 ? yes : no;
}

async function searchPosts(client: SupabaseClient): Promise<Verdict> {
  const title = `Findable ${randomUUID()}`;
  const { id } = await stored({ ...posts, row: () => ({ ...posts.row(), title }) });
  const { data, error } = await client.rpc("search_posts", { query: title, first: 0, count: 5 });
  return !error && data.some((row: { id: unknown }) => row.id === id) ? yes : no;
}

async function findNeighbors(client: SupabaseClient): Promise<Verdict> {
  const { slug } = await stored(posts);
  return tryReading(() => client.rpc("find_neighbor_posts", { post_slug: slug }));
}

/** One forbidden column forbids the whole update. */
function markAnd(more: Record<string, unknown>): Attempt {
  return update({ ...messages, change: { read_at: then, ...more } });
}

function upsertNew(table: Table): Attempt {
  return (client) => tryWriting(() => client.from(table.name).upsert(table.row()));
}

function upsertOver(table: Table): Attempt {
  return async (client) => {
    const row = { ...(await stored(table)), ...table.change };
    return tryWriting(() => client.from(table.name).upsert(row));
  };
}

function remove(table: Table): Attempt {
  return async (client) => {
    const row = await stored(table);
    return tryWriting(() => client.from(table.name).delete().eq(table.key, row[table.key]));
  };
}

function removeAll(table: Table): Attempt {
  return async (client) => {
    await stored(table);
    return tryWriting(() => client.from(table.name).delete().not("id", "is", null));
  };
}

function selectAny(schema: string, table: string): Attempt {
  return (client) => tryReading(() => client.schema(schema).from(table).select("*"));
}

function insertSelf(schema: string, table: string): Attempt {
  return (client, id) =>
    tryWriting(() =>
      client
        .schema(schema)
        .from(table)
        .insert(table === "people" ? { user_id: id } : { id }),
    );
}

function updateAny(schema: string, table: string): Attempt {
  const change = { created_at: "2001-01-01" };
  return (client) =>
    tryWriting(() =>
      client.schema(schema).from(table).update(change).not("created_at", "is", null),
    );
}

function deleteAny(schema: string, table: string): Attempt {
  return (client) =>
    tryWriting(() => client.schema(schema).from(table).delete().not("created_at", "is", null));
}

async function isOwner(client: SupabaseClient): Promise<Verdict> {
  return (await client.rpc("is_owner")).data === true ? yes : no;
}

function makeOwner(client: SupabaseClient, id: string): Promise<Verdict> {
  return tryWriting(() => client.rpc("make_owner", { id }));
}

async function claimMessages(client: SupabaseClient): Promise<Verdict> {
  await stored(messages);
  const claim = { max_count: 1, lease_seconds: 60, max_attempts: 3 };
  return tryWriting(() => client.rpc("claim_contact_messages", claim));
}

function succeeds(name: string, values = {}): Attempt {
  return async (client) => ((await client.rpc(name, values)).error ? no : yes);
}

const allSamples = { include_edited: true, shows_samples: true, shown_lead: "" };

function removeSampleContent(client: SupabaseClient): Promise<Verdict> {
  return tryWriting(() => client.rpc("remove_sample_content", allSamples));
}

async function restoreSampleContent(client: SupabaseClient): Promise<Verdict> {
  const { error } = await clients.owner.rpc("remove_sample_content", allSamples);
  if (error) throw error;
  return tryWriting(() => client.rpc("restore_sample_content"));
}

async function claimNotices(client: SupabaseClient): Promise<Verdict> {
  const claim = { max_count: 1, max_attempts: 3 };
  return (await client.rpc("claim_testimonial_notices", claim)).error ? no : yes;
}

async function finishNotice(client: SupabaseClient): Promise<Verdict> {
  const { error } = await client.rpc("finish_testimonial_notice", { id: randomUUID() });
  return error ? no : yes;
}

async function sendTestMail(client: SupabaseClient): Promise<Verdict> {
  const { error } = await client.functions.invoke("send-email/test", { body: "" });
  return error ? no : yes;
}

/** Only the function send-email may count: others could exhaust the rate limit of every visitor. */
function countMessage(client: SupabaseClient): Promise<Verdict> {
  return tryWriting(() => client.rpc("count_contact_message", { visitor_address: "203.0.113.1" }));
}

function addVisits(client: SupabaseClient): Promise<Verdict> {
  const day = new Date().toISOString().slice(0, 10);
  const visits = JSON.stringify([{ day, kind: "page", key: `/blog/${randomUUID()}`, count: 1000 }]);
  return tryWriting(() =>
    client.rpc("add_visits", { visits_key: randomUUID(), batch: randomUUID(), visits }),
  );
}

async function createVisitsKey(client: SupabaseClient): Promise<Verdict> {
  return (await client.rpc("create_visits_key")).data ? yes : no;
}

async function readVisits(client: SupabaseClient): Promise<Verdict> {
  const { data } = await client.rpc("visit_summary", { day_count: 30, time_zone: "UTC" });
  return data ? yes : no;
}

async function listPeople(client: SupabaseClient): Promise<Verdict> {
  return tryReading(() => client.rpc("list_people"));
}

async function changePerson(client: SupabaseClient): Promise<Verdict> {
  const { email } = await createPerson("assistant");
  const { data } = await admin.rpc("list_people");
  const person = data.find((each: { email: string }) => each.email === email);
  return tryWriting(() =>
    client.rpc("set_person", { id: person.id, role: "editor", name: "Renamed" }),
  );
}

/** With another name, so that the owner changes something as well. */
function changeOneself(client: SupabaseClient, id: string): Promise<Verdict> {
  return tryWriting(() => client.rpc("set_person", { id, role: "owner", name: randomUUID() }));
}

function demoteLastOwner(client: SupabaseClient): Promise<Verdict> {
  const { owner: id } = userIds;
  return tryWriting(() => client.rpc("set_person", { id, role: "editor", name: "" }));
}

async function removePerson(client: SupabaseClient): Promise<Verdict> {
  const removed: SupabaseClient = openClient(project);
  const id = await signIn(removed, await createPerson("owner"));
  const verdict = await tryWriting(() => client.rpc("remove_person", { id }));
  expect((await removed.rpc("is_owner")).data === true).toBe(verdict === no);
  // Otherwise it would not be the last owner that the other attempts remove.
  if (verdict === no) await admin.rpc("remove_person", { id });
  return verdict;
}

function removeLastOwner(client: SupabaseClient): Promise<Verdict> {
  return tryWriting(() => client.rpc("remove_person", { id: userIds.owner }));
}

async function addPerson(client: SupabaseClient): Promise<Verdict> {
  const { email } = await project.createStranger();
  return tryWriting(() => client.rpc("add_person", { email, role: "owner", name: "" }));
}

async function readProfile(client: SupabaseClient): Promise<Verdict> {
  const { data } = await client.rpc("my_profile");
  return data?.[0]?.role ? yes : no;
}

function setMyName(client: SupabaseClient): Promise<Verdict> {
  return tryWriting(() => client.rpc("set_my_name", { name: randomUUID() }));
}

function listSessions(client: SupabaseClient): Promise<Verdict> {
  return tryReading(() => client.rpc("list_my_sessions"));
}

async function endOwnSession(client: SupabaseClient, userId: string): Promise<Verdict> {
  const role = roles.find((each) => userIds[each] === userId);
  const other: SupabaseClient = openClient(project);
  await signIn(other, accounts[role === "anonymous" || !role ? "stranger" : role]);
  const id = await sessionIdOf(other);
  return tryEndingSession(other, () => client.rpc("end_my_session", { id }));
}

function endForeignSession(client: SupabaseClient): Promise<Verdict> {
  const { sessionId: id } = bystander;
  return tryEndingSession(bystander.client, () => client.rpc("end_my_session", { id }));
}

function endAllSessions(client: SupabaseClient): Promise<Verdict> {
  const { userId: id } = bystander;
  return tryEndingSession(bystander.client, () => client.rpc("end_sessions", { id }));
}

async function tryEndingSession(
  target: SupabaseClient,
  end: () => PromiseLike<unknown>,
): Promise<Verdict> {
  expect((await target.rpc("list_my_sessions")).data).not.toEqual([]);
  await end();
  return (await target.auth.refreshSession()).error ? yes : no;
}

/** Only the function invite-person may count: others could exhaust the owners' rate limit. */
async function countInvitation(client: SupabaseClient): Promise<Verdict> {
  return (await client.rpc("count_invitation")).error ? no : yes;
}

function invitePerson(client: SupabaseClient): Promise<Verdict> {
  const body = { email: `${randomUUID()}@example.com`, name: "Eve", role: "editor" };
  return tryWriting(() => client.functions.invoke("invite-person", { body }));
}

function sendMessage(client: SupabaseClient): Promise<Verdict> {
  const body = { name: "Ada", email: "a@b.example", phone: "", message: randomUUID() };
  return tryWriting(() => client.functions.invoke("send-email", { body: JSON.stringify(body) }));
}

async function deliverMessages(client: SupabaseClient): Promise<Verdict> {
  const { error } = await client.functions.invoke("send-email/deliver", { body: "" });
  return error ? no : yes;
}

function upload(folder: string): Attempt {
  return (client) =>
    tryWriting(() =>
      client.storage
        .from("images")
        .upload(`${folder}${randomUUID()}.gif`, gif, { contentType: "image/gif" }),
    );
}

async function storedImage(): Promise<string> {
  const path = `public/${randomUUID()}.gif`;
  const { error } = await admin.storage
    .from("images")
    .upload(path, gif, { contentType: "image/gif" });
  if (error) throw error;
  return path;
}

function replace(verb: "update" | "upsert"): Attempt {
  return async (client) => {
    const path = await storedImage();
    const images = client.storage.from("images");
    const other = Buffer.concat([gif, gif]);
    const options = { contentType: "image/gif" };
    return tryWriting(() =>
      verb === "update"
        ? images.update(path, other, options)
        : images.upload(path, other, { ...options, upsert: true }),
    );
  };
}

async function list(client: SupabaseClient): Promise<Verdict> {
  await storedImage();
  return tryReading(() => client.storage.from("images").list("public"));
}

async function removeImage(client: SupabaseClient): Promise<Verdict> {
  const path = await storedImage();
  return tryWriting(() => client.storage.from("images").remove([path]));
}

/** An image that a post shows. */
async function usedImage(post = posts.row()): Promise<string> {
  const path = await storedImage();
  const image_url = admin.storage.from("images").getPublicUrl(path).data.publicUrl;
  const { error } = await admin.from("posts").insert({ ...post, image_url });
  if (error) throw error;
  return path;
}

async function removeUsedImage(client: SupabaseClient): Promise<Verdict> {
  const path = await usedImage();
  return tryWriting(() => client.storage.from("images").remove([path]));
}

async function replaceUsedImage(client: SupabaseClient): Promise<Verdict> {
  const path = await usedImage();
  const other = Buffer.concat([gif, gif]);
  return tryWriting(() =>
    client.storage.from("images").update(path, other, { contentType: "image/gif" }),
  );
}

function moveImage(isUsed: boolean): Attempt {
  return async (client) => {
    const path = await (isUsed ? usedImage() : storedImage());
    return tryWriting(() => client.storage.from("images").move(path, path, toDeleted));
  };
}

async function renameImage(client: SupabaseClient): Promise<Verdict> {
  const path = await storedImage();
  return tryWriting(() => client.storage.from("images").move(path, `public/${randomUUID()}.gif`));
}

async function removeRestorableImage(client: SupabaseClient): Promise<Verdict> {
  const post = posts.row();
  const path = await usedImage(post);
  await admin.from("posts").delete().eq("slug", post.slug).throwOnError();
  return tryWriting(() => client.storage.from("images").remove([path]));
}

const toDeleted = { destinationBucket: "deleted-images" };

async function deletedImage(): Promise<string> {
  const path = await storedImage();
  const { error } = await admin.storage.from("images").move(path, path, toDeleted);
  if (error) throw error;
  return path;
}

function uploadDeleted(client: SupabaseClient): Promise<Verdict> {
  const path = `public/${randomUUID()}.gif`;
  return tryWriting(() =>
    client.storage.from("deleted-images").upload(path, gif, { contentType: "image/gif" }),
  );
}

async function listDeleted(client: SupabaseClient): Promise<Verdict> {
  await deletedImage();
  return tryReading(() => client.storage.from("deleted-images").list("public"));
}

async function restoreImage(client: SupabaseClient): Promise<Verdict> {
  const path = await deletedImage();
  return tryWriting(() =>
    client.storage.from("deleted-images").move(path, path, { destinationBucket: "images" }),
  );
}

async function removeDeleted(client: SupabaseClient): Promise<Verdict> {
  const path = await deletedImage();
  return tryWriting(() => client.storage.from("deleted-images").remove([path]));
}

async function saveDraftVersion(client: SupabaseClient): Promise<Verdict> {
  const { id } = await stored(drafts);
  return tryWriting(() => client.rpc("save_draft_version", { draft_id: id }));
}

async function discardDraft(client: SupabaseClient): Promise<Verdict> {
  const { id } = await stored(drafts);
  const { data } = await admin.from("post_drafts").select("updated_at").eq("id", id).single();
  return tryWriting(() =>
    client.rpc("discard_draft", { draft_id: id, seen_version: data?.updated_at }),
  );
}

async function searchManagedPosts(client: SupabaseClient): Promise<Verdict> {
  const search = { query: "", filter: "all", month: "", time_zone: "UTC", first: 0, count: 1 };
  return (await client.rpc("search_managed_posts", search)).data ? yes : no;
}

async function unschedulePost(client: SupabaseClient): Promise<Verdict> {
  const { id } = await stored(scheduledPosts);
  return tryWriting(() => client.rpc("unschedule_post", { post_id: id }));
}

function schedulePost(client: SupabaseClient): Promise<Verdict> {
  const post = { ...scheduledPosts.row(), tagline: "", alt: "", related_services: [] };
  const call = { post: JSON.stringify(post), seen_version: null, draft_version: null };
  return tryWriting(() => client.rpc("schedule_post", call));
}

async function restorePostVersion(client: SupabaseClient): Promise<Verdict> {
  const { id } = await stored(posts);
  const { error } = await admin.from("posts").delete().eq("id", id);
  if (error) throw error;
  const deleted = admin.from("post_versions").select("id").eq("post_id", id);
  const { data } = await deleted.order("id", { ascending: false }).limit(1).single();
  const seen = { version_id: data?.id, seen_version: null, base_version: null };
  return tryWriting(() => client.rpc("restore_post_version", seen));
}

async function readPreview(client: SupabaseClient): Promise<Verdict> {
  const { id } = await stored(drafts);
  const { data: link, error } = await admin
    .from("post_previews")
    .insert({ post_id: id })
    .select("token")
    .single();
  if (error) throw error;
  const { data } = await client.rpc("get_post_preview", { preview_token: link.token });
  return data ? yes : no;
}

async function listExpiredImages(client: SupabaseClient): Promise<Verdict> {
  return (await client.rpc("list_expired_images", { max_count: 1 })).error ? no : yes;
}

async function claimImages(client: SupabaseClient): Promise<Verdict> {
  const { error } = await client.rpc("claim_unused_images", { max_count: 1 });
  return error ? no : yes;
}

async function removeUnusedImages(client: SupabaseClient): Promise<Verdict> {
  const { error } = await client.functions.invoke("remove-unused-images", { body: "" });
  return error ? no : yes;
}

async function readPublic(client: SupabaseClient): Promise<Verdict> {
  const { publicUrl } = client.storage.from("images").getPublicUrl(await storedImage()).data;
  return (await fetch(publicUrl)).ok ? yes : no;
}

function closeBucket(client: SupabaseClient): Promise<Verdict> {
  return tryWriting(() => client.storage.updateBucket("images", { public: false }));
}

async function emptyBucket(client: SupabaseClient): Promise<Verdict> {
  await storedImage();
  return tryWriting(() => client.storage.emptyBucket("images"));
}

function createBucket(client: SupabaseClient): Promise<Verdict> {
  return tryWriting(() => client.storage.createBucket(randomUUID(), { public: true }));
}

test.each([
  { owner: true },
  { user_id: randomUUID() },
  { status: "approved" },
  { id: "static-1" },
  { rating: 6 },
  { name: " " },
])("a visitor cannot leave a review with %j", async (extra) => {
  const row: Record<string, unknown> = { ...testimonials.row(), ...extra };
  expect(await tryWriting(() => clients.anonymous.from("testimonials").insert(row))).toBe(no);
});

test.each(["2999-01-01T00:00:00Z", "2001-01-01T00:00:00Z", "-infinity", "0044-03-15 BC"])(
  "the database sets the time of a review that is sent with %s",
  async (created_at) => {
    for (const client of [clients.anonymous, clients.owner]) {
      const row: Record<string, unknown> = { ...testimonials.row(), created_at };
      expect((await client.from("testimonials").insert(row)).error).toBeNull();
      const stored = await admin.from("testimonials").select("*").eq("id", row.id).single();
      expect(Math.abs(Date.parse(stored.data?.created_at) - Date.now())).toBeLessThan(60_000);
    }
  },
);

test("a stranger's own user metadata grants no rights", async () => {
  const client: SupabaseClient = openClient(project);
  const { data } = await client.auth.signInWithPassword(await project.createStranger());
  const claims = { owner: true, is_owner: true, role: "service_role" };
  const response = await fetch(`${project.url}/auth/v1/user`, {
    method: "PUT",
    headers: {
      apikey: project.anonKey,
      authorization: `Bearer ${data.session?.access_token}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({
      data: claims,
      app_metadata: claims,
      raw_app_meta_data: claims,
      role: "service_role",
      aud: "service_role",
      is_super_admin: true,
    }),
  });
  await response.text();
  const refreshed = await client.auth.refreshSession();
  const token = refreshed.data.session?.access_token.split(".")[1] ?? "";
  expect(JSON.parse(Buffer.from(token, "base64url").toString())).toMatchObject({
    role: "authenticated",
    aud: "authenticated",
  });
  expect(refreshed.data.user?.app_metadata).not.toMatchObject({ owner: true });
  expect(await powersOf(client)).toEqual([]);
});

test("the owner's valid session has every right that the forged tokens below are denied", async () => {
  expect(await powersOf(clients.owner)).toEqual(["owner", "writes", "reads messages", "uploads"]);
});

const hour = 3600;
const forgeries: [what: string, forge: () => Promise<string>][] = [
  ["that has expired", () => sign({ exp: now() - hour })],
  ["for another audience", () => sign({ aud: "somewhere-else" })],
  ["without a subject", () => sign({ sub: undefined })],
  ["without a session", () => sign({ session_id: undefined })],
  ["of a session that never existed", () => sign({ session_id: randomUUID() })],
  ["of another user's session", async () => sign({ sub: userIds.stranger })],
  ["signed with another secret", () => sign({}, "x".repeat(64))],
  ["signed with the public key", () => sign({}, project.anonKey)],
  ["of the service role, signed with another secret", () => sign({ role: "service_role" }, "y")],
  ["with alg none", async () => `${encode({ alg: "none", typ: "JWT" })}.${ownerClaims()}.`],
  ["without its signature", async () => `${(await sign()).split(".").slice(0, 2).join(".")}.`],
  [
    "of a stranger, with the owner's id inserted",
    async () => {
      const [header, , signature] = (await sessionToken(strangerClient)).split(".");
      return `${header}.${ownerClaims()}.${signature}`;
    },
  ],
  ["that is not a JWT", async () => "sb_secret_guessed"],
];

test.each(forgeries)("a token %s grants no rights", async (_what, forge) => {
  const token = await forge();
  const client = createClient(project.url, project.anonKey, { accessToken: async () => token });
  expect(await powersOf(client)).toEqual([]);
});

/** The rights that only the owner has and this client can use. */
async function powersOf(client: SupabaseClient): Promise<string[]> {
  const powers = {
    owner: await isOwner(client),
    writes: await insert(posts)(client, ""),
    "reads messages": await select(messages)(client, ""),
    uploads: await upload("public/")(client, ""),
  };
  return Object.entries(powers).flatMap(([power, verdict]) => (verdict === yes ? [power] : []));
}

function now(): number {
  return Math.floor(Date.now() / 1000);
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}

function ownerClaims(): string {
  return encode({
    sub: userIds.owner,
    aud: "authenticated",
    role: "authenticated",
    exp: now() + hour,
  });
}

async function sessionToken(client: SupabaseClient): Promise<string> {
  return (await client.auth.getSession()).data.session?.access_token ?? "";
}

/**
 * The owner's token with other claims. For another project the secret is unknown, so the signature
 * is invalid.
 */
async function sign(
  changes: object = {},
  secret = project.jwtSecret ?? "unknown",
): Promise<string> {
  const { session_id } = decodeJwt(await sessionToken(clients.owner));
  const claims = { sub: userIds.owner, aud: "authenticated", role: "authenticated", session_id };
  return new SignJWT({ exp: now() + hour, ...claims, ...changes })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .sign(new TextEncoder().encode(secret));
}
