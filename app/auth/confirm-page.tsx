import { Suspense, useSyncExternalStore } from "react";
import { linkTypes } from "../../supabase/functions/_shared/confirm-link.ts";
import { lazyPart } from "../loading/lazy-part.tsx";
import { unlistedMeta } from "../seo/page-meta.ts";
import { LoadFailure } from "../ui/load-state.tsx";
import type { Route } from "./+types/confirm-page";
import { AuthCard, NeedsScripts, rejectPost } from "./auth-form.tsx";
import type { AccountLink } from "./use-link.tsx";

export const action = rejectPost;

export function headers() {
  return {
    "cache-control": "no-store",
    "x-robots-tag": "noindex",
    "referrer-policy": "no-referrer",
  };
}

export function meta({ matches }: Route.MetaArgs) {
  return [...unlistedMeta({ matches }, "Confirm"), { name: "referrer", content: "no-referrer" }];
}

/** The target of mailed account links, and of the setup link of a new site. Only the button uses the link. */
export default function ConfirmPage() {
  const hash = useSyncExternalStore(
    subscribeToHash,
    () => window.location.hash,
    () => null,
  );
  const link = hash === null ? null : readLink(hash);
  if (hash === null) return <ReadingLink />;
  if (!link) {
    return (
      <AuthCard
        title="This link is not complete"
        lead="Open it again where you found it, or copy all of it."
      />
    );
  }
  return (
    <Suspense fallback={<ReadingLink />}>
      <UseLink key={hash} {...link} />
    </Suspense>
  );
}

const UseLink = lazyPart<AccountLink>(
  () => import("./use-link.tsx"),
  ({ onRetry }) => <LoadFailure what="This page" onRetry={onRetry} className="wrap py-16" />,
);

function ReadingLink() {
  return (
    <AuthCard title="Confirm" lead={<span className="noscript:hidden">Reading the link...</span>}>
      <NeedsScripts what="This page" />
    </AuthCard>
  );
}

function readLink(hash: string): AccountLink | null {
  const fields = new URLSearchParams(hash.slice(1));
  const type = ([...linkTypes, "setup"] as const).find((each) => each === fields.get("type"));
  const token = fields.get("token_hash");
  return type && token ? { type, token } : null;
}

function subscribeToHash(onChange: () => void): () => void {
  window.addEventListener("hashchange", onChange);
  return () => window.removeEventListener("hashchange", onChange);
}
