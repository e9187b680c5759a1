import type { RequestListener } from "node:http";
import type { Acquire } from "./concurrency-limits.ts";

/** Answers 429 to a visitor who has too many requests open at the same time. */
export function limitRequests(answer: RequestListener, acquire: Acquire): RequestListener {
  return async (request, response) => {
    const release = await acquire();
    if (!release) {
      response.writeHead(429, {
        "content-type": "text/plain; charset=utf-8",
        "retry-after": "2",
      });
      response.end("Too many requests at the same time from your address.\n");
      return;
    }
    // It may have closed while this one waited.
    if (response.closed) release();
    else response.once("close", release);
    answer(request, response);
  };
}
