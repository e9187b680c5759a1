import { z } from "zod";
import { mapContactFields } from "../../../supabase/functions/_shared/contact-fields.ts";
import { keysOf } from "../../../supabase/functions/_shared/object-keys.ts";
import type { ListPage } from "../../loading/load-page.ts";
import type { Client } from "../../supabase/client-context.ts";
import type { Database } from "../../supabase/database.ts";
import { withdrawalSchema } from "../consent-records.tsx";
import { loadFound } from "../list-search.ts";
import { withOwnChange } from "../live-query.ts";
import { type MessageSearch, messageFilters } from "./message-search.ts";

const time = z.nullable(z.string());

const messageSchema = z.object({
  id: z.string(),
  ...mapContactFields(() => z.nullable(z.string()).transform((text) => text ?? "")),
  created_at: z.string(),
  status: z.enum(["stored", "sent", "failed"]),
  sent_at: time,
  last_error: z.nullable(z.string()),
  next_attempt_at: time,
  read_at: time,
  answered_at: time,
  flagged_at: time,
  deleted_at: time,
  spam_at: time,
  note: z.nullable(z.string()),
  /** The time of the note's last change, which is its version. */
  noted_at: time,
});
type StoredMessage = z.infer<typeof messageSchema>;

/** A message in the list, with what its number or address agreed to and withdrew, by any message. */
const listedSchema = messageSchema.extend({
  /** The newest consent to calls that was not withdrawn. */
  consent: z.nullable(z.object({ id: z.string(), given_at: z.string() })),
  /** The newest withdrawal of such a consent. */
  withdrawal: z.nullable(withdrawalSchema),
  /** Why the firm may have to keep it. */
  record: z.nullable(z.string()),
});
export type Message = z.infer<typeof listedSchema>;

/** The columns of a message, without the text that is used only for searches. */
const columns = Object.keys(messageSchema.shape).join();

const foundSchema = z.object({
  rows: z.array(listedSchema),
  counts: z.record(z.enum(keysOf(messageFilters)), z.number().default(0)),
});
type FoundMessages = z.infer<typeof foundSchema>;

export type MessageList = ListPage<Message> & Pick<FoundMessages, "counts">;

export function readMessages(client: Client, search: MessageSearch): Promise<MessageList> {
  const read = (first: number, count: number) => searchMessages(client, search, first, count);
  return loadFound(read, ({ counts }) => counts[search.filter], search.page);
}

/** A message wherever it is, also in the spam; null when it is gone. */
export async function readMessage(client: Client, id: string): Promise<Message | null> {
  const { rows } = await searchMessages(client, { filter: id, query: "" }, 0, 1);
  return rows[0] ?? null;
}

/** Messages that contain every word of the query, newest first, at most 200. Policies return none to visitors. */
export async function searchMessages(
  client: Client,
  { filter, query }: { filter: string; query: string },
  first: number,
  count: number,
): Promise<FoundMessages> {
  const { data } = await client
    .rpc("search_messages", { query, filter, first, count })
    .throwOnError();
  return foundSchema.parse(data);
}

/** The newest unread messages, or the newest when all are read, and how many are unread. */
export async function readNewestMessages(client: Client, count: number) {
  const { rows, counts } = await searchMessages(client, { filter: "unread", query: "" }, 0, count);
  if (rows.length > 0) return { messages: rows, unread: counts.unread };
  const all = await searchMessages(client, { filter: "all", query: "" }, 0, count);
  return { messages: all.rows, unread: 0 };
}

type Update = Database["public"]["Tables"]["contact_messages"]["Update"];
export type MessageMark = "read_at" | "answered_at" | "flagged_at" | "deleted_at" | "spam_at";

/** Sets a mark to now, or clears it. @throws the backend's error, or an Error when no row was changed */
export async function markMessage(
  client: Client,
  id: string,
  mark: MessageMark,
  isSet: boolean,
): Promise<StoredMessage> {
  const change: Update = { [mark]: isSet ? new Date().toISOString() : null };
  const message = await changeRow(id, () =>
    client.from("contact_messages").update(change).eq("id", id).select(columns),
  );
  if (!message) throw notFound();
  return message;
}

/** @param version `noted_at` when the caller read the note. @returns null when the note was changed since */
export async function saveNote(
  client: Client,
  id: string,
  note: string,
  version: string | null,
): Promise<StoredMessage | null> {
  return changeRow(id, () => {
    const update = client.from("contact_messages").update({ note }).eq("id", id);
    return (version === null ? update.is("noted_at", null) : update.eq("noted_at", version)).select(
      columns,
    );
  });
}

export async function getMessage(client: Client, id: string): Promise<StoredMessage> {
  const { data } = await client
    .from("contact_messages")
    .select(columns)
    .eq("id", id)
    .throwOnError();
  const [message] = z.array(messageSchema).parse(data);
  if (!message) throw notFound();
  return message;
}

/** Deletes a message at once and for good. @throws as `markMessage` */
export async function eraseMessage(client: Client, id: string): Promise<void> {
  const erased = await changeRow(id, () =>
    client.from("contact_messages").delete().eq("id", id).select(columns),
  );
  if (!erased) throw notFound();
}

type Change = { data: unknown[]; error: null } | { data: null; error: Error };

/** @returns the changed row; null when there was none, because a policy that blocks a change returns no error */
async function changeRow(
  id: string,
  change: () => PromiseLike<Change>,
): Promise<StoredMessage | null> {
  return withOwnChange(id, async () => {
    const { data, error } = await change();
    if (error) throw error;
    return z.array(messageSchema).parse(data)[0] ?? null;
  });
}

function notFound(): Error {
  return new Error("The message was not found, or this account may not change it.");
}
