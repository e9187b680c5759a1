import { type ListPage, loadPage } from "../../loading/load-page.ts";
import { type Result, tryLoading } from "../../loading/loaded.tsx";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import type { Client } from "../../supabase/client-context.ts";
import type { Database } from "../../supabase/database.ts";
import { withOwnChange } from "../../supabase/live.ts";

type MessageTable = Database["public"]["Tables"]["contact_messages"];
export type Message = MessageTable["Row"];

/** The columns that the owner may change. */
type Marks = Pick<MessageTable["Update"], "read_at" | "answered_at">;

/** Loads a page of the inbox with this browser's session. */
export async function loadMessages(page: number): Promise<Result<ListPage<Message>>> {
  return tryLoading("messages", async () => {
    const client = await getBrowserClient();
    return loadPage((first, count) => listMessages(client, first, count), { size: 20 }, page);
  });
}

/**
 * Reads messages, newest first. Policies return none to anyone but the owner.
 * @param first how many newer messages to skip
 * @param count how many to read; a hosted project returns at most 1,000
 * @throws the backend's error
 */
async function listMessages(client: Client, first: number, count: number): Promise<Message[]> {
  const { data, error } = await client
    .from("contact_messages")
    .select("*")
    .order("created_at", { ascending: false })
    .order("id")
    .range(first, first + count - 1);
  if (error) throw error;
  return data;
}

/** @throws the backend's error */
export async function countUnreadMessages(client: Client): Promise<number> {
  const { count, error } = await client
    .from("contact_messages")
    .select("*", { count: "exact", head: true })
    .is("read_at", null);
  if (error) throw error;
  return count ?? 0;
}

/** @throws the backend's error, or an Error when no row was changed */
export async function markRead(client: Client, id: string): Promise<void> {
  await mark(client, id, { read_at: new Date().toISOString() });
}

/** Sets or clears the mark that a message was answered. @throws as `markRead` */
export async function markAnswered(client: Client, id: string, answered: boolean): Promise<void> {
  await mark(client, id, { answered_at: answered ? new Date().toISOString() : null });
}

async function mark(client: Client, id: string, marks: Marks): Promise<void> {
  await changeOneRow(id, () =>
    client.from("contact_messages").update(marks).eq("id", id).select("id"),
  );
}

/** @throws the backend's error, or an Error when no row was deleted */
export async function deleteMessage(client: Client, id: string): Promise<void> {
  await changeOneRow(id, () => client.from("contact_messages").delete().eq("id", id).select("id"));
}

type Change = { data: unknown[]; error: null } | { data: null; error: Error };

async function changeOneRow(id: string, change: () => PromiseLike<Change>): Promise<void> {
  await withOwnChange(id, async () => {
    const { data, error } = await change();
    if (error) throw error;
    // A policy that blocks a change returns no error, only no rows.
    if (data.length === 0)
      throw new Error("The message was not found, or this account may not change it.");
  });
}
