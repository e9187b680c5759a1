// With SUPABASE_URL and SUPABASE_ANON_KEY set, the same build uses that project. The embedded
// backend stands in for the project.
import type { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../free-port.ts";
import { openClient, type Project, startProject } from "../start-project.ts";
import { startSite, stopSite } from "../start-site.ts";

let project: Project;
let site: ChildProcess;
let siteUrl: string;
const dataDir = join(tmpdir(), `no-database-${process.pid}`);

beforeAll(async () => {
  project = await startProject();
  const port = await freePort();
  siteUrl = `http://127.0.0.1:${port}`;
  site = await startSite(port, {
    SUPABASE_URL: project.url,
    SUPABASE_ANON_KEY: project.anonKey,
    DATA_DIR: dataDir,
  });
});

afterAll(async () => {
  await stopSite(site);
  await project.stop();
});

test("pages show the project's posts and contain its address", async () => {
  const { data } = await openClient(project).from("posts").select("title").limit(1).single();
  const html = await (await fetch(`${siteUrl}/blog`)).text();
  expect(html).toContain(data?.title);
  expect(html).toContain(`<meta name="supabase-url" content="${project.url}"/>`);
});

test("no database is started and the site has no backend of its own", async () => {
  expect(existsSync(join(dataDir, "postgres"))).toBe(false);
  const response = await fetch(`${siteUrl}/rest/v1/posts`, {
    headers: { apikey: project.anonKey },
  });
  expect(response.status).toBe(404);
});

test("the site stops cleanly on a signal", async () => {
  expect(await stopSite(site)).toBe(0);
});
