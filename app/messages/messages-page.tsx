import { lazy, Suspense } from "react";
import { Await } from "react-router";
import { site } from "../config/site.ts";
import { mayHaveSession } from "../supabase/browser-client.ts";
import { pageOf } from "../ui/page-number.ts";
import type { Route } from "./+types/messages-page";

/** The inbox is the owner's alone: this page is a thin door to it and to what reads it. */
const Inbox = lazy(() => import("./inbox.tsx"));

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  // The gate sends a visitor on to the login; until then nothing is asked for in vain.
  if (!mayHaveSession()) return { list: null };
  const page = pageOf(new URL(request.url).search);
  return { list: import("./load-messages.ts").then(({ loadMessages }) => loadMessages(page)) };
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
      <Await resolve={loaderData.list}>
        {(list) => (list ? <Inbox list={list} /> : <Loading />)}
      </Await>
    </Suspense>
  );
}

function Loading() {
  return (
    <div className="wrap section min-h-[60vh]">
      <h1 className="text-3xl">Messages</h1>
      <p role="status" className="mt-4 text-lg text-muted">
        Loading messages...
      </p>
    </div>
  );
}
