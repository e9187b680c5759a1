import { startScripts } from "./start-scripts.ts";

/**
 * Lets the first page paint before it loads any script: removes the module preloads, and replaces the entry
 * script by data that start-scripts.ts runs after `load`, when the browser is idle, or at the first input.
 * Without its scripts, the page works as without JavaScript.
 * @param nonce marks the inline scripts of this rendering
 */
export function deferScripts(html: string, nonce: string): string {
  const modules = new Set<string>();
  const withoutPreloads = html.replace(
    /<link rel="modulepreload" href="([^"]+)"[^>]*\/?>/g,
    (_, href: string) => {
      modules.add(href);
      return "";
    },
  );
  const deferred = withoutPreloads.replace(
    /<script( nonce="[^"]*")? type="module" async="">([\s\S]*?)<\/script>/,
    (_, mark = "", code: string) =>
      `<script${mark} type="text/plain" id="entry" data-modules="${[...modules].join(" ")}">${reportFailure(code)}</script>`,
  );
  if (deferred === withoutPreloads) return html;
  return deferred.replace(
    "</body>",
    () => `<script nonce="${nonce}">(${startScript})()</script></body>`,
  );
}

/** The build keeps the comments and the indentation of the server's code. */
const startScript = String(startScripts).replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*|^\s+/gm, "");

/** Failed static imports fire the script's error event; the entry itself is loaded by `import()`. */
function reportFailure(code: string): string {
  return code.replace(
    /(\bimport\("[^"]+"\));?\s*$/,
    '$1.catch(()=>dispatchEvent(new Event("scriptsfailed")));',
  );
}
