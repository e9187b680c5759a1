// What belongs to a post beside its text: reading time, excerpt, related services and notices.
import type { ServiceLink, Site } from "../config/use-site.ts";
import { blocksToPlainText, parseBlocks } from "./blocks.tsx";

const wordsPerMinute = 220;

/** How long a post takes to read, in whole minutes, at least 1. */
export function readingMinutes(content: unknown): number {
  const words = blocksToPlainText(parseBlocks(content)).match(/\S+/g)?.length ?? 0;
  return Math.max(1, Math.round(words / wordsPerMinute));
}

/** How many characters of a description search results show. */
const excerptLength = 160;

interface Described {
  content: unknown;
  tagline: string;
  title: string;
}

/** The tagline of a post that has none of its own. */
export function generatedTagline(title: string): string {
  return `An insightful article about ${title}`;
}

/** A short description of a post: its own tagline, else the start of its first paragraph. */
export function excerptOf({ content, tagline, title }: Described): string {
  const [paragraph = ""] = parseBlocks(content).flatMap((block) =>
    block.type === "paragraph" ? block.text : [],
  );
  const own = tagline === generatedTagline(title) ? "" : oneLine(tagline);
  const text = own || oneLine(paragraph) || title;
  if (text.length <= excerptLength) return text;
  return `${text.slice(0, excerptLength).replace(/\s+\S*$/, "")}…`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Whether an author is the adviser. Headings show her name with no-break spaces, which a copy of it keeps. */
export function isAdviser({ adviser }: Site, author: string): boolean {
  return oneLine(author) === oneLine(adviser.name);
}

/** The slugs of the services that a post names, also of hidden and deleted ones. Skips malformed entries. */
export function relatedSlugs(relatedServices: unknown): string[] {
  if (!Array.isArray(relatedServices)) return [];
  return relatedServices
    .map((entry): unknown => Object(entry).slug)
    .filter((slug) => typeof slug === "string");
}

/** The services that a post names, in the site's order. Skips unknown and malformed entries. */
export function findRelatedServices(
  services: readonly ServiceLink[],
  relatedServices: unknown,
): ServiceLink[] {
  const slugs = relatedSlugs(relatedServices);
  return services.filter((service) => isRelated(service, slugs));
}

export function isRelated(
  { slug, formerSlugs = [] }: Pick<ServiceLink, "slug" | "formerSlugs">,
  slugs: readonly string[],
): boolean {
  return [slug, ...formerSlugs].some((own) => slugs.includes(own));
}

export function postDisclosures(
  disclosures: Site["disclosures"]["posts"],
  category: string,
): string[] {
  const plain = (name: string) => name.trim().toLowerCase();
  return disclosures
    .filter((entry) => !plain(entry.category) || plain(entry.category) === plain(category))
    .flatMap(({ text }) => text || []);
}
