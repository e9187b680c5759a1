import { Suspense } from "react";
import type { PageAccess } from "../../auth/roles.ts";
import { siteOf } from "../../config/use-site.ts";
import { lazyPart } from "../../loading/lazy-part.tsx";
import { mayHaveSession } from "../../supabase/browser-client.ts";
import { useLiveRefresh } from "../../supabase/live.ts";
import { LoadFailure, TakingLonger } from "../../ui/load-state.tsx";
import type { Route } from "./+types/messages-page";
import { searchOf } from "./message-search.ts";
import { loadMessages } from "./messages.ts";
import { MessagesFrame, MessagesSkeleton } from "./messages-frame.tsx";

// Loaded separately, so that a visitor who opens this address does not load the code of the inbox.
const Inbox = lazyPart(
  () => import("./inbox.tsx"),
  ({ onRetry }) => (
    <MessagesFrame>
      <LoadFailure what="Your messages" onRetry={onRetry} className="mt-8" />
    </MessagesFrame>
  ),
);

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const search = searchOf(new URL(request.url).search);
  // Without a session the protected layout redirects to the login; skip the request.
  return { search, list: mayHaveSession() ? loadMessages(search) : null };
}
clientLoader.hydrate = true as const;

export const handle: PageAccess = { roles: ["owner", "assistant"], action: "read messages" };

export function meta({ matches }: Route.MetaArgs) {
  return [
    { title: `Messages | ${siteOf(matches).firm.name}` },
    { name: "robots", content: "noindex" },
  ];
}

export function HydrateFallback() {
  return <Loading />;
}

export default function MessagesPage({ loaderData: { search, list } }: Route.ComponentProps) {
  useLiveRefresh("contact_messages");
  if (!list) return <Loading />;
  return (
    <Suspense fallback={<Loading />}>
      <Inbox search={search} list={list} />
    </Suspense>
  );
}

function Loading() {
  return (
    <MessagesFrame>
      <p role="status" className="mt-4 text-lg text-muted">
        Loading messages...
      </p>
      <MessagesSkeleton />
      <TakingLonger />
    </MessagesFrame>
  );
}
