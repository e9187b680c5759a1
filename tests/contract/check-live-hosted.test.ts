// What `npm run check-live` finds of a hosted project and of the public address, and each break of them. The embedded
// backend stands in for the project, with the parts of a hosted one that it lacks.
import type { IncomingMessage } from "node:http";
import { afterAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { listExpectedFacts } from "../../scripts/new-database.ts";
import { inspectAddress } from "../../server/checks/inspect-address.ts";
import {
  compareFacts,
  inspectInside,
  inspectServices,
  type ProjectFact,
} from "../../server/checks/inspect-project.ts";
import { startHttpServer } from "../http-server.ts";
import { startRealtimeStandIn } from "../realtime-stand-in.ts";
import { runNode } from "../run-node.ts";
import { setUpProject } from "../start-project.ts";
import { startNewSite } from "../start-site.ts";

const siteUrl = "https://www.example.com";
const platform = `
  create schema cron;
  create table cron.job (jobid bigint, jobname name, schedule text, command text, active boolean);
  create table cron.job_run_details (runid bigint, jobid bigint, status text);
  insert into cron.job select row_number() over (), *, true from private.scheduled_jobs();
  insert into cron.job_run_details select 1, jobid, 'failed' from cron.job;
  insert into cron.job_run_details select 2, jobid, 'succeeded' from cron.job;
  create schema vault;
  create table vault.decrypted_secrets (name text, decrypted_secret text);
  insert into vault.decrypted_secrets values ('secret_key', 'sb_secret_x'), ('other', 'x');`;

/** The answers of a hosted project that the embedded backend does not give. */
const complete = {
  disable_signup: true,
  mailer_autoconfirm: false,
  siteUrl,
  allowsAnyRedirect: false,
  origin: siteUrl as string | null,
  functions: {} as Record<string, number>,
};
let answers = complete;

const { project, sql } = await setUpProject();
const front = await startHttpServer(async (request, response) => {
  const answer = await respond(request);
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.end(await answer.text());
});
afterAll(front.stop);
const hosted = { url: front.url, anonKey: project.anonKey };
const expected = await listExpectedFacts(hosted.url);
await sql.unsafe(platform);
await sql`insert into vault.decrypted_secrets values ('project_url', ${`${hosted.url}/`})`;

beforeEach(() => {
  answers = complete;
});

async function respond(request: IncomingMessage): Promise<Response> {
  const url = new URL(request.url ?? "", project.url);
  if (url.pathname === "/auth/v1/settings") return Response.json(answers);
  if (url.pathname === "/auth/v1/verify") {
    const given = url.searchParams.get("redirect_to");
    const target = answers.allowsAnyRedirect ? given : answers.siteUrl;
    return new Response(null, {
      status: 303,
      headers: { location: `${target}#error=access_denied&error_code=otp_expired` },
    });
  }
  const name = url.pathname.split("/functions/v1/")[1] ?? "";
  const status = answers.functions[name];
  if (status) return new Response("{}", { status });
  const { authorization = "", apikey = "" } = request.headers;
  const forwarded = await fetch(url, {
    method: request.method ?? "GET",
    headers: { authorization, apikey: String(apikey), "content-type": "application/json" },
    ...(request.method === "POST" && { body: "{}" }),
  });
  const headers = { "content-type": forwarded.headers.get("content-type") ?? "" };
  const { origin } = answers;
  return new Response(await forwarded.text(), {
    status: forwarded.status,
    headers: origin && name ? { ...headers, "access-control-allow-origin": origin } : headers,
  });
}

test("a project that is set up completely has nothing to fix", async () => {
  expect(await inspectServices(hosted, siteUrl)).toEqual({ auth: [], functions: [] });
  expect(await inspectInside(hosted, project.secretKey, expected)).toEqual({
    findings: { database: [], schedule: [] },
    mail: {
      ...{ isConfigured: false, isEntered: true, isUnreadable: false, isHeld: false },
      ...{ problem: null, sender: null },
      takesAccountMails: true,
    },
  });
});

test.each<[line: string, change: Partial<typeof complete>]>([
  ["Anyone can create an account", { disable_signup: false }],
  ["One confirmation changes the address of an account", { mailer_autoconfirm: true }],
  ["Auth redirects to any address", { allowsAnyRedirect: true }],
  ["Auth redirects to https://old.example", { siteUrl: "https://old.example" }],
  // The templates of mails append a path.
  [`Auth redirects to ${siteUrl}/`, { siteUrl: `${siteUrl}/` }],
  ["The function invite-person is missing", { functions: { "invite-person": 404 } }],
  ["The function send-email has verify_jwt", { functions: { "send-email": 401 } }],
  ["The function send-email responds with status 503", { functions: { "send-email": 503 } }],
  [`ALLOWED_ORIGINS of the functions is not ${siteUrl}`, { origin: null }],
  [`ALLOWED_ORIGINS of the functions is not ${siteUrl}`, { origin: "*" }],
])("%s (%o)", async (line, change) => {
  answers = { ...complete, ...change };
  const { auth, functions } = await inspectServices(hosted, siteUrl);
  expect([auth, functions].flat()).toEqual([line]);
});

test.each<[line: string, change: string]>([
  [
    "Migrations are missing or different (20261122120300_posts)",
    "delete from supabase_migrations.schema_migrations where name = 'posts'",
  ],
  [
    "Migrations are missing or different (20261122120300_posts)",
    `update supabase_migrations.schema_migrations set statements = statements || '{"select 1"}' where name = 'posts'`,
  ],
  [
    "Migrations are unknown (20990101000000_later)",
    "insert into supabase_migrations.schema_migrations (version, name) values ('20990101000000', 'later')",
  ],
  [
    "Tables of Realtime are missing or different (posts, public_site_settings, testimonials)",
    "drop publication supabase_realtime",
  ],
  [
    "Tables of Realtime are missing or different (posts)",
    "alter publication supabase_realtime drop table public.posts",
  ],
  [
    "Buckets are missing or different (deleted-images)",
    "update storage.buckets set public = true where id = 'deleted-images'",
  ],
  [
    "Buckets are missing or different (images)",
    "update storage.buckets set file_size_limit = null where id = 'images'",
  ],
  [
    "Buckets are missing or different (images)",
    "update storage.buckets set allowed_mime_types = null where id = 'images'",
  ],
  [
    "Tables are missing or different (public.posts)",
    "alter table public.posts disable row level security",
  ],
  [
    "Policies are missing or different (Writers upload images on storage.objects)",
    `drop policy "Writers upload images" on storage.objects`,
  ],
  [
    "Policies are missing or different (Message handlers read messages on public.contact_messages)",
    `alter policy "Message handlers read messages" on public.contact_messages using (true)`,
  ],
  [
    "Policies are unknown (Open on public.contact_messages)",
    `create policy "Open" on public.contact_messages using (true)`,
  ],
  [
    "Policies are unknown (Open on realtime.messages)",
    `create policy "Open" on realtime.messages using (true)`,
  ],
  ["Functions are missing or different (public.is_owner())", "drop function is_owner()"],
  [
    "Functions are missing or different (private.may(private.task))",
    "create or replace function private.may(task private.task) returns boolean language sql as 'select true'",
  ],
  [
    "Jobs are missing or different (publish-due)",
    "update cron.job set active = false where jobname = 'publish-due'",
  ],
  [
    "Jobs are missing or different (publish-due)",
    "insert into cron.job_run_details select 3, jobid, 'failed' from cron.job where jobname = 'publish-due'",
  ],
  [
    "Jobs are missing or different (delete-expired-files, deliver-mails, finish-erasures, 6 more)",
    "drop schema cron cascade",
  ],
  [
    "Secrets of the Vault are missing or different (secret_key)",
    "delete from vault.decrypted_secrets where name = 'secret_key'",
  ],
  [
    "Secrets of the Vault are missing or different (project_url)",
    "update vault.decrypted_secrets set decrypted_secret = 'https://old.example' where name ~ 'url'",
  ],
])("%s: %s", async (line, change) => {
  const facts = await readAfter(change);
  expect(compareFacts(expected, facts)).toEqual([line]);
});

/** Undoes the change. */
async function readAfter(change: string): Promise<readonly ProjectFact[]> {
  const undo = new Error();
  let facts: readonly ProjectFact[] = [];
  await sql
    .begin(async (transaction) => {
      await transaction.unsafe(change);
      facts = await transaction<ProjectFact[]>`select * from project_facts()`;
      throw undo;
    })
    .catch((error) => {
      if (error !== undo) throw error;
    });
  return facts;
}

test("a wrong key is refused, and no secret is shown", async () => {
  await expect(inspectInside(hosted, hosted.anonKey, expected)).rejects.toThrow(
    "SUPABASE_SECRET_KEY cannot be used",
  );
  expect(JSON.stringify(await readAfter("select 1"))).not.toContain("sb_secret_x");
});

test.each<[what: string, kind: string, name: string, other: string]>([
  ["without migrations", "function", "project_facts()", "facts_of_project"],
  // They have no history.
  ["with migrations from the dashboard", "schema", "supabase_migrations", "no_migrations"],
])("a project %s is named", async (_what, kind, name, other) => {
  const former = name.replace("()", "");
  await sql.unsafe(`alter ${kind} ${name} rename to ${other}`);
  onTestFinished(async () => {
    await sql.unsafe(`alter ${kind} ${name.replace(former, other)} rename to ${former}`);
  });
  const { findings } = await inspectInside(hosted, project.secretKey, expected);
  expect(findings.database?.[0]).toMatch(/^Migrations are missing or different \(.* more\)$/);
});

test("the command prints a line for each problem, and what it could not check", {
  tags: "long",
}, async () => {
  answers = { ...complete, disable_signup: false };
  const { output } = await runNode(["scripts/check-live.ts"], {
    SUPABASE_URL: hosted.url,
    SUPABASE_ANON_KEY: hosted.anonKey,
    SUPABASE_SECRET_KEY: project.secretKey,
    SITE_URL: "http://127.0.0.1:9",
  });
  const lines = output.trim().split("\n");
  const fix = "Run npm run deploy.";
  expect(lines).toEqual(
    expect.arrayContaining([
      `Error: Anyone can create an account. ${fix}`,
      `Error: Auth redirects to ${siteUrl}. ${fix}`,
      "Error: Set up email, because messages of visitors only wait in your inbox (/manage/settings/mail).",
    ]),
  );
  expect(lines.at(-1)).toBe(
    "Not checked: security headers, TLS, Realtime, accounts, backups, the sender's domain, whether Auth uses its Send Email hook.",
  );
  expect(lines.join()).not.toMatch(/are (missing|unknown)/);
});

test("a service that does not respond was not checked", async () => {
  const nowhere = { ...hosted, url: "http://127.0.0.1:9" };
  expect(await inspectServices(nowhere, siteUrl)).toEqual({ auth: null, functions: null });
});

test("the public address passes on headers and WebSockets, or is reported", {
  tags: "long",
}, async () => {
  const site = await startNewSite();
  onTestFinished(site.stop);
  const inspect = (url: string, timeout?: number) =>
    inspectAddress({ siteUrl: () => url, supabaseUrl: null }, site.anonKey, timeout);
  expect(await inspect(site.url)).toEqual({ headers: [], tls: null, changes: [] });

  // A proxy that drops a header and knows no WebSockets.
  const proxy = await startHttpServer(async (request, response) => {
    const answer = await fetch(`${site.url}${request.url}`, { redirect: "manual" });
    const dropped = ["content-encoding", "transfer-encoding", "x-content-type-options"];
    const headers = [...answer.headers].filter(([name]) => !dropped.includes(name));
    response.writeHead(answer.status, Object.fromEntries(headers));
    response.end(await answer.text());
  });
  onTestFinished(proxy.stop);
  expect(await inspect(proxy.url, 8000)).toEqual({
    headers: ["The header x-content-type-options is missing or changed"],
    tls: null,
    changes: [`Realtime does not respond at ${proxy.url}`],
  });
});

test("a site to which Realtime did not send the last change is reported", async () => {
  const realtime = await startRealtimeStandIn();
  const ready = { realtime: "deaf", lastMissedAt: "2026-11-23T09:00:00.000Z" };
  const site = await startHttpServer((_, response) => response.end(JSON.stringify(ready)));
  onTestFinished(site.stop);
  const policy = { siteUrl: () => site.url, supabaseUrl: realtime.url };
  const { changes } = await inspectAddress(policy, "key");
  expect(changes).toEqual([
    `Realtime is connected but did not send the last change (${ready.lastMissedAt}), so pages may be 15 seconds old`,
  ]);
});
