import { createHash } from "node:crypto";

export interface SealedPage {
  html: string;
  /** Sources for `script-src`, such as `'sha256-…'`, each once. */
  hashes: string[];
}

/**
 * Finds the inline scripts that a rendering made itself, by its nonce, and takes the nonce out: the
 * page can be kept and its policy names the scripts by their hashes. A script without the nonce was
 * not meant to be there and gets no hash.
 */
export function sealInlineScripts(html: string, nonce: string): SealedPage {
  const mark = ` nonce="${nonce}"`;
  const hashes = new Set<string>();
  for (const [, attributes = "", script = ""] of html.matchAll(
    /<script\b([^>]*)>([\s\S]*?)<\/script>/g,
  )) {
    const isOurs = attributes.includes(mark);
    const isData = /\btype="(?!module"|text\/plain"|text\/javascript")/.test(attributes);
    if (isOurs && !isData && !attributes.includes(" src=")) hashes.add(sourceOf(script));
  }
  return { html: html.replaceAll(mark, ""), hashes: [...hashes] };
}

function sourceOf(script: string): string {
  return `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
}
