import { loadPage, type PageState } from "../../paging/load-page.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import { listMessages, type Message } from "./messages.ts";

/** One page of the inbox. */
export interface MessageList extends PageState {
  messages: Message[];
}

const pageSize = 20;

/** Loads a page of the inbox with this browser's session. A failure becomes the list's state. */
export async function loadMessages(page: number): Promise<MessageList> {
  const read = async (first: number, count: number) =>
    listMessages(await getBrowserClient(), first, count);
  const { rows, ...state } = await loadPage(read, { page, size: pageSize }, "messages");
  return { messages: rows, ...state };
}
