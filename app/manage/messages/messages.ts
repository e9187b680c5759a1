import type { Client } from "../../supabase/client-context.ts";
import type { Database } from "../../supabase/database.ts";
import { withOwnChange } from "../../supabase/live.ts";

type MessageTable = Database["public"]["Tables"]["contact_messages"];
export type Message = MessageTable["Row"];

/** What the grants let the owner change. */
type Marks = Pick<MessageTable["Update"], "read_at" | "answered_at">;

/**
 * Reads messages, newest first. Whoever is not the owner gets none.
 * @param first how many newer messages to skip
 * @param count how many to read; a hosted project never answers with more than 1,000
 * @throws the backend's error.
 */
export async function listMessages(
  client: Client,
  first: number,
  count: number,
): Promise<Message[]> {
  const { data, error } = await client
    .from("contact_messages")
    .select("*")
    .order("created_at", { ascending: false })
    .order("id")
    .range(first, first + count - 1);
  if (error) throw error;
  return data;
}

/** How many messages the owner has not opened yet. @throws the backend's error. */
export async function countUnreadMessages(client: Client): Promise<number> {
  const { count, error } = await client
    .from("contact_messages")
    .select("*", { count: "exact", head: true })
    .is("read_at", null);
  if (error) throw error;
  return count ?? 0;
}

/** @throws the backend's error, or an Error when no row was changed. */
export async function markRead(client: Client, id: string): Promise<void> {
  await mark(client, id, { read_at: new Date().toISOString() });
}

/** Marks a message as answered, or takes that back. @throws as `markRead`. */
export async function markAnswered(client: Client, id: string, answered: boolean): Promise<void> {
  await mark(client, id, { answered_at: answered ? new Date().toISOString() : null });
}

/** Deletes a message. @throws the backend's error, or an Error when no row was deleted. */
export async function deleteMessage(client: Client, id: string): Promise<void> {
  await withOwnChange(id, async () => {
    const { data, error } = await client
      .from("contact_messages")
      .delete()
      .eq("id", id)
      .select("id");
    if (error) throw error;
    expectRow(data);
  });
}

async function mark(client: Client, id: string, marks: Marks): Promise<void> {
  await withOwnChange(id, async () => {
    const { data, error } = await client
      .from("contact_messages")
      .update(marks)
      .eq("id", id)
      .select("id");
    if (error) throw error;
    expectRow(data);
  });
}

/** A policy blocks without an error: only the rows that come back tell. */
function expectRow(rows: unknown[]): void {
  if (rows.length === 0)
    throw new Error("The message was not found, or this account may not change it.");
}
