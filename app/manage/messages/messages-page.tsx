import { Suspense } from "react";
import { Await, useRevalidator } from "react-router";
import { site } from "../../config/site.ts";
import { lazyPart } from "../../loading/lazy-part.tsx";
import { loadModule } from "../../loading/load-module.ts";
import { mayHaveSession } from "../../supabase/browser-client.ts";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { pageOf } from "../../ui/pager.tsx";
import { TakingLonger } from "../../ui/taking-longer.tsx";
import type { Route } from "./+types/messages-page";

// Loaded separately, so that a visitor who opens this address does not load the code of the inbox.
const Inbox = lazyPart(
  () => import("./inbox.tsx"),
  ({ onRetry }) => <InboxFailure onRetry={onRetry} />,
);

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  // Without a session the protected layout redirects to the login; skip the request.
  if (!mayHaveSession()) return { list: null };
  const page = pageOf(new URL(request.url).search);
  const reading = loadModule(() => import("./load-messages.ts"));
  return { list: reading.then(({ loadMessages }) => loadMessages(page)) };
}
clientLoader.hydrate = true as const;

export function meta() {
  return [{ title: `Messages | ${site.brand}` }, { name: "robots", content: "noindex" }];
}

export function HydrateFallback() {
  return <Loading />;
}

export default function MessagesPage({ loaderData }: Route.ComponentProps) {
  return (
    <Suspense fallback={<Loading />}>
      <Await resolve={loaderData.list} errorElement={<ReadFailure />}>
        {(list) => (list ? <Inbox list={list} /> : <Loading />)}
      </Await>
    </Suspense>
  );
}

function ReadFailure() {
  const { revalidate } = useRevalidator();
  return <InboxFailure onRetry={revalidate} />;
}

function InboxFailure({ onRetry }: { onRetry: () => void }) {
  return (
    <div className="wrap section min-h-[60vh]">
      <h1 className="text-3xl">Messages</h1>
      <LoadFailure what="Your messages" onRetry={onRetry} className="mt-8" />
    </div>
  );
}

/** Widths of the names in the skeleton. */
const rows = ["w-1/4", "w-2/5", "w-1/3", "w-1/5", "w-3/10"];

/** The loading line and skeleton rows of the same size as the messages. */
function Loading() {
  return (
    <div className="wrap section min-h-[60vh]">
      <h1 className="text-3xl">Messages</h1>
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
    </div>
  );
}
