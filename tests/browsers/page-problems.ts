// Collects a page's problems in the same way in every browser, because WebDriver alone reports
// neither console messages nor responses. The proxy injects a script into each page and records
// failed requests.
import { createHash } from "node:crypto";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { ProxiedResponse } from "../faulty-proxy.ts";

/** Where a page stores its problems: the list survives navigation within the tab. */
const key = "page-problems";

const script = `(() => {
  const add = (problem) => window.isLeaving || sessionStorage.setItem("${key}", JSON.stringify(
    [...JSON.parse(sessionStorage.getItem("${key}") ?? "[]"), problem]));
  addEventListener("error", ({ message, target }) => {
    // Firefox may drop this hint. A module that cannot be loaded also makes its import fail.
    if (target.rel === "modulepreload") return;
    add(message ?? "Not loaded: " + (target.currentSrc || target.src || target.href));
  }, true);
  addEventListener("unhandledrejection", ({ reason }) => add("Unhandled rejection: " + reason));
  addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
    add("Refused by " + violatedDirective + ": " + blockedURI));
  for (const level of ["error", "warn"]) {
    const print = console[level];
    console[level] = (...values) => { add(values.join(" ")); print.apply(console, values); };
  }
  addEventListener("hydrated", () => { window.isHydrated = true; });
  document.currentScript.remove();
})()`;
const scriptHash = `'sha256-${createHash("sha256").update(script).digest("base64")}'`;

/**
 * @returns an expression for `Browser.evaluate` whose value is the problems since the last call.
 */
export const takeProblems = `(() => {
  const problems = JSON.parse(sessionStorage.getItem("${key}") ?? "[]");
  sessionStorage.removeItem("${key}");
  return problems;
})()`;

/** Call this before leaving a page: a navigation cancels pending requests, which is not a problem. */
export const stopCollecting = "window.isLeaving = true";

/** Injects the script into a page. */
export function withScript(response: ProxiedResponse): ProxiedResponse {
  const headers = { ...response.headers };
  const policy = headers["content-security-policy"];
  if (typeof policy === "string") {
    headers["content-security-policy"] = policy.replace("script-src ", `script-src ${scriptHash} `);
  }
  const isPage = headers["content-type"]?.startsWith("text/html");
  if (!isPage || response.body.byteLength === 0) return { ...response, headers };
  const html = decode(response.body, headers["content-encoding"]).toString();
  delete headers["content-encoding"];
  const body = Buffer.from(
    html.replace(/<head[^>]*>/, (head) => `${head}<script>${script}</script>`),
  );
  return { ...response, headers, body };
}

function decode(body: Buffer, encoding: string | undefined): Buffer {
  if (encoding === "br") return brotliDecompressSync(body);
  if (encoding === "gzip") return gunzipSync(body);
  return body;
}
