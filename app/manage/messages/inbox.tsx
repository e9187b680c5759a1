import { useLocation } from "react-router";
import { useSendsMail } from "../../config/use-site.ts";
import { TakingLonger } from "../../ui/load-state.tsx";
import { ButtonLink } from "../button.tsx";
import { ExportButton } from "../csv-export.tsx";
import { EmptyList, FilterLinks, PagedList, SearchForm } from "../list-toolbar.tsx";
import { useReload } from "../live-query.ts";
import { Failure, leaveRow, PageFrame, SkeletonRows } from "../manage-frame.tsx";
import { useAction } from "../use-action.ts";
import { MessageItem } from "./message-item.tsx";
import {
  emptyTexts,
  type MessageSearch,
  messageFilters,
  searchOf,
  searchPath,
} from "./message-search.ts";
import { type Message, type MessageList, markMessage, searchMessages } from "./messages.ts";
import { messageColumns } from "./messages-csv.ts";
import { useMessageList } from "./use-message-list.ts";

export default function MessagesPage() {
  const search = searchOf(useLocation().search);
  const { filter, query, page } = search;
  const { list, failures, retry, isPending, applyChange } = useMessageList(search);
  const reload = useReload();
  const { run } = useAction();
  const sendsMail = useSendsMail();

  function change(message: Message) {
    applyChange(message.id, message);
    reload();
  }

  /** @param neighbor receives the focus, because the focused button is removed with its message */
  function remove(message: Message, neighbor: HTMLElement | null) {
    leaveRow(neighbor);
    applyChange(message.id, null);
    reload();
  }

  async function undoDeletion({ id }: Message) {
    await run(
      (client) => markMessage(client, id, "deleted_at", false),
      { title: "Message Restored" },
      {
        title: "Restore Failed",
        description: "Could not restore the message. It is under 'Deleted'.",
      },
    );
    reload();
  }

  return (
    <PageFrame>
      {/* Rendered even when empty: screen readers announce only changes of an existing status. */}
      <p role="status" className="mt-4 text-lg text-muted empty:mt-0">
        {isPending ? pendingText(search) : list ? statusText(search, list) : ""}
      </p>
      {!sendsMail && (
        <p className="mt-4 max-w-2xl rounded-md bg-sage p-3">
          This site cannot send emails yet, so messages arrive only here. The person who runs its
          server can change that.
        </p>
      )}
      <div className="mt-6">
        <SearchForm
          label="Search messages"
          hint="In everything that visitors wrote, and in notes."
          query={query}
          pathOf={(wanted) => searchPath({ filter, query: wanted })}
        />
        <FilterLinks
          label="Filters of messages"
          filters={messageFilters}
          current={filter}
          counts={list?.counts ?? null}
          pathOf={(wanted) => searchPath({ filter: wanted, query })}
        />
      </div>
      {filter === "spam" && (
        <p className="mt-5 max-w-2xl text-muted">
          These messages came with text in a field that people cannot see. Robots fill it in, and
          sometimes a browser does for a person. They are not emailed, and are deleted 30 days after
          they came, unless you move them to the others.
        </p>
      )}
      {failures > 0 ? (
        <Failure failures={failures} retry={retry} />
      ) : list ? (
        <div
          aria-busy={isPending}
          className={`transition-opacity ${isPending ? "opacity-50" : ""}`}
        >
          <PagedList
            items="messages"
            path={searchPath(search)}
            list={list}
            empty={<Empty search={search} counts={list.counts} />}
          >
            {(rows) => (
              <ul
                aria-label="Messages, newest first"
                className="mt-8 divide-y divide-line overflow-clip rounded-lg border border-line bg-surface shadow-card"
              >
                {rows.map((message) => (
                  <MessageItem
                    key={message.id}
                    message={message}
                    onChanged={(changes) => change({ ...message, ...changes })}
                    onRemoved={(neighbor) => remove(message, neighbor)}
                    onUndoDeletion={() => undoDeletion(message)}
                  />
                ))}
              </ul>
            )}
          </PagedList>
          {list.rows.length > 0 && (
            <div className="mt-8">
              <ExportButton
                label="Export as CSV"
                items={["message", "messages"]}
                file={filter === "all" ? "messages" : `messages-${filter}`}
                total={list.counts[filter]}
                columns={messageColumns}
                read={async (client, first, count) => {
                  const { rows, counts } = await searchMessages(client, search, first, count);
                  return { rows, total: counts[filter] };
                }}
              />
            </div>
          )}
        </div>
      ) : (
        <SkeletonRows />
      )}
      {isPending && <TakingLonger key={`${filter} ${query} ${page}`} />}
    </PageFrame>
  );
}

function Empty({ search, counts }: { search: MessageSearch; counts: MessageList["counts"] }) {
  const { filter, query } = search;
  const { title, text } = query
    ? { title: "Nothing found", text: nothingFoundText(search) }
    : emptyTexts[filter];
  return (
    <EmptyList title={title} text={text}>
      {query && (
        <>
          {filter !== "all" && counts.all > 0 && (
            <ButtonLink to={searchPath({ filter: "all", query })} look="primary">
              {`Show ${counts.all} in all messages`}
            </ButtonLink>
          )}
          <ButtonLink to={searchPath({ filter, query: "" })}>Clear the search</ButtonLink>
        </>
      )}
    </EmptyList>
  );
}

function nothingFoundText({ filter, query }: MessageSearch): string {
  const where = filter === "all" ? "No message" : `No message under '${messageFilters[filter]}'`;
  return `${where} contains “${query}”.`;
}

function pendingText({ query }: MessageSearch): string {
  return query ? "Searching..." : "Loading messages...";
}

function statusText({ filter, query }: MessageSearch, { counts }: MessageList): string {
  const { unread, [filter]: total } = counts;
  if (query) return total === 1 ? "1 message found" : `${total} messages found`;
  if (filter !== "all") return total === 1 ? "1 message" : `${total} messages`;
  if (total === 0) return "";
  if (unread === 0) return "You have read everything.";
  return unread === 1 ? "1 unread message" : `${unread} unread messages`;
}
