// How much one address bears: 32 connections that ask again as soon as they are answered.
import autocannon from "autocannon";

export interface RequestFigures {
  perSecond: number;
  /** Milliseconds that 99 of 100 requests stay below. */
  p99: number;
  /** Answers other than 200, and connections that broke. */
  failures: number;
  /** The most resident memory that was seen meanwhile, in bytes. */
  peakMemory: number;
}

const connections = 32;

/** @param seconds how long; a fifth of it before, uncounted, lets the code warm up */
export async function measureRequests(
  url: string,
  { accept, seconds, memory }: { accept: string; seconds: number; memory: () => number },
): Promise<RequestFigures> {
  const headers = { accept, "accept-encoding": "br, gzip" };
  await autocannon({ url, connections, duration: Math.ceil(seconds / 5), headers });
  let peakMemory = memory();
  const sampling = setInterval(() => {
    peakMemory = Math.max(peakMemory, memory());
  }, 200);
  const { requests, latency, non2xx, errors } = await autocannon({
    url,
    connections,
    duration: seconds,
    headers,
  });
  clearInterval(sampling);
  return { perSecond: requests.average, p99: latency.p99, failures: non2xx + errors, peakMemory };
}
