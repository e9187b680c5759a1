import type { Site } from "./public-site.ts";

/** Whether an author is the adviser. Headings show her name with no-break spaces, which a copy of it keeps. */
export function isAdviser({ adviser }: Site, author: string): boolean {
  return plain(author) === plain(adviser.name);
}

function plain(name: string): string {
  return name.replace(/\s+/g, " ");
}
