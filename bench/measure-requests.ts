// How much one address bears: 32 connections that ask again as soon as they are answered.
import autocannon from "autocannon";
import type { ProcessUsage } from "./process-usage.ts";

export interface RequestFigures {
  perSecond: number;
  /** Milliseconds that 99 of 100 requests stay below. */
  p99: number;
  /** Answers other than 200, and connections that broke. */
  failures: number;
  /** Milliseconds of processors that the process of the site spent on a request, in all its threads. */
  processorTime: number;
  /** The most resident memory that was seen meanwhile, in bytes. */
  peakMemory: number;
}

const connections = 32;

/** @param seconds how long; a fifth of it before, uncounted, lets the code warm up */
export async function measureRequests(
  url: string,
  { accept, seconds, usage }: { accept: string; seconds: number; usage: ProcessUsage },
): Promise<RequestFigures> {
  const headers = { accept, "accept-encoding": "br, gzip" };
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
