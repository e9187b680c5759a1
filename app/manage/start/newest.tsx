// The newest messages, posts that are not public yet, and visits, as Home shows them.
import { ChartLine, Inbox, PenLine } from "lucide";
import { Link } from "react-router";
import { useSite } from "../../config/use-site.ts";
import { ButtonLink } from "../button.tsx";
import { formatMoment } from "../format-moment.ts";
import { shortDate } from "../messages/format-message.ts";
import { messagePath } from "../messages/message-search.ts";
import { readNewestMessages } from "../messages/messages.ts";
import { kinds } from "../posts/kinds.ts";
import { editPath, type ManagedPost, readUnfinishedPosts } from "../posts/managed-posts.ts";
import { describeVisits, readVisits, type Visits } from "../visits/visits.ts";
import { VisitsChart } from "../visits/visits-chart.tsx";
import { Empty, Part } from "./part.tsx";

const count = 3;

const rowClass =
  "flex h-16 flex-col justify-center px-4 transition-colors hover:bg-sand/60 focus-visible:-outline-offset-3 sm:px-5";

export function NewestMessages() {
  const { timeZone } = useSite().contact;
  return (
    <Part
      title="Messages"
      all={{ to: "/messages", label: "Open the inbox" }}
      query={{
        key: ["newest messages"],
        read: (client) => readNewestMessages(client, count),
        tables: ["contact_messages"],
      }}
      noun="messages"
    >
      {({ messages }) =>
        messages.length === 0 ? (
          <Empty drawing={Inbox} text="No messages yet. What visitors write to you appears here." />
        ) : (
          <ul className="divide-y divide-line">
            {messages.map(({ id, name, message, created_at, read_at }) => (
              <li key={id}>
                <Link
                  to={messagePath({ filter: "all", query: "", page: 1 }, id)}
                  className={rowClass}
                >
                  <span className="flex items-baseline gap-3">
                    {read_at === null && (
                      <>
                        <span
                          aria-hidden="true"
                          className="size-2 shrink-0 self-center rounded-full bg-clay"
                        />
                        <span className="sr-only">New:</span>
                      </>
                    )}
                    <span
                      className={`min-w-0 flex-1 truncate ${read_at === null ? "font-semibold" : "font-medium"}`}
                    >
                      {name}
                    </span>
                    <time
                      dateTime={created_at}
                      className="shrink-0 text-sm text-muted tabular-nums"
                    >
                      {shortDate(created_at, timeZone)}
                    </time>
                  </span>
                  <span className="truncate text-sm text-muted">{message.slice(0, 200)}</span>
                </Link>
              </li>
            ))}
          </ul>
        )
      }
    </Part>
  );
}

export function UnfinishedPosts() {
  const { timeZone } = useSite().contact;
  return (
    <Part
      title="Drafts and scheduled"
      all={{ to: "/manage/posts", label: "All posts" }}
      query={{
        key: ["newest unfinished posts"],
        read: (client) => readUnfinishedPosts(client, count),
        tables: ["posts", "content_states", "drafts"],
      }}
      noun="posts"
    >
      {(posts) =>
        posts.length === 0 ? (
          <Empty drawing={PenLine} text="No drafts, and nothing scheduled.">
            <ButtonLink to={kinds.post.create}>Write a post</ButtonLink>
          </Empty>
        ) : (
          <ul className="divide-y divide-line">
            {posts.map((post) => (
              <li key={post.id}>
                <Link to={editPath(kinds.post, post)} className={rowClass}>
                  <span className="truncate font-medium">{post.title || "Untitled"}</span>
                  <span
                    className={`truncate text-sm ${post.failure ? "font-medium text-danger" : "text-muted"}`}
                  >
                    {describePost(post, timeZone)}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        )
      }
    </Part>
  );
}

function describePost({ state, date, failure }: ManagedPost, timeZone: string): string {
  const moment = formatMoment(date, timeZone);
  if (failure) return "Could not be published";
  if (state === "scheduled") return `Scheduled for ${moment}`;
  return state === "draft" ? `Draft, saved ${moment}` : "Changes not yet public";
}

export function RecentVisits() {
  const { countsVisits } = useSite();
  return (
    <Part
      title="Visits"
      all={{ to: "/manage/visits", label: "All visits" }}
      query={{
        key: ["visit counts", 30],
        read: (client) => readVisits(client, 30),
        tables: [],
      }}
      noun="visits"
    >
      {(visits) =>
        visits.sums.visits > 0 ? (
          <ShownVisits visits={visits} />
        ) : (
          <Empty
            drawing={ChartLine}
            text={
              countsVisits
                ? "No visits in the last 30 days. Yours are left out."
                : "Counting visits is switched off."
            }
          />
        )
      }
    </Part>
  );
}

function ShownVisits({ visits }: { visits: Visits }) {
  const [number, rest] = describeVisits(visits);
  return (
    <div className="flex flex-1 flex-col justify-between gap-4 p-4 sm:px-5">
      <p>
        <strong className="font-semibold">{number}</strong>
        <span>{rest}</span>
      </p>
      <VisitsChart days={visits.days} isSmall />
    </div>
  );
}
