// The links of a post: what an owner types or pastes as one, and those that lead nowhere.
import { useEffect, useState } from "react";
import { parseBlocks, textsOf } from "../../posts/blocks.tsx";
import { isLinkTarget } from "../../posts/formatted-text.tsx";
import type { Json } from "../../supabase/database.ts";

/**
 * The address of a link that an owner typed or pasted, or null. A page of this site has no host.
 * @param origin of this site
 */
export function toHref(typed: string, origin: string): string | null {
  const text = typed.trim();
  const href = /^[^\s@/:]+@[^\s@/]+\.\w+$/.test(text)
    ? `mailto:${text}`
    : /^[\w-]+(?:\.[\w-]+)+(?:[/?#:]\S*)?$/.test(text)
      ? `https://${text}`
      : text;
  if (!isLinkTarget(href) || isUnfinished(href)) return null;
  const url = new URL(href, origin);
  return url.origin === origin ? url.pathname + url.search + url.hash : href;
}

/** Whether an address names a host like 'https://exam'. */
function isUnfinished(href: string): boolean {
  return /^https?:\/\/[^./?#]*(?:[/?#]|$)/i.test(href);
}

export function checkLinks(content: Json) {
  const links = parseBlocks(content).flatMap((block) =>
    textsOf(block).flatMap(({ text, marks = [] }) => [
      ...marks.flatMap((mark) =>
        mark.type === "link" ? { words: text.slice(mark.start, mark.end), href: mark.href } : [],
      ),
      // As a link or an image is written in the text field.
      ...[...text.matchAll(/!?\[[^\]\n]*\]\([^)\s]*/g)].map(([words]) => ({ words, href: "" })),
    ]),
  );
  return {
    own: links.filter(({ href }) => href.startsWith("/")),
    unfinished: links.filter(({ href }) => href === "" || isUnfinished(href)),
  };
}

/** What should be corrected before the post is published, each as a sentence. */
export function useLinkProblems(content: Json): string[] {
  const { own, unfinished } = checkLinks(content);
  const paths = [...new Set(own.map(({ href }) => href))].sort().join(" ");
  const [missing, setMissing] = useState<readonly string[]>([]);

  useEffect(() => {
    const checking = new AbortController();
    const { signal } = checking;
    const check = async (path: string) => ((await leadsNowhere(path, signal)) ? path : []);
    Promise.all(paths.split(" ").filter(Boolean).map(check))
      .then((found) => setMissing(found.flat()))
      // Unknown without a connection.
      .catch(() => {});
    return () => checking.abort();
  }, [paths]);

  return [
    ...unfinished.map(({ words }) => `The link “${words}” is not finished.`),
    ...own
      .filter(({ href }) => missing.includes(href))
      .map(
        ({ words, href }) =>
          `The link “${words}” leads nowhere: this site has no ${href.startsWith("/files/") ? "file" : "page"} ${href}.`,
      ),
  ];
}

async function leadsNowhere(path: string, signal: AbortSignal): Promise<boolean> {
  const { status, redirected, url } = await fetch(path, { method: "HEAD", signal });
  // Unknown posts and services redirect there.
  return status === 404 || (redirected && /^\/(?:blog)?$/.test(new URL(url).pathname));
}
