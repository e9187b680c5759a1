// Measures the throughput of one address: 32 connections that send the next request on each
// response.
import autocannon from "autocannon";
import { megabytes } from "./figures.ts";
import type { ProcessUsage } from "./process-usage.ts";

/** "failed" counts responses other than 200 and broken connections; "processor ms" is per request, over all threads. */
export const requestColumns = ["requests/s", "p99 ms", "failed", "processor ms", "peak memory MB"];

const connections = 32;
/** The user agent of a browser, so that the requests are counted as visits. */
const userAgent =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";

/**
 * @param seconds the duration, after an uncounted warm-up of a fifth of it
 * @returns one value for each of `requestColumns`
 */
export async function measureRequests(
  url: string,
  { accept, seconds, usage }: { accept: string; seconds: number; usage: ProcessUsage },
): Promise<number[]> {
  const headers = { accept, "accept-encoding": "br, gzip", "user-agent": userAgent };
  await autocannon({ url, connections, duration: Math.ceil(seconds / 5), headers });
  let peakMemory = usage.memory();
  const before = usage.processorTime();
  const sampling = setInterval(() => {
    peakMemory = Math.max(peakMemory, usage.memory());
  }, 200);
  const { requests, latency, non2xx, errors } = await autocannon({
    url,
    connections,
    duration: seconds,
    headers,
  });
  clearInterval(sampling);
  const processorTime = (usage.processorTime() - before) / requests.total;
  return [
    Math.round(requests.average),
    latency.p99,
    non2xx + errors,
    Math.round(processorTime * 100) / 100,
    megabytes(peakMemory),
  ];
}
