// Measures the throughput of one address: 32 connections that send the next request on each
// response.
import autocannon from "autocannon";
import type { ProcessUsage } from "./process-usage.ts";

export interface RequestFigures {
  perSecond: number;
  /** 99th percentile of the response time in milliseconds. */
  p99: number;
  /** Responses other than 200, and broken connections. */
  failures: number;
  /** Processor milliseconds per request of the site's process, over all threads. */
  processorTime: number;
  /** Peak resident memory in bytes. */
  peakMemory: number;
}

const connections = 32;
/** A browser's, so that the requests are counted as visits. */
const userAgent =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";

/** @param seconds the duration, after an uncounted warm-up of a fifth of it */
export async function measureRequests(
  url: string,
  { accept, seconds, usage }: { accept: string; seconds: number; usage: ProcessUsage },
): Promise<RequestFigures> {
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
  return {
    perSecond: requests.average,
    p99: latency.p99,
    failures: non2xx + errors,
    processorTime: (usage.processorTime() - before) / requests.total,
    peakMemory,
  };
}
