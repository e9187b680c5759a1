import type { ReactNode } from "react";
import type { PageAccess } from "../../auth/roles.ts";
import { siteOf } from "../../config/use-site.ts";
import { lazyPart } from "../../loading/lazy-part.tsx";
import { Loaded } from "../../loading/loaded.tsx";
import { mayHaveSession } from "../../supabase/browser-client.ts";
import { LoadFailure, ReadFailure, TakingLonger } from "../../ui/load-state.tsx";
import type { Route } from "./+types/people-page";
import { loadPeople } from "./people.ts";

// Loaded separately, so that a visitor who opens this address does not load its code.
const PeopleSections = lazyPart(
  () => import("./people-sections.tsx"),
  ({ onRetry }) => <LoadFailure what="The people" onRetry={onRetry} className="mt-8" />,
);

export const handle: PageAccess = { roles: ["owner"], action: "manage people" };

export async function clientLoader() {
  // Without a session the protected layout redirects to the login; skip the request.
  return { people: mayHaveSession() ? loadPeople() : null };
}
clientLoader.hydrate = true as const;

export function meta({ matches }: Route.MetaArgs) {
  return [
    { title: `People | ${siteOf(matches).firm.name}` },
    { name: "robots", content: "noindex" },
  ];
}

export function HydrateFallback() {
  return <Loading />;
}

export default function PeoplePage({ loaderData: { people } }: Route.ComponentProps) {
  if (!people) return <Loading />;
  return (
    <Loaded
      data={people}
      of="people"
      fallback={<Loading />}
      failure={(failed) => (
        <Frame>
          <ReadFailure failed={failed} text="The people can't be shown right now." />
        </Frame>
      )}
    >
      {(loaded) => (
        <Frame>
          <PeopleSections people={loaded} />
        </Frame>
      )}
    </Loaded>
  );
}

function Frame({ children }: { children: ReactNode }) {
  return (
    <div className="wrap section min-h-[60vh]">
      <h1 className="text-3xl">People</h1>
      <p className="mt-4 max-w-2xl text-lg text-muted">
        Who helps to manage this site, and what each of them may do.
      </p>
      {children}
    </div>
  );
}

function Loading() {
  return (
    <Frame>
      <p role="status" className="mt-4 text-muted">
        Loading people...
      </p>
      <div aria-hidden="true" className="mt-8 max-w-3xl space-y-6">
        {["h-40", "h-96"].map((height) => (
          <div key={height} className={`skeleton rounded-lg ${height}`} />
        ))}
      </div>
      <TakingLonger />
    </Frame>
  );
}
