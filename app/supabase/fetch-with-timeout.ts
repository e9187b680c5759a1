import { toEmptyResult } from "./empty-result.ts";
import { wellFormedJson } from "./well-formed-json.ts";

/** In milliseconds. */
const timeout = 30_000;

export async function fetchWithTimeout(
  input: RequestInfo | URL,
  init?: RequestInit,
): Promise<Response> {
  const signal = init?.signal ?? AbortSignal.timeout(timeout);
  // Text that was cut in the middle of an emoji.
  const body = typeof init?.body === "string" ? wellFormedJson(init.body) : init?.body;
  return toEmptyResult(await fetch(input, { ...init, body: body ?? null, signal }), init);
}
