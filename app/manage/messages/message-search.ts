import { cleanQuery } from "../../loading/search-query.ts";

/** What the inbox shows, as its URL says. */
export interface MessageSearch {
  filter: MessageFilter;
  query: string;
  /** 1 for the newest messages. */
  page: number;
}

export type MessageFilter = (typeof messageFilters)[number];

/** The filters of the SQL function search_messages. */
export const messageFilters = [
  "all",
  "unread",
  "unanswered",
  "answered",
  "flagged",
  "failed",
  "deleted",
] as const;

/** The search that a URL's query requests; the default for anything invalid. */
export function searchOf(urlQuery: string): MessageSearch {
  const parameters = new URLSearchParams(urlQuery);
  const filter = messageFilters.find((each) => each === parameters.get("filter")) ?? "all";
  const page = Number(parameters.get("page") ?? 1);
  return {
    filter,
    query: cleanQuery(parameters.get("q") ?? ""),
    page: Number.isInteger(page) && page >= 1 && page <= 100_000 ? page : 1,
  };
}

/** The URL of a search's first page. */
export function searchPath({ filter, query }: Pick<MessageSearch, "filter" | "query">): string {
  const parameters = new URLSearchParams();
  if (filter !== "all") parameters.set("filter", filter);
  if (query) parameters.set("q", query);
  return parameters.size > 0 ? `/messages?${parameters}` : "/messages";
}

export const filterLabels: Record<MessageFilter, string> = {
  all: "All",
  unread: "Unread",
  unanswered: "Unanswered",
  answered: "Answered",
  flagged: "Flagged",
  failed: "E-mail failed",
  deleted: "Deleted",
};

/** Shown in place of an empty list without a query. */
export const emptyTexts: Record<MessageFilter, { title: string; text: string }> = {
  all: {
    title: "No messages yet",
    text: "What visitors send through the contact form appears here at once.",
  },
  unread: { title: "No unread messages", text: "You have read everything." },
  unanswered: {
    title: "No unanswered messages",
    text: "Every message is marked as answered.",
  },
  answered: {
    title: "No answered messages",
    text: "Messages that you mark as answered appear here.",
  },
  flagged: {
    title: "No flagged messages",
    text: "Flag a message to find it here again.",
  },
  failed: {
    title: "No failed e-mails",
    text: "Messages whose e-mail to you could not be delivered appear here.",
  },
  deleted: {
    title: "No deleted messages",
    text: "Messages that you delete stay here for 30 days.",
  },
};
