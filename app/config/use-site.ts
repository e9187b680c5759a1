import { useSyncExternalStore } from "react";
import { useRouteLoaderData } from "react-router";
import type { Site } from "./public-site.ts";
import type { RootData } from "./request-context.ts";

export type { ServiceCard, ServiceLink, Site } from "./public-site.ts";
export type { HomeSection } from "./site-pages.ts";

// The settings that the preview of /manage/settings shows in its own window.
let previewed: Site | null = null;
const listeners = new Set<() => void>();

export function previewSite(site: Site): void {
  previewed = site;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The published settings, as the root loader sent them; in the preview, those of the form. */
export function useSite(): Site {
  const preview = useSyncExternalStore(
    subscribe,
    () => previewed,
    () => null,
  );
  const data = useRootData();
  if (!data) throw new Error("This page can't be shown right now.");
  return preview ?? data.site;
}

/** @returns undefined on an error page for which the root loader did not run */
export function useRootData(): RootData | undefined {
  return useRouteLoaderData<() => RootData>("root");
}

export function useSendsMail(): boolean {
  return useRootData()?.settings.sendsMail ?? true;
}

export type Matches = readonly ({ id: string; loaderData?: unknown } | undefined)[];

/** For `meta`, which runs after the root loader. */
export function rootDataOf(matches: Matches): RootData {
  // The root route's loader satisfies this type (root.tsx).
  return matches.find((match) => match?.id === "root")?.loaderData as RootData;
}

export function siteOf(matches: Matches): Site {
  return rootDataOf(matches).site;
}

/** Whether an address belongs to a page that is switched off. Those of the editor and its previews stay. */
export function isClosed({ closed }: Pick<Site, "closed">, pathname: string): boolean {
  const address = `${pathname.toLowerCase()}/`;
  return (
    closed.some((path) => address.startsWith(`${path}/`)) &&
    !/^\/blog\/(new|preview\/[^/]+|[^/]+\/edit)\/+$/.test(address)
  );
}
