import autocannon from "autocannon";
import { expect, onTestFinished, test } from "vitest";
import { startHttpServer } from "../http-server.ts";
import { startNewSite } from "../start-site.ts";

test("5,000 rendered pages leave nothing behind: they fit into a heap of 100 MB", async () => {
  const project = await startHttpServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "application/json", "content-range": "*/0" });
    response.end("[]");
  });
  onTestFinished(project.stop);
  const site = await startNewSite(
    {
      SUPABASE_URL: project.url,
      SUPABASE_ANON_KEY: "sb_publishable_of_a_stub",
      // A small heap alone would shrink the young generation so much that collecting it takes most of the time.
      NODE_OPTIONS: "--max-old-space-size=100 --max-semi-space-size=8",
    },
    { prepare: null },
  );
  onTestFinished(site.stop);
  // Searches are never cached.
  const { "2xx": rendered } = await autocannon({
    url: `${site.url}/blog?q=insurance`,
    connections: 8,
    amount: 5_000,
    timeout: 60,
  });
  expect(site.process.exitCode ?? site.process.signalCode).toBeNull();
  expect(rendered).toBe(5_000);
}, 300_000);
