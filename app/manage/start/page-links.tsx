import {
  ChartLine,
  FileText,
  type IconNode,
  Mail,
  MessageSquareQuote,
  Settings,
  User,
  Users,
} from "lucide";
import { Link } from "react-router";
import type { Role } from "../../auth/roles.ts";
import { buttonClass } from "../../ui/button.ts";
import { Icon } from "../../ui/icon.ts";
import { type LiveValue, useLiveValue } from "../live-value.ts";
import { type ManagePath, pagesOf } from "../manage-pages.ts";
import { countMessages, countPosts, countTestimonials } from "./counts.ts";

const descriptions: Partial<Record<ManagePath, { icon: IconNode; text: string }>> = {
  "/messages": { icon: Mail, text: "What visitors wrote through the contact forms" },
  "/manage/posts": { icon: FileText, text: "Write, edit and delete posts of the blog" },
  "/manage/testimonials": { icon: MessageSquareQuote, text: "Approve and remove reviews" },
  "/manage/settings": { icon: Settings, text: "Your firm, texts, services and colors" },
  "/manage/visits": { icon: ChartLine, text: "How often pages are visited" },
  "/manage/people": { icon: Users, text: "Who manages this site with you" },
  "/manage/account": { icon: User, text: "Your e-mail address, password and sessions" },
};

/** A card per page that the role may open, with how much it holds. */
export function PageLinks({ role }: { role: Role }) {
  const pages = pagesOf(role).filter(({ to }) => to !== "/manage");
  const offers = (to: ManagePath) => pages.some((page) => page.to === to);
  const messages = useLiveValue(offers("/messages") ? countMessages : null, "contact_messages");
  const posts = useLiveValue(offers("/manage/posts") ? countPosts : null, "posts");
  const testimonials = useLiveValue(
    offers("/manage/testimonials") ? countTestimonials : null,
    "testimonials",
  );
  const counts: Partial<Record<ManagePath, LiveValue<number>>> = {
    "/messages": messages,
    "/manage/posts": posts,
    "/manage/testimonials": testimonials,
  };
  return (
    <section aria-labelledby="pages-title" className="mt-10">
      <h2 id="pages-title" className="text-xl">
        Your site
      </h2>
      <ul className="mt-4 grid gap-3 sm:grid-cols-2 sm:gap-4 lg:grid-cols-3">
        {pages.map(({ to, label }) => (
          <li
            key={to}
            // The last card fills its row.
            className="relative flex gap-4 rounded-lg border border-line bg-surface p-4 transition-colors hover:border-evergreen sm:p-5 sm:max-lg:last:odd:col-span-2 lg:last:nth-[3n+1]:col-span-3 lg:last:nth-[3n+2]:col-span-2"
          >
            <Icon
              drawing={descriptions[to]?.icon ?? FileText}
              className="mt-1 size-5 shrink-0 text-evergreen"
            />
            <div className="min-w-0 flex-1">
              <div className="flex flex-wrap items-baseline justify-between gap-x-3">
                <h3 className="font-sans text-base font-semibold">
                  <Link to={to} className="card-link">
                    {label}
                  </Link>
                </h3>
                {counts[to] && <Count of={label} reading={counts[to]} />}
              </div>
              <p className="mt-0.5 text-sm text-muted">{descriptions[to]?.text}</p>
              {to === "/manage/posts" && (
                <Link
                  to="/blog/new"
                  className={`${buttonClass("secondary", "small")} relative z-10 mt-3`}
                >
                  Create New Post
                </Link>
              )}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Count({ of, reading }: { of: string; reading: LiveValue<number> }) {
  const className = "text-sm text-muted tabular-nums";
  if (reading.state === "loaded") {
    return (
      <span className={className}>
        {reading.value.toLocaleString("en-US")}
        <span className="sr-only"> in all</span>
      </span>
    );
  }
  if (reading.state === "failed") {
    return (
      <button
        type="button"
        onClick={reading.retry}
        className="relative z-10 min-h-6 text-sm text-danger underline underline-offset-4"
      >
        Count failed. Try again
        <span className="sr-only"> to count {of.toLowerCase()}</span>
      </button>
    );
  }
  return <span aria-hidden="true" className="skeleton h-4 w-8" />;
}
