// Who published and approved what a copy shows: its post or page, or the settings with the texts of its own.
import type { Change, Copy } from "./archive.ts";

/** The settings with the texts of a page, by the first part of its path. */
const sectionsOf: Readonly<Record<string, readonly string[]>> = {
  "": ["home", "adviser"],
  services: ["services"],
  testimonials: ["testimonials"],
  blog: ["blog"],
  "savings-calculator": ["calculators"],
  contact: ["contact"],
  "rss.xml": ["blog"],
  "atom.xml": ["blog"],
};

/** Without the words, of which an export may have more than fit into memory. */
type Noted = Omit<Change, "document"> & { isSample: boolean };

/** A version that a copy shows, and the approval of exactly this version. */
export type Shown = Noted & { approved: Noted | undefined };
export type Provenance = ReturnType<typeof createProvenance>;

export function isSample({ document }: Pick<Change, "document">): boolean {
  return document?.is_sample === true;
}

export function createProvenance() {
  const byNumber = new Map<number, Noted>();
  /** What was published at an address or of a section, such as `post first-note`, ascending. */
  const published = new Map<string, Noted[]>();

  return {
    /** Adds the changes of an export in their order. */
    add(changes: readonly Change[]): void {
      for (const { document, ...change } of changes) {
        const noted = { ...change, isSample: isSample({ document }) };
        byNumber.set(change.number, noted);
        if (change.event !== "published") continue;
        const name = change.kind === "section" ? change.thing : document?.slug;
        const key = `${change.kind} ${name}`;
        published.set(key, [...(published.get(key) ?? []), noted]);
      }
    },
    /** The versions that a page showed at a time; none of texts that came with the release. */
    shownAt({ path }: Pick<Copy, "path">, time: number): Shown[] {
      return keysOf(path).flatMap((key) => {
        const shown = published.get(key)?.findLast(({ at }) => Date.parse(at) <= time);
        return shown ? { ...shown, approved: byNumber.get(shown.approval ?? 0) } : [];
      });
    },
    /** What changed on the site after one time and until another. */
    publicChanges: (after: number, until: number): Noted[] =>
      [...byNumber.values()].filter(({ event, at }) => {
        const time = Date.parse(at);
        return /^(published|unpublished|deleted)$/.test(event) && time > after && time <= until;
      }),
  };
}

function keysOf(path: string): string[] {
  const [folder = "", slug, rest] = path.slice(1).split("?")[0]?.split("/") ?? [];
  // Not the list of a category.
  if (folder === "blog" && slug && !rest) return [`post ${slug}`];
  if (folder === "mails" && slug) return ["section disclosures"];
  return sectionsOf[folder]?.map((section) => `section ${section}`) ?? [`page ${folder}`];
}
