// Lists every table, column, filter and function that the REST endpoint offers; everything else is rejected. Extend it for
// a new query or migration. tests/contract/rest-api.test.ts compares it with the migrated database.
// Covers: names and sizes. Does not cover: permissions, which policies decide.

import { mapContactFields } from "../../../../supabase/functions/_shared/contact-fields.ts";
import {
  questionNames,
  testimonialFields,
} from "../../../../supabase/functions/_shared/testimonial-fields.ts";

export type Operator = "eq" | "neq" | "in" | "is";

export interface RestTable {
  /** The maximum size in bytes of each column's value in a JSON response. */
  columns: Readonly<Record<string, number>>;
  /** Columns for filters. They are short, because the filter value is compared with every row. */
  filters: Readonly<Record<string, readonly Operator[]>>;
  order: readonly string[];
}

export interface RestFunction {
  /** The arguments of the function. All of them are required. */
  arguments: readonly string[];
  /** The table that the function changes, whose readers must be told. */
  changes?: string;
  /** Whether a call can end sessions, whose Realtime connections must then be closed. */
  endsSessions?: true;
}

/** The bytes of a UUID, a time, a number or a boolean. */
const SHORT = 40;
/** The maximum bytes of a character: four in UTF-8, or six as an escaped control character. */
const CHARACTER = 6;
const text = (characters: number) => characters * CHARACTER;

const postColumns = {
  id: SHORT,
  slug: 600,
  title: text(500),
  tagline: text(600),
  category: text(100),
  author: text(200),
  content: 500_000,
  image_url: text(2000),
  alt: text(600),
  related_services: 10_000,
  published_date: SHORT,
  created_at: SHORT,
  updated_at: SHORT,
};

const contactColumns = mapContactFields((_, { max }) => text(max));
const answerColumns = Object.fromEntries(questionNames.map((name) => [name, SHORT]));
const testimonialColumns = Object.fromEntries(
  Object.entries(testimonialFields).map(([name, { max }]) => [name, text(max)]),
);

export const restTables: Readonly<Record<string, RestTable>> = {
  posts: {
    columns: { ...postColumns, is_sample: SHORT, draft_version: SHORT },
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
    columns: {
      ...postColumns,
      draft_version: SHORT,
      is_page: SHORT,
      place: SHORT,
      position: SHORT,
      hidden: SHORT,
    },
    filters: { id: ["eq", "neq"], slug: ["eq"], updated_at: ["in"] },
    order: ["position"],
  },
  post_slugs: {
    columns: { slug: 600, post_id: SHORT, created_at: SHORT },
    filters: { slug: ["eq"], post_id: ["eq"] },
    order: ["slug"],
  },
  imported_posts: {
    columns: { id: SHORT, former_path: 600, published_date: SHORT },
    filters: { id: ["eq"], former_path: ["eq"] },
    order: ["id"],
  },
  post_drafts: {
    columns: {
      id: SHORT,
      title: text(500),
      tagline: text(600),
      category: text(100),
      author: text(200),
      text: 2_000_000,
      content: 1_000_000,
      image_url: text(2000),
      alt: text(600),
      slug: 600,
      related_services: 10_000,
      base_version: SHORT,
      created_at: SHORT,
      updated_at: SHORT,
      updated_by: SHORT,
      is_page: SHORT,
    },
    filters: { id: ["eq"], updated_at: ["eq"] },
    order: ["updated_at", "id"],
  },
  scheduled_posts: {
    columns: { ...postColumns, failure: text(1000), retry_at: SHORT },
    filters: { id: ["eq"], updated_at: ["eq"], failure: ["is"] },
    order: ["published_date", "id"],
  },
  post_versions: {
    columns: {
      id: SHORT,
      post_id: SHORT,
      event: SHORT,
      document: 1_100_000,
      saved_at: SHORT,
      saved_by: SHORT,
      by_name: text(320),
      by_email: text(320),
    },
    filters: { id: ["eq"], post_id: ["eq"] },
    order: ["id"],
  },
  post_previews: {
    columns: {
      token: SHORT,
      post_id: SHORT,
      created_at: SHORT,
      expires_at: SHORT,
      created_by: SHORT,
      may_approve: SHORT,
    },
    filters: { post_id: ["eq"], token: ["eq"] },
    order: ["created_at"],
  },
  post_approvals: {
    columns: {
      id: SHORT,
      post_id: SHORT,
      event: SHORT,
      document: 600_000,
      draft_version: SHORT,
      saved_at: SHORT,
      saved_by: SHORT,
      name: text(320),
      email: text(320),
      comment: text(2000),
    },
    filters: { id: ["eq"], post_id: ["eq"] },
    order: ["id"],
  },
  testimonials: {
    columns: {
      id: SHORT,
      ...testimonialColumns,
      rating: SHORT,
      created_at: SHORT,
      approved_at: SHORT,
      refused_at: SHORT,
      refusal_reason: SHORT,
      seen_at: SHORT,
      ...answerColumns,
      compensation_details: text(300),
      statement: text(600),
      is_asked: SHORT,
      reply: text(2000),
      replied_at: SHORT,
      consent: SHORT,
      email: SHORT,
      request: SHORT,
      is_sample: SHORT,
    },
    filters: {
      id: ["eq", "in", "is"],
      name: ["eq", "in"],
      approved_at: ["is"],
      refused_at: ["is"],
      seen_at: ["is"],
      is_sample: ["is"],
    },
    order: ["created_at", "id"],
  },
  testimonial_requests: {
    columns: {
      token: SHORT,
      name: text(100),
      email: text(320),
      created_by: SHORT,
      created_at: SHORT,
      expires_at: SHORT,
      used_at: SHORT,
      testimonial_id: SHORT,
    },
    filters: { token: ["eq"], name: ["eq"] },
    order: ["created_at", "token"],
  },
  testimonial_versions: {
    columns: {
      id: SHORT,
      testimonial_id: SHORT,
      event: SHORT,
      document: 60_000,
      saved_at: SHORT,
      saved_by: SHORT,
      by_name: text(320),
      by_email: text(320),
    },
    filters: { id: ["eq"], testimonial_id: ["eq", "in"], event: ["eq", "in"] },
    order: ["id"],
  },
  consents: {
    columns: {
      id: SHORT,
      kind: SHORT,
      subject_id: SHORT,
      name: text(200),
      email: text(320),
      phone: text(60),
      wording: text(1000),
      version: SHORT,
      settings_version: SHORT,
      given_at: SHORT,
    },
    filters: { id: ["eq"], kind: ["eq"], subject_id: ["eq", "in"] },
    order: ["given_at", "id"],
  },
  consent_withdrawals: {
    columns: {
      id: SHORT,
      received_at: SHORT,
      channel: SHORT,
      note: text(500),
      recorded_at: SHORT,
      recorded_by: SHORT,
      account: text(500),
    },
    filters: { id: ["eq"] },
    order: ["recorded_at", "id"],
  },
  site_settings: {
    columns: { section: SHORT, document: 500_000, version: SHORT, published_at: SHORT },
    filters: { section: ["eq", "in"] },
    order: ["section"],
  },
  public_site_settings: {
    columns: { section: SHORT, document: 500_000, version: SHORT },
    filters: { section: ["eq", "in"] },
    order: ["section"],
  },
  site_settings_versions: {
    columns: {
      id: SHORT,
      section: SHORT,
      document: 500_000,
      published_at: SHORT,
      published_by: SHORT,
      by_name: text(320),
      by_email: text(320),
      images: 100_000,
    },
    filters: { id: ["eq"], section: ["eq"] },
    order: ["id"],
  },
  site_settings_drafts: {
    columns: {
      section: SHORT,
      document: 500_000,
      base_version: SHORT,
      updated_at: SHORT,
      updated_by: SHORT,
      images: 100_000,
    },
    filters: { section: ["eq", "in"], updated_at: ["eq"] },
    order: ["section"],
  },
  contact_messages: {
    columns: {
      id: SHORT,
      ...contactColumns,
      status: SHORT,
      sent_at: SHORT,
      last_error: text(2000),
      created_at: SHORT,
      next_attempt_at: SHORT,
      read_at: SHORT,
      answered_at: SHORT,
      flagged_at: SHORT,
      note: text(2000),
      noted_at: SHORT,
      deleted_at: SHORT,
      // After Unicode decomposition, a character of the other columns has at most 12 bytes.
      search_text:
        2 * Object.values(contactColumns).reduce((sum, bytes) => sum + bytes, text(2_200)),
    },
    filters: {
      id: ["eq", "in", "is"],
      name: ["eq", "in"],
      status: ["eq"],
      read_at: ["is"],
      deleted_at: ["is"],
      noted_at: ["eq", "is"],
    },
    order: ["created_at", "id"],
  },
  mails: {
    columns: {
      id: SHORT,
      kind: SHORT,
      subject_id: SHORT,
      recipient: text(320),
      for_team: SHORT,
      data: 20_000,
      status: SHORT,
      created_at: SHORT,
      expires_at: SHORT,
      attempts: SHORT,
      last_attempt_at: SHORT,
      next_attempt_at: SHORT,
      sent_at: SHORT,
      last_error: text(2000),
    },
    filters: {
      ...{ id: ["eq", "is"], kind: ["eq", "neq"], subject_id: ["eq"], recipient: ["eq"] },
      ...{ attempts: ["eq"], status: ["eq"] },
    },
    order: ["created_at", "id"],
  },
  visit_counts: {
    columns: { day: SHORT, kind: SHORT, key: text(700), count: SHORT },
    filters: { day: ["eq"], kind: ["eq"], key: ["eq"] },
    order: ["day", "kind", "key"],
  },
};

export const restFunctions: Readonly<Record<string, RestFunction>> = {
  is_owner: { arguments: [] },
  my_role: { arguments: [] },
  publish_settings: { arguments: ["sections", "saved_at"], changes: "public_site_settings" },
  make_owner: { arguments: ["id"] },
  claim_mails: { arguments: ["max_count", "lease_seconds", "max_attempts", "team"] },
  queue_confirmation: { arguments: ["message_id"] },
  count_contact_message: { arguments: ["request_headers"] },
  claim_unused_images: { arguments: ["max_count"] },
  list_expired_images: { arguments: ["max_count"] },
  search_managed_posts: {
    arguments: ["pages", "query", "filter", "month", "time_zone", "first", "count"],
  },
  schedule_post: { arguments: ["post", "seen_version", "draft_version"] },
  unschedule_post: { arguments: ["post_id"] },
  import_post: { arguments: ["post"] },
  save_draft_version: { arguments: ["draft_id"] },
  discard_draft: { arguments: ["draft_id", "seen_version"] },
  restore_post_version: { arguments: ["version_id", "seen_version", "base_version"] },
  undo_post_deletion: { arguments: ["post_id"], changes: "posts" },
  remove_deleted_posts: { arguments: ["post_id"] },
  get_post_preview: { arguments: ["preview_token"] },
  submit_post: { arguments: ["post", "draft_version"] },
  decide_post: {
    arguments: ["submission", "is_approved", "comment", "preview_token", "name", "email"],
  },
  add_visits: { arguments: ["site_key", "day", "visits"] },
  create_site_key: { arguments: [] },
  visit_summary: { arguments: ["day_count", "time_zone"] },
  search_messages: { arguments: ["query", "filter", "first", "count"] },
  list_consents: { arguments: ["filter", "subjects", "first", "count"] },
  withdraw_consent: { arguments: ["consent", "received_at", "channel", "note"] },
  search_posts: { arguments: ["query", "first", "count"] },
  list_post_categories: { arguments: [] },
  list_category_posts: { arguments: ["categories", "first", "count"] },
  find_neighbor_posts: { arguments: ["post_slug"] },
  list_people: { arguments: [] },
  set_person: { arguments: ["id", "role", "name"] },
  remove_person: { arguments: ["id"], endsSessions: true },
  add_person: { arguments: ["email", "role", "name"] },
  my_profile: { arguments: [] },
  set_my_name: { arguments: ["name"] },
  list_my_sessions: { arguments: [] },
  end_my_session: { arguments: ["id"], endsSessions: true },
  end_sessions: { arguments: ["id"], endsSessions: true },
  count_invitation: { arguments: [] },
  delete_testimonial: { arguments: ["id", "reason"], changes: "testimonials" },
  testimonial_decisions: { arguments: ["first", "count"] },
  get_testimonial_request: { arguments: ["request_token"] },
  sample_content: { arguments: [] },
  remove_sample_content: { arguments: ["include_edited", "shows_samples", "shown_lead"] },
  claim_test_mail: { arguments: [] },
  find_person: { arguments: ["email"] },
  erase_person: { arguments: ["email"], changes: "testimonials" },
  capture_site: { arguments: ["site_key", "step", "value"] },
  archive_rows: { arguments: ["moment", "path", "query", "first", "count"] },
  read_archive_files: { arguments: ["hashes"] },
  archive_changes: { arguments: ["starts", "ends", "first"] },
  project_facts: { arguments: [] },
  table_states: { arguments: [] },
};

/** The maximum number of rows in a response. A hosted project has the same limit (config.toml). */
const MAX_ROWS = 1000;
/** The maximum size of a response. A page of the blog reads 26 whole posts. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;
/** The maximum size of each row that a write returns: the number of these rows is not limited. */
export const MAX_RETURNED_ROW_BYTES = 80_000;

/** The maximum size of a row with these columns, in bytes. */
export function rowBytes(table: RestTable, columns: readonly string[]): number {
  return columns.reduce((sum, name) => sum + (table.columns[name] ?? 0) + name.length + 6, 2);
}

/** How many rows of these columns fit into one response. */
export function maxRows(table: RestTable, columns: readonly string[]): number {
  return Math.min(MAX_ROWS, Math.floor(MAX_RESPONSE_BYTES / rowBytes(table, columns)));
}
