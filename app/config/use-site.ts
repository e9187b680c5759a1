import { useRouteLoaderData } from "react-router";
import type { Site } from "./public-site.ts";

export type { HomeSection, ServiceCard, Site } from "./public-site.ts";

/** The published settings, as the root loader sent them. */
export function useSite(): Site {
  // The root route's loader returns them (root.tsx); this folder may not import its type.
  const data = useRouteLoaderData("root") as { site: Site } | undefined;
  if (!data) throw new Error("useSite needs the data of the root route");
  return data.site;
}

/** The published settings in a route's `meta`. */
export function siteOf(
  matches: readonly ({ id: string; loaderData?: unknown } | undefined)[],
): Site {
  const data = matches.find((match) => match?.id === "root")?.loaderData as { site: Site };
  return data.site;
}
