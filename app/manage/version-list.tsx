import { ChevronDown } from "lucide";
import { type ReactNode, useEffect, useState } from "react";
import { getBrowserClient } from "../supabase/browser-client.ts";
import type { Client } from "../supabase/client-context.ts";
import { Icon } from "../ui/icon.ts";
import { LoadFailure } from "../ui/load-state.tsx";
import { Button } from "./button.tsx";

export const versionsPerPage = 10;

/** Who did something, as the database kept it at that moment. Null for the secret key. */
export interface Signature {
  by_name: string | null;
  by_email: string | null;
}

/** `Ada Lovelace (ada@example.com)`; empty when no account did it. */
export function formatSignature({ by_name, by_email }: Signature): string {
  if (by_name === by_email || !by_email) return by_name ?? "";
  return `${by_name} (${by_email})`;
}

export interface LoadedVersions<Version> {
  versions: readonly Version[];
  hasMore: boolean;
}

interface VersionListProps<Version> {
  heading: string;
  empty: string;
  /** Reads versions, newest first: one more than `versionsPerPage` when there are more. */
  read: (client: Client, first: number) => Promise<Version[]>;
  /** A changed value makes the list load again. */
  loadedFor: string;
  children: (loaded: LoadedVersions<Version>) => ReactNode;
}

export function VersionList<Version>(props: VersionListProps<Version>) {
  const { heading, empty, read, loadedFor, children } = props;
  const [isOpen, setOpen] = useState(false);
  const [loaded, setLoaded] = useState<LoadedVersions<Version>>();
  const [status, setStatus] = useState<"idle" | "loading" | "failed">("idle");

  // biome-ignore lint/correctness/useExhaustiveDependencies: `load` is a new function in each rendering.
  useEffect(() => {
    if (isOpen) load([]);
  }, [isOpen, loadedFor]);

  /** @param known the versions that are shown already */
  async function load(known: readonly Version[]): Promise<void> {
    setStatus("loading");
    try {
      const client = await getBrowserClient();
      const page = await read(client, known.length);
      const versions = [...known, ...page.slice(0, versionsPerPage)];
      setLoaded({ versions, hasMore: page.length > versionsPerPage });
      setStatus("idle");
    } catch (error) {
      console.error("Loading the history failed", error);
      setStatus("failed");
    }
  }

  const loadMore = () => load(loaded?.versions ?? []);
  return (
    <section className="mt-8">
      <h2>
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="flex min-h-11 items-center gap-2 font-sans text-base font-semibold text-evergreen"
        >
          <Icon
            drawing={ChevronDown}
            className={`size-5 transition-transform ${isOpen ? "rotate-180" : ""}`}
          />
          <span>{heading}</span>
        </button>
      </h2>
      {isOpen && (
        <>
          {loaded?.versions.length === 0 && <p className="mt-2 text-muted">{empty}</p>}
          {loaded && loaded.versions.length > 0 && (
            <ol className="mt-2 divide-y divide-line rounded-lg border border-line bg-surface">
              {children(loaded)}
            </ol>
          )}
          {status === "failed" && (
            <LoadFailure what="The earlier versions" onRetry={loadMore} className="mt-3" />
          )}
          {status === "loading" && (
            <p role="status" className="mt-3 text-muted">
              Loading versions...
            </p>
          )}
          {loaded?.hasMore && status === "idle" && (
            <Button className="mt-3" onClick={loadMore}>
              Show older versions
            </Button>
          )}
        </>
      )}
    </section>
  );
}
