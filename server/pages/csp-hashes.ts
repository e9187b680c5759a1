import { createHash } from "node:crypto";

/**
 * Replaces the nonces of a rendering with hashes: the page can be cached, and its Content-Security-Policy lists
 * the scripts by hash. A script without the rendering's nonce was injected and gets no hash.
 * @returns the page without nonces, and the sources for `script-src` (`'sha256-…'`), each once.
 */
export function hashInlineScripts(html: string, nonce: string): { html: string; hashes: string[] } {
  const nonceAttribute = ` nonce="${nonce}"`;
  const hashes = new Set<string>();
  for (const [, attributes = "", script = ""] of html.matchAll(
    /<script\b([^>]*)>([\s\S]*?)<\/script>/g,
  )) {
    const hasNonce = attributes.includes(nonceAttribute);
    const isData = /\btype="(?!module"|text\/plain"|text\/javascript")/.test(attributes);
    if (!hasNonce || isData || attributes.includes(" src=")) continue;
    hashes.add(`'sha256-${createHash("sha256").update(script).digest("base64")}'`);
  }
  return { html: html.replaceAll(nonceAttribute, ""), hashes: [...hashes] };
}
