// `npm run load`: 100 connections for 30 seconds, five pages and a contact message in turn, rate
// limits on, as `npm start` runs the site. Fails on any error and on any status but 2xx and the
// messages' 429.
import { cpus } from "node:os";
import autocannon from "autocannon";
import { rateLimits } from "embedded-supabase/rate-limits/limits.ts";
import { startNewSite, stopSite } from "../tests/start-site.ts";

/** The connection limit per address. */
const connections = 100;
const seconds = Number(process.env.LOAD_SECONDS ?? 30);
const pages = ["/", "/blog", "/services/life-insurance", "/testimonials", "/contact"];
const contact = "/functions/v1/send-email";
const message = {
  name: "Load Run",
  email: "load@example.com",
  phone: "",
  message: "One of a great many messages, sent at once.",
};

const site = await startNewSite({ RATE_LIMITS: "on" });
const statuses = new Map<string, Map<number, number>>();
try {
  const result = await autocannon({
    url: site.url,
    connections,
    duration: seconds,
    timeout: 30,
    requests: [
      ...pages.map((path) => ({
        path,
        headers: { "accept-encoding": "br, gzip" },
        onResponse: (status: number) => count(path, status),
      })),
      {
        method: "POST" as const,
        path: contact,
        headers: { "content-type": "application/json" },
        body: JSON.stringify(message),
        onResponse: (status: number) => count(contact, status),
      },
    ],
  });
  report(result);
} finally {
  const code = await stopSite(site.process);
  if (code !== 0) fail(`The site ended with code ${code}`);
  await site.stop();
}

function count(path: string, status: number): void {
  const row = statuses.get(path) ?? new Map<number, number>();
  statuses.set(path, row.set(status, (row.get(status) ?? 0) + 1));
}

function report({ requests, latency, throughput, errors, timeouts }: autocannon.Result): void {
  console.log(`${connections} connections, ${seconds} s, ${cpus().length} cores, client included`);
  for (const [path, row] of statuses) {
    console.log(
      `  ${path}: ${[...row].map(([status, times]) => `${times} × ${status}`).join(", ")}`,
    );
  }
  console.log(`  ${Math.round(requests.average)} requests/s, ${requests.total} in all`);
  console.log(`  latency ms: p50 ${latency.p50}, p97.5 ${latency.p97_5}, p99 ${latency.p99}`);
  console.log(`  ${(throughput.average / 1024 / 1024).toFixed(1)} MB/s`);
  console.log(`  errors ${errors}, timeouts ${timeouts}`);

  if (errors > 0 || timeouts > 0) fail("Some requests got no response");
  for (const [path, row] of statuses) {
    const intended = path === contact ? [200, 429] : [200];
    const unexpected = [...row.keys()].filter((status) => !intended.includes(status));
    if (unexpected.length > 0) fail(`${path} responded with ${unexpected.join(", ")}`);
  }
  const taken = statuses.get(contact)?.get(200) ?? 0;
  const [perVisitor] = rateLimits.contact;
  if (taken !== perVisitor.count) fail(`${taken} messages were accepted, not ${perVisitor.count}`);
}

function fail(why: string): void {
  console.error(`FAILED: ${why}`);
  process.exitCode = 1;
}
