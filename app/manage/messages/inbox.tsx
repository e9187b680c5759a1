import { ChevronLeft } from "lucide";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import { useAuth } from "../../auth/auth-provider.tsx";
import { isClosed, useSendsMail, useSite } from "../../config/use-site.ts";
import { Icon } from "../../ui/icon.ts";
import { TakingLonger } from "../../ui/load-state.tsx";
import { ButtonLink, TextLink } from "../button.tsx";
import { ExportMenu } from "../csv-export.tsx";
import {
  EmptyList,
  FilterLinks,
  listClass,
  PagedList,
  SearchForm,
  staysInPlace,
  Toolbar,
} from "../list-toolbar.tsx";
import { useReload } from "../live-query.ts";
import { Failure, focusHeading, PageFrame, SkeletonRows } from "../manage-frame.tsx";
import { useAction } from "../use-action.ts";
import { MessageDetails } from "./message-details.tsx";
import { fromList, MessageItem, rowId } from "./message-item.tsx";
import {
  emptyTexts,
  type MessageSearch,
  messageFilters,
  messagePath,
  openedOf,
  searchOf,
  searchPath,
} from "./message-search.ts";
import { type Message, type MessageList, markMessage, searchMessages } from "./messages.ts";
import { messageColumns } from "./messages-csv.ts";
import { useMessageList, useOpenedMessage } from "./use-message-list.ts";

/** The list and, at its right or on narrow screens in its place, the message that the URL opens. */
export default function MessagesPage() {
  const urlQuery = useLocation().search;
  const search = searchOf(urlQuery);
  const openId = openedOf(urlQuery);
  const { filter, query, page } = search;
  const { list, failures, retry, isPending, applyChange } = useMessageList(search);
  const opened = useOpenedMessage(openId, list);
  const navigate = useNavigate();
  const reload = useReload();
  const { run } = useAction();
  const sendsMail = useSendsMail();
  const { role } = useAuth();
  /** The row that gets the focus when the message beside it closes. */
  const focusedRow = useRef<string>(null);

  useEffect(() => {
    if (openId) {
      focusedRow.current = openId;
      return;
    }
    if (focusedRow.current === null) return;
    const row = document.getElementById(rowId(focusedRow.current));
    if (row) row.focus();
    else focusHeading();
    focusedRow.current = null;
  }, [openId]);

  function change(message: Message) {
    applyChange(message.id, message);
    reload();
  }

  /** Opens the next message, else the one before. On narrow screens, the list has the place of the message. */
  function remove({ id }: Message) {
    const rows = list?.rows ?? [];
    const at = rows.findIndex((row) => row.id === id);
    const next = at < 0 ? undefined : (rows[at + 1] ?? rows[at - 1]);
    const isWide = window.matchMedia("(width >= 64rem)").matches;
    focusedRow.current = next?.id ?? "";
    applyChange(id, null);
    reload();
    navigate(messagePath(search, (isWide && next?.id) || ""), { replace: true, state: fromList });
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

  const narrowList = openId ? "max-lg:hidden" : "";
  return (
    <PageFrame isWide>
      {/* Rendered even when empty: screen readers announce only changes of an existing status. */}
      <p role="status" className={`mt-1 text-muted empty:mt-0 ${narrowList}`}>
        {isPending ? pendingText(search) : list ? statusText(search, list) : ""}
      </p>
      <div className={narrowList}>
        {!sendsMail && (
          <p className="mt-4 max-w-3xl rounded-md bg-sage p-3 text-sm">
            <span>This site cannot send emails yet, so messages arrive only here. </span>
            {role === "owner" && <TextLink to="/manage/settings/mail">Set up email</TextLink>}
          </p>
        )}
        <Toolbar
          filters={
            <FilterLinks
              label="Filters of messages"
              filters={messageFilters}
              current={filter}
              counts={list?.counts ?? null}
              pathOf={(wanted) => searchPath({ filter: wanted, query })}
            />
          }
        >
          <SearchForm
            label="Search messages"
            hint="In everything that visitors wrote, and in notes."
            query={query}
            pathOf={(wanted) => searchPath({ filter, query: wanted })}
          />
          <ExportMenu
            items={["message", "messages"]}
            file={filter === "all" ? "messages" : `messages-${filter}`}
            total={list?.counts[filter] ?? 0}
            columns={messageColumns}
            read={async (client, first, count) => {
              const { rows, counts } = await searchMessages(client, search, first, count);
              return { rows, total: counts[filter] };
            }}
          />
        </Toolbar>
        {filter === "spam" && (
          <p className="mt-4 max-w-3xl text-sm text-muted">
            These messages came with text in a field that people cannot see. Robots fill it in, and
            sometimes a browser does for a person. They are not emailed, and are deleted 30 days
            after they came, unless you move them to the others.
          </p>
        )}
      </div>
      {failures > 0 ? (
        <Failure failures={failures} retry={retry} />
      ) : (
        <div className="mt-4 lg:grid lg:grid-cols-[clamp(17rem,38%,22.5rem)_minmax(0,1fr)] lg:items-start lg:gap-6">
          <div
            aria-busy={isPending}
            className={`transition-opacity ${isPending && list ? "opacity-50" : ""} ${narrowList} ${list?.rows.length === 0 && !openId ? "col-span-2" : ""}`}
          >
            {list ? (
              <PagedList
                items="messages"
                path={searchPath(search)}
                list={list}
                empty={<Empty search={search} counts={list.counts} />}
              >
                {(rows) => (
                  <ul
                    aria-label="Messages, newest first"
                    className={`overflow-clip ${listClass}`}
                    onKeyDown={moveByArrow}
                  >
                    {rows.map((message) => (
                      <MessageItem
                        key={message.id}
                        message={message}
                        path={messagePath(search, message.id)}
                        isOpen={message.id === openId}
                      />
                    ))}
                  </ul>
                )}
              </PagedList>
            ) : (
              <SkeletonRows />
            )}
            {isPending && <TakingLonger key={`${filter} ${query} ${page}`} />}
          </div>
          {openId ? (
            <div className="rounded-lg border border-line bg-surface shadow-card lg:sticky lg:top-4 lg:max-h-[calc(100dvh-2rem)] lg:overflow-y-auto">
              <BackToList path={messagePath(search, "")} />
              {opened ? (
                <MessageDetails
                  key={opened.id}
                  message={opened}
                  onChanged={(changes) => change({ ...opened, ...changes })}
                  onRemoved={() => remove(opened)}
                  onUndoDeletion={() => undoDeletion(opened)}
                />
              ) : (
                <p role="status" className="p-6 text-muted">
                  {opened === null
                    ? "This message is not here any more. It was deleted for good."
                    : "Loading the message..."}
                </p>
              )}
            </div>
          ) : (
            list &&
            list.rows.length > 0 && (
              <p className="rounded-lg border border-dashed border-line px-6 py-24 text-center text-muted max-lg:hidden">
                Choose a message to read it here.
              </p>
            )
          )}
        </div>
      )}
    </PageFrame>
  );
}

/** Moves the focus between the rows. */
function moveByArrow(event: KeyboardEvent<HTMLElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const rows: (Element | null)[] = [...event.currentTarget.querySelectorAll("a")];
  const next = rows[rows.indexOf(document.activeElement) + step];
  event.preventDefault();
  if (next instanceof HTMLElement) next.focus();
}

function BackToList({ path }: { path: string }) {
  const { state } = useLocation();
  const navigate = useNavigate();
  return (
    <p className="border-b border-line px-2 py-1 lg:hidden">
      <Link
        to={path}
        state={staysInPlace}
        className="inline-flex min-h-11 items-center gap-1 rounded-md pr-3 pl-1 text-sm font-medium text-clay"
        onClick={(event) => {
          if (!state?.isFromList) return;
          event.preventDefault();
          navigate(-1);
        }}
      >
        <Icon drawing={ChevronLeft} className="size-4" />
        <span>Back to the list</span>
      </Link>
    </p>
  );
}

function Empty({ search, counts }: { search: MessageSearch; counts: MessageList["counts"] }) {
  const { filter, query } = search;
  const site = useSite();
  const { title, text } = query
    ? { title: "Nothing found", text: nothingFoundText(search) }
    : emptyTexts[filter];
  return (
    <EmptyList title={title} text={text}>
      {query && filter !== "all" && counts.all > 0 ? (
        <ButtonLink to={searchPath({ filter: "all", query })}>
          {`Show ${counts.all} in all messages`}
        </ButtonLink>
      ) : query ? (
        <ButtonLink to={searchPath({ filter, query: "" })}>Show all</ButtonLink>
      ) : filter !== "all" ? (
        <ButtonLink to={searchPath({ filter: "all", query: "" })}>Show all messages</ButtonLink>
      ) : (
        !isClosed(site, "/contact") && <ButtonLink to="/contact">See the contact form</ButtonLink>
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
