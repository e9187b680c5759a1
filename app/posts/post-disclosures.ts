import type { Site } from "../config/use-site.ts";

/** The notices for posts of a category, and for all posts. */
export function postDisclosures(
  disclosures: Site["disclosures"]["posts"],
  category: string,
): string[] {
  const plain = (name: string) => name.trim().toLowerCase();
  return disclosures
    .filter((entry) => !plain(entry.category) || plain(entry.category) === plain(category))
    .map(({ text }) => text);
}
