import { loadPage, type PageState } from "../../paging/load-page.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import { listMessages, type Message } from "./messages.ts";

/** One page of the inbox, or that it could not be read. */
export interface MessageList extends PageState {
  messages: Message[];
}

/** Messages a page. */
const size = 20;

/** Reads a page of the inbox with the session of this browser. A failure is the list's state. */
export async function loadMessages(page: number): Promise<MessageList> {
  const read = async (first: number, count: number) =>
    listMessages(await getBrowserClient(), first, count);
  const { rows, ...state } = await loadPage(read, { page, size }, "messages");
  return { messages: rows, ...state };
}
