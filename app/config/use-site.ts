import { useSyncExternalStore } from "react";
import { useRouteLoaderData } from "react-router";
import type { Site } from "./public-site.ts";
import { type PartName, type SiteParts, type SiteWith, siteParts } from "./site-parts.ts";

export type { HomeSection, ServiceCard, Site } from "./public-site.ts";
export type { FrameSite, ServiceLink } from "./site-parts.ts";

// What the preview of /manage/settings shows instead, in its own window.
let previewed: Site | null = null;
const listeners = new Set<() => void>();

/** Shows other settings than the published ones in this window. */
export function previewSite(site: Site): void {
  previewed = site;
  for (const listener of listeners) listener();
}

/** The site in the preview of /manage/settings, else null. */
export function usePreviewedSite(): Site | null {
  return useSyncExternalStore(
    subscribe,
    () => previewed,
    () => null,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The server did not respond when the page needed more settings. */
export class MissingSettings extends Error {
  override message = "This page can't be shown right now.";
}

/**
 * The published settings, as the root loader sent them.
 * @param part what the page shows besides its frame (site-parts.ts)
 * @throws {MissingSettings}
 */
export function useSite<Part extends PartName = "frame">(part?: Part): SiteWith[Part] {
  const preview = usePreviewedSite();
  // The root route's loader returns them (root.tsx); this folder may not import its type.
  const data = useRouteLoaderData("root") as { site: SiteWith[Part]; parts: SiteParts } | undefined;
  if (!data || (part && data.parts < siteParts[part])) throw new MissingSettings();
  // A previewed site is whole.
  return (preview as SiteWith[Part] | null) ?? data.site;
}

/** A map search for the firm's address. */
export function mapUrl(addressLine: string): string {
  return `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(addressLine)}`;
}

/** The published settings in a route's `meta`. */
export function siteOf(
  matches: readonly ({ id: string; loaderData?: unknown } | undefined)[],
): SiteWith["frame"] {
  const data = matches.find((match) => match?.id === "root")?.loaderData as {
    site: SiteWith["frame"];
  };
  return data.site;
}
