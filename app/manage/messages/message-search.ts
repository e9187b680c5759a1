import { type ListSearch, readSearch, searchUrl } from "../list-search.ts";

/** The filters of the SQL function search_messages. */
export const messageFilters = {
  all: "All",
  unread: "Unread",
  unanswered: "Unanswered",
  answered: "Answered",
  flagged: "Flagged",
  failed: "Email failed",
  deleted: "Deleted",
  spam: "Spam",
};
export type MessageFilter = keyof typeof messageFilters;
export type MessageSearch = ListSearch<MessageFilter>;

export function searchOf(urlQuery: string): MessageSearch {
  return readSearch(urlQuery, messageFilters);
}

export function searchPath({ filter, query }: Pick<MessageSearch, "filter" | "query">): string {
  return searchUrl("/messages", { filter, q: query });
}

/** The message that the URL opens beside the list. */
export function openedOf(urlQuery: string): string | null {
  const id = new URLSearchParams(urlQuery).get("message") ?? "";
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id) ? id : null;
}

/** @param id the message to open; empty for the list alone */
export function messagePath({ filter, query, page }: MessageSearch, id: string): string {
  return searchUrl("/messages", {
    ...{ filter, q: query, page: page > 1 ? String(page) : "", message: id },
  });
}

export const emptyTexts: Record<MessageFilter, { title: string; text: string }> = {
  all: {
    title: "No messages yet",
    text: "What visitors send through the contact form appears here at once.",
  },
  unread: { title: "No unread messages", text: "You have read everything." },
  unanswered: { title: "No unanswered messages", text: "Every message is marked as answered." },
  answered: {
    title: "No answered messages",
    text: "Messages that you mark as answered appear here.",
  },
  flagged: { title: "No flagged messages", text: "Flag a message to find it here again." },
  failed: {
    title: "No failed emails",
    text: "Messages whose email to you could not be delivered appear here.",
  },
  deleted: {
    title: "No deleted messages",
    text: "Messages that you delete stay here for 30 days.",
  },
  spam: {
    title: "No spam",
    text: "Messages that look as if a robot sent them stay here for 30 days.",
  },
};
