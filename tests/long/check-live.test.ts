// `npm run check-live`, the lines of the start and /manage/checks.json, with the built site.
import { join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import { expect, onTestFinished, test } from "vitest";
import { completeSettings, defaultSettings } from "../../app/config/site.ts";
import { askSite, siteId } from "../../server/checks/site-identity.ts";
import { readStoredContent } from "../../server/checks/stored-content.ts";
import { startHttpServer } from "../http-server.ts";
import { publishSettings } from "../other-firm.ts";
import { runNode } from "../run-node.ts";
import { setUpFolder } from "../set-up.ts";
import { signIn } from "../start-project.ts";
import { startNewSite, stopSite } from "../start-site.ts";

const siteUrl = "https://www.example.invalid";
const folder = await setUpFolder("check-live");

async function run(script: string, args: string[], environment: Record<string, string>) {
  const all = { SITE_URL: siteUrl, ...environment };
  const { code, output } = await runNode([`scripts/${script}`, ...args], all);
  return { code, lines: output.trim().split("\n") };
}

const check = (environment: Record<string, string>) =>
  run("check-live.ts", ["--offline"], environment);

test("a new site is not ready, says why at the start, on request and to its owner alone", async () => {
  const site = await startNewSite(
    { SITE_URL: siteUrl, OWNER_PASSWORD: "" },
    { readOutput: true, prepare: null },
  );
  onTestFinished(site.stop);
  const { url, dataDir, anonKey } = site;
  await expect.poll(() => site.output).toContain("more: npm run check-live");
  expect(site.output.match(/Before going live: /g)).toHaveLength(4);

  const { code, lines } = await check({ DATA_DIR: dataDir });
  expect(code).toBe(1);
  expect(lines).toEqual(
    expect.arrayContaining([
      "Error: Remove the 8 sample posts (/manage/settings/site).",
      "Error: Sign in with your own email address (/manage/account).",
      expect.stringMatching(/^Warning: Choose a password of your own/),
      expect.stringMatching(/^Error: Remove the 12 testimonials by invented people/),
    ]),
  );
  expect(lines.every((line) => /^(Error|Warning|Not checked): .*\.$/.test(line))).toBe(true);

  const password = /shown only now: (\S+)/.exec(site.output)?.[1] ?? "";
  const client = await signIn(site, { ...site.owner, password });
  const token = (await client.auth.getSession()).data.session?.access_token;
  const read = (authorization?: string) =>
    fetch(`${url}/manage/checks.json`, {
      headers: authorization ? { authorization } : {},
    });
  expect((await read()).status).toBe(401);
  expect((await read("Bearer forged")).status).toBe(403);
  const { checks } = await (await read(`Bearer ${token}`)).json();
  expect(checks.map(({ id }: { id: string }) => id)).toEqual(
    expect.arrayContaining(["sample-posts", "initial-password", "site-url-answer"]),
  );

  const { posts, testimonials } = await readStoredContent(createClient(url, anonKey));
  expect([posts.length, testimonials.length]).toEqual([8, 7]);

  const change = { password: "another-password-for-tests", current_password: password };
  expect((await client.auth.updateUser(change)).error).toBeNull();
  await run("backup.ts", [join(folder, "backup.tar")], { DATA_DIR: dataDir });
  const after = await check({ DATA_DIR: dataDir });
  expect(after.lines.join()).not.toMatch(/password of your own|backup/);

  expect(await askSite(url, siteId(anonKey))).toBe("this site");
  expect(await askSite(url, siteId("another"))).toBe("another site");
  await stopSite(site.process);
  expect(await askSite(url, "any")).toEqual({ problem: "ECONNREFUSED" });
});

test("a site that is ready ends with code 0, running and stopped", async () => {
  const environment = {
    SITE_URL: siteUrl,
    SAMPLE_CONTENT: "off",
    OWNER_EMAIL: "ada@ash-oak.example",
    OWNER_PASSWORD: "a-password-for-tests",
    SMTP_URL: "smtp://127.0.0.1:9",
  };
  const site = await startNewSite(environment, { prepare: null });
  onTestFinished(site.stop);
  const { dataDir: DATA_DIR } = site;
  const { OWNER_EMAIL: email, OWNER_PASSWORD: password } = environment;
  const client = await signIn(site, { email, password });
  const firm = { ...defaultSettings.firm, name: "Ash & Oak", tagline: "" };
  const complete = completeSettings({ firm });
  const documents = {
    firm,
    licenses: { licenses: [{ state: "Ohio", type: "Life", number: "1", expires: "" }], npn: "1" },
    home: { ...complete.home, starter: false },
    adviser: { ...complete.adviser, starter: false },
    disclosures: { ...complete.disclosures, footer: ["Nothing here is advice."] },
    services: {
      ...complete.services,
      items: complete.services.items.map((service) => ({ ...service, starter: false })),
    },
  };
  await publishSettings(client, documents);
  const content = [{ type: "paragraph", text: "We keep your messages." }];
  const privacy = { slug: "privacy", title: "Privacy", author: "Ada", content };
  await client.from("pages").insert(privacy).throwOnError();
  const running = await check({ ...environment, DATA_DIR });
  expect(running).toEqual({
    code: 0,
    lines: [
      "Not checked: security headers, TLS, Realtime, the sender's domain.",
      "Nothing is wrong: the site can go live.",
    ],
  });
  await stopSite(site.process);
  expect(await check({ ...environment, DATA_DIR })).toEqual(running);
});

test("a hosted project is checked with its public key alone", async () => {
  const requests: string[] = [];
  const project = await startHttpServer((request, response) => {
    requests.push(`${request.method} ${request.url?.split("?")[0]}`);
    response.setHeader("content-type", "application/json");
    response.end("[]");
  });
  onTestFinished(project.stop);
  const { code, lines } = await check({
    SUPABASE_URL: project.url,
    SUPABASE_ANON_KEY: "sb_publishable_test",
    SAMPLE_CONTENT: "off",
  });
  expect(code).toBe(1);
  expect(lines).toContain("Error: Add your license number (/manage/settings/licenses).");
  expect(lines.at(-1)).toMatch(
    /^Not checked: .*the database, the schedule, mail, accounts, backups\.$/,
  );
  expect(lines.slice(0, -1).join()).not.toMatch(/backup|SMTP_URL|owner's account/);
  expect(new Set(requests)).toEqual(
    new Set(
      ["public_site_settings", "posts", "testimonials"].map((table) => `GET /rest/v1/${table}`),
    ),
  );
});

test("a setting that cannot be used is the only line, and an unknown option is refused", async () => {
  const wrong = await check({ DATA_DIR: join(folder, "none"), SITE_URL: `${siteUrl}/blog` });
  expect([wrong.code, wrong.lines.join("\n")]).toEqual([
    1,
    expect.stringContaining("SITE_URL must"),
  ]);
  const unknown = await run("check-live.ts", ["--fast"], {});
  expect([unknown.code, unknown.lines[0]]).toEqual([1, expect.stringContaining("Usage")]);
});
