import type { ReactNode } from "react";
import type { PageAccess } from "../../auth/roles.ts";
import { site } from "../../config/site.ts";
import { lazyPart } from "../../loading/lazy-part.tsx";
import { Loaded } from "../../loading/loaded.tsx";
import { mayHaveSession } from "../../supabase/browser-client.ts";
import { useLiveRefresh } from "../../supabase/live.ts";
import { LoadFailure, ReadFailure, TakingLonger } from "../../ui/load-state.tsx";
import { pageOf } from "../../ui/pager.tsx";
import type { Route } from "./+types/messages-page";
import { loadMessages } from "./messages.ts";

// Loaded separately, so that a visitor who opens this address does not load the code of the inbox.
const Inbox = lazyPart(
  () => import("./inbox.tsx"),
  ({ onRetry }) => (
    <Frame>
      <LoadFailure what="Your messages" onRetry={onRetry} className="mt-8" />
    </Frame>
  ),
);

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const page = pageOf(new URL(request.url).search);
  // Without a session the protected layout redirects to the login; skip the request.
  return { page, list: mayHaveSession() ? loadMessages(page) : null };
}
clientLoader.hydrate = true as const;

export const handle: PageAccess = { roles: ["owner", "assistant"], action: "read messages" };

export function meta() {
  return [{ title: `Messages | ${site.brand}` }, { name: "robots", content: "noindex" }];
}

export function HydrateFallback() {
  return <Loading />;
}

export default function MessagesPage({ loaderData: { page, list } }: Route.ComponentProps) {
  useLiveRefresh("contact_messages");
  if (!list) return <Loading />;
  return (
    <Loaded
      data={list}
      of={page}
      fallback={<Loading />}
      failure={(failed) => (
        <Frame>
          <ReadFailure
            failed={failed}
            text="The messages can't be shown right now. None of them is lost."
          />
        </Frame>
      )}
    >
      {(loaded) => <Inbox list={loaded} />}
    </Loaded>
  );
}

function Frame({ children }: { children: ReactNode }) {
  return (
    <div className="wrap section min-h-[60vh]">
      <h1 className="text-3xl">Messages</h1>
      {children}
    </div>
  );
}

/** Widths of the names in the skeleton. */
const rows = ["w-1/4", "w-2/5", "w-1/3", "w-1/5", "w-3/10"];

/** The loading line and skeleton rows of the same size as the messages. */
function Loading() {
  return (
    <Frame>
      <p role="status" className="mt-4 text-lg text-muted">
        Loading messages...
      </p>
      <div
        aria-hidden="true"
        className="mt-8 divide-y divide-line rounded-lg border border-line bg-surface"
      >
        {rows.map((width) => (
          <div key={width} className="space-y-2.5 py-5 pr-14 pl-9 sm:pl-13">
            <div className={`skeleton h-5 ${width}`} />
            <div className="skeleton h-4" />
          </div>
        ))}
      </div>
      <TakingLonger />
    </Frame>
  );
}
