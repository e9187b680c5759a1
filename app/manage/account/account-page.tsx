import type { ReactNode } from "react";
import { siteOf } from "../../config/use-site.ts";
import { lazyPart } from "../../loading/lazy-part.tsx";
import { Loaded } from "../../loading/loaded.tsx";
import { mayHaveSession } from "../../supabase/browser-client.ts";
import { LoadFailure, ReadFailure, TakingLonger } from "../../ui/load-state.tsx";
import type { Route } from "./+types/account-page";
import { loadAccount } from "./account.ts";

// Loaded separately, so that a visitor who opens this address does not load its code.
const AccountSections = lazyPart(
  () => import("./account-sections.tsx"),
  ({ onRetry }) => <LoadFailure what="Your account" onRetry={onRetry} className="mt-8" />,
);

export async function clientLoader() {
  // Without a session the protected layout redirects to the login; skip the requests.
  return { account: mayHaveSession() ? loadAccount() : null };
}
clientLoader.hydrate = true as const;

export function meta({ matches }: Route.MetaArgs) {
  return [
    { title: `Your Account | ${siteOf(matches).firm.name}` },
    { name: "robots", content: "noindex" },
  ];
}

export function HydrateFallback() {
  return <Loading />;
}

export default function AccountPage({ loaderData: { account } }: Route.ComponentProps) {
  if (!account) return <Loading />;
  return (
    <Loaded
      data={account}
      of="account"
      fallback={<Loading />}
      failure={(failed) => (
        <Frame>
          <ReadFailure failed={failed} text="Your account can't be shown right now." />
        </Frame>
      )}
    >
      {(loaded) => (
        <Frame>
          <AccountSections account={loaded} />
        </Frame>
      )}
    </Loaded>
  );
}

function Frame({ children }: { children: ReactNode }) {
  return (
    <div className="wrap section min-h-[60vh]">
      <h1 className="text-3xl">Your account</h1>
      {children}
    </div>
  );
}

function Loading() {
  return (
    <Frame>
      <p role="status" className="mt-4 text-lg text-muted">
        Loading your account...
      </p>
      <div aria-hidden="true" className="mt-8 max-w-3xl space-y-6">
        {["h-44", "h-52", "h-72"].map((height) => (
          <div key={height} className={`skeleton rounded-lg ${height}`} />
        ))}
      </div>
      <TakingLonger />
    </Frame>
  );
}
