import { useSyncExternalStore } from "react";
import { useRouteLoaderData } from "react-router";
import type { Site } from "./public-site.ts";

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
  // The root route's loader returns them (root.tsx); this folder may not import its type.
  const data = useRouteLoaderData("root") as { site: Site } | undefined;
  if (!data) throw new Error("This page can't be shown right now.");
  return preview ?? data.site;
}

export function useSendsMail(): boolean {
  // As above.
  const data = useRouteLoaderData("root") as { settings: { sendsMail: boolean } } | undefined;
  return data?.settings.sendsMail ?? true;
}

export function siteOf(
  matches: readonly ({ id: string; loaderData?: unknown } | undefined)[],
): Site {
  // As above. `meta` runs after the root loader.
  const data = matches.find((match) => match?.id === "root")?.loaderData as { site: Site };
  return data.site;
}

/** Whether an address belongs to a page that is switched off. Those of the editor and its previews stay. */
export function isClosed({ closed }: Pick<Site, "closed">, pathname: string): boolean {
  const address = `${pathname.toLowerCase()}/`;
  return (
    closed.some((path) => address.startsWith(`${path}/`)) &&
    !/^\/blog\/(new|preview\/[^/]+|[^/]+\/edit)\/+$/.test(address)
  );
}
