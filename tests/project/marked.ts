// Everything that `npm run test:project` stores has this mark in its key, so that the next run can remove what an
// interrupted one left.
import { randomUUID } from "node:crypto";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { embeddedConfig } from "../../embedded.config.ts";

/** The start of each UUID that the tests make (mark-uuids.ts). */
export const mark = "7e577e57";

/** The column that identifies a row, when it is not the id. */
export const tableKeys: Readonly<Record<string, string>> = {
  versions: "thing",
  drafts: "thing",
  schedules: "thing",
  previews: "thing",
  post_slugs: "slug",
  testimonial_requests: "name",
  site_settings: "section",
  public_site_settings: "section",
  visit_counts: "key",
};

/** Tables of which not even the secret key may change or remove a row. The history of the tests stays there. */
export const appendOnly = ["consents", "consent_withdrawals", "versions", "public_site_settings"];

/** Accounts are numbered, because the secret key cannot list those without a role everywhere. */
const addressOf = (number: number) => `test-${mark}-${number}@example.com`;
const maxAccounts = 24;

interface Keys {
  url: string;
  anonKey: string;
  secretKey: string;
}

/** Creates an account by the link of an invitation, which every project offers, and which sends no mail. */
export async function createMarkedAccount({ url, anonKey, secretKey }: Keys) {
  const memory = { auth: { persistSession: false, autoRefreshToken: false } };
  const { admin } = createClient(url, secretKey, memory).auth;
  for (let number = 1; number <= maxAccounts; number++) {
    const account = { email: addressOf(number), password: randomUUID() };
    const { data, error } = await admin.generateLink({ type: "invite", email: account.email });
    if (error?.code === "email_exists") continue;
    if (error) throw error;
    const { auth } = createClient(url, anonKey, memory);
    const token_hash = data.properties.hashed_token;
    const opened = await auth.verifyOtp({ type: "invite", token_hash });
    if (opened.error) throw opened.error;
    const { error: rejected } = await auth.updateUser({ password: account.password });
    if (rejected) throw rejected;
    return { ...account, id: data.user.id };
  }
  throw new Error(`The tests need more than ${maxAccounts} accounts`);
}

/** Removes the rows, files and accounts with the mark. */
export async function removeMarked(admin: SupabaseClient): Promise<void> {
  const names = Object.keys(embeddedConfig.rest.tables).filter(
    (name) => !appendOnly.includes(name),
  );
  for (const name of names) await removeRows(admin, name);
  await removeMarkedFiles(admin);
  for (let number = 1; number <= maxAccounts; number++) {
    // Only people can be listed and removed.
    const person = { email: addressOf(number), role: "editor", name: "" };
    await admin.rpc("add_person", person).throwOnError();
  }
  const { data: people } = await admin.rpc("list_people").throwOnError();
  for (const { id, email } of people as { id: string; email: string }[]) {
    if (email.includes(mark)) await admin.rpc("remove_person", { id }).throwOnError();
  }
  // The removal of people queues mails.
  await removeRows(admin, "mails");
  await removeMailsOfGoneMessages(admin);
}

/** The database gives messages their ids, so that mails about those of the tests have no mark. */
async function removeMailsOfGoneMessages(admin: SupabaseClient): Promise<void> {
  const waiting = admin.from("mails").select("id, subject_id").eq("status", "waiting");
  const { data: mails } = await waiting.eq("kind", "message").throwOnError();
  for (const { id, subject_id } of mails) {
    const message = admin.from("contact_messages").select("id").eq("id", subject_id);
    if ((await message.throwOnError()).data.length > 0) continue;
    await admin.from("mails").delete().eq("id", id).throwOnError();
  }
}

async function removeRows(admin: SupabaseClient, name: string): Promise<void> {
  const key = tableKeys[name] ?? "id";
  // One by one, because triggers of rows that are removed at the same time can deadlock.
  for (const value of await listMarked(admin, name, key)) {
    await admin.from(name).delete().eq(key, value).throwOnError();
  }
}

/** @returns the keys of the rows whose key or document has the mark */
async function listMarked(admin: SupabaseClient, name: string, key: string): Promise<string[]> {
  // Settings have no key of the tests, and the database gives messages and mails their own.
  const texts: Record<string, string> = {
    contact_messages: "name",
    // Those of a section have its name.
    drafts: "document",
    mails: "subject_id, recipient, data",
  };
  const marked = name.includes("settings") ? "document" : texts[name];
  const columns = marked ? `${key}, ${marked}` : key;
  const [order = ""] = embeddedConfig.rest.tables[name]?.order ?? [];
  const found = new Set<string>();
  for (let first = 0; ; ) {
    const page = admin
      .from(name)
      .select(columns)
      .order(order)
      .range(first, first + 999);
    const rows = (await page.throwOnError()).data as unknown as Record<string, unknown>[];
    for (const row of rows) if (JSON.stringify(row).includes(mark)) found.add(String(row[key]));
    if (rows.length === 0) return [...found];
    first += rows.length;
  }
}

async function removeMarkedFiles({ storage }: SupabaseClient): Promise<void> {
  // The embedded backend lists no buckets, and creates none.
  const { data: buckets } = await storage.listBuckets();
  const ids = new Set([
    "images",
    "files",
    "deleted-images",
    ...(buckets ?? []).map(({ id }) => id),
  ]);
  for (const id of ids) {
    for (const folder of ["", "public", "private", "files"]) {
      const { data } = await storage.from(id).list(folder, { limit: 1000, search: mark });
      const names = (data ?? []).filter(({ name }) => name.includes(mark));
      const paths = names.map(({ name }) => (folder ? `${folder}/${name}` : name));
      if (paths.length > 0) await storage.from(id).remove(paths);
    }
    if (id.includes(mark)) await storage.deleteBucket(id);
  }
}

/** @returns what a project contains beside the sample content and one owner, for example '3 in posts' */
export async function findRealData(admin: SupabaseClient): Promise<string[]> {
  const counts = await Promise.all(
    ["posts", "testimonials", "contact_messages", "drafts", "site_settings"].map(async (name) => {
      const all = admin.from(name).select(tableKeys[name] ?? "id", { count: "exact", head: true });
      const rows = ["posts", "testimonials"].includes(name) ? all.is("is_sample", false) : all;
      return [name, (await rows.throwOnError()).count ?? 0] as const;
    }),
  );
  const { data } = await admin.rpc("list_people").throwOnError();
  const people = (data as unknown[]).length;
  return [
    ...counts.filter(([, count]) => count > 0).map(([name, count]) => `${count} in ${name}`),
    ...(people > 1 ? [`${people} people`] : []),
  ];
}
