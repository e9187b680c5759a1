export interface ShareText {
  /** What kind of page it is: a post's category, or the name of a section. */
  label: string;
  headline: string;
}

/** What networks ask for, in pixels. */
export const shareSize = { width: 1200, height: 630 } as const;

/**
 * Site-relative address of a page's share image.
 * @param path of the page, with or without a query
 * @param changedAt ISO 8601; the address changes with it. Left out for pages that only a new build changes.
 */
export function shareImagePath(path: string, changedAt?: string): string {
  const [pathname = "/"] = path.split("?");
  const image = `/share${pathname === "/" ? "/home" : pathname}.png`;
  return changedAt ? `${image}?t=${new Date(changedAt).getTime()}` : image;
}
