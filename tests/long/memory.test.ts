import autocannon from "autocannon";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../free-port.ts";
import { startHttpServer } from "../http-server.ts";
import { setUpFolder } from "../set-up.ts";
import { startSite, stopSite } from "../start-site.ts";

const dataDir = await setUpFolder("memory");

test("5,000 rendered pages leave nothing behind: they fit into a heap of 100 MB", async () => {
  const project = await startHttpServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "application/json", "content-range": "*/0" });
    response.end("[]");
  });
  onTestFinished(project.stop);
  const port = await freePort();
  const site = await startSite(port, {
    SUPABASE_URL: project.url,
    SUPABASE_ANON_KEY: "sb_publishable_of_a_stub",
    DATA_DIR: dataDir,
    // A small heap alone would shrink the young generation so much that collecting it takes most of the time.
    NODE_OPTIONS: "--max-old-space-size=100 --max-semi-space-size=8",
  });
  onTestFinished(async () => void (await stopSite(site)));
  // Searches are never cached.
  const { "2xx": rendered } = await autocannon({
    url: `http://127.0.0.1:${port}/blog?q=insurance`,
    connections: 8,
    amount: 5_000,
    timeout: 60,
  });
  expect(site.exitCode ?? site.signalCode).toBeNull();
  expect(rendered).toBe(5_000);
}, 300_000);
