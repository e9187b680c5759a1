// `npm run test:project` on the embedded backend: intact, with the rows of an interrupted run, with real data, and broken.
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { type ProxiedResponse, startFaultyProxy } from "../faulty-proxy.ts";
import { otherFirm, publishSettings } from "../other-firm.ts";
import { appendOnly, mark } from "../project/marked.ts";
import { endOf, startNode } from "../run-node.ts";
import { setUpProject } from "../start-project.ts";

const { project, sql, owner } = await setUpProject();

function start(url = project.url, ...options: string[]) {
  const keys = ["--url", url, "--key", project.anonKey];
  const environment = { SUPABASE_SECRET_KEY: project.secretKey };
  const child = startNode(["scripts/test-project.ts", ...keys, ...options], environment);
  // A run that outlives its test would store rows during the next one.
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

async function run(url?: string, ...options: string[]) {
  const { code, output } = await endOf(start(url, ...options));
  return { code, lines: output.trim().split("\n") };
}

/** The number of rows of each table except rate limits, the log of Auth and the history, and the documents that visitors read. */
async function readState(): Promise<Record<string, unknown>> {
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', nspname, relname) as name
      from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where relkind = 'r' and nspname in ('public', 'private', 'auth', 'storage')
        and relname not in ('counted_requests', 'audit_log_entries')
        and relname <> all(${[...appendOnly, "privacy_requests"]})
      order by 1`;
  const counts = tables.map(async ({ name }) => {
    const [row] = await sql.unsafe<{ count: number }[]>(`select count(*)::int from ${name}`);
    return [name, row?.count] as const;
  });
  // Changes of posts and pages count in the versions of these two.
  const shown = await sql`
    select section, document, case when section not in ('content', 'ownPages') then version end as version
      from public.public_site_settings order by section`;
  return { ...Object.fromEntries(await Promise.all(counts)), shown: [...shown] };
}

test("the secret key is not accepted in the command line, which other users can read", async () => {
  const { code, lines } = await run(project.url, "--secret", project.secretKey);
  expect([code, lines[0]]).toEqual([1, expect.stringContaining("Usage: SUPABASE_SECRET_KEY=")]);
});

const archiveNote =
  "The history and the archive of this project keep what the tests store. Before going live, reset it: npx supabase db reset --remote.";

test("a project with real data is tested only when told so, and keeps it, also when a run is interrupted", async () => {
  const post = { slug: "real", title: "A", category: "A", author: "A" };
  await owner.from("posts").insert(post).throwOnError();
  await publishSettings(owner, { blog: otherFirm.blog, services: otherFirm.services });
  onTestFinished(async () => {
    await sql`delete from public.posts where slug = 'real'`;
    await sql`delete from public.site_settings`;
  });
  const before = await readState();
  expect(await run()).toEqual({
    code: 1,
    lines: [
      "The project has real data (1 in posts, 2 in site_settings), and its archive would keep the tests. Use another one, or add --with-data.",
    ],
  });

  const interrupted = start(project.url, "--with-data");
  const marked = () => sql`select id from public.posts where id::text like ${`${mark}%`}`;
  await expect.poll(marked, { timeout: 300_000 }).not.toEqual([]);
  interrupted.kill("SIGKILL");
  await once(interrupted, "close");
  expect(await readState()).not.toEqual(before);
  const { code, lines } = await run(project.url, "--with-data");
  expect(lines.filter((line) => !/^(Testing|Not tried)/.test(line))).toEqual([
    archiveNote,
    "Nothing is broken.",
  ]);
  expect(code).toBe(0);
  expect(await readState()).toEqual(before);
}, 900_000);

test("each break is named in one line, and nothing else is", async () => {
  await sql`drop policy "Writers add posts" on public.posts`;
  await sql`create policy "Open" on public.contact_messages for select to anon using (true)`;
  await sql`grant select on public.contact_messages to anon`;
  await sql`grant update on public.testimonials to authenticated`;
  await sql`drop function public.sample_content`;
  await sql`update storage.buckets set public = true where id = 'deleted-images'`;
  const proxy = await startFaultyProxy(project.url, breakAuthAndFunctions);
  onTestFinished(proxy.stop);
  const before = await readState();
  const { code, lines } = await run(proxy.url);
  expect(lines.filter((line) => !/^(Testing|Not tried)/.test(line))).toEqual([
    archiveNote,
    `The table posts: owners, editors, and people with both roles can't insert, insert and read back, upsert a new row, and upsert over a row (new row violates row-level security policy for table "posts"). Compare the policy "Writers add posts" and the grants with supabase/migrations/20261122120300_posts.sql.`,
    expect.stringMatching(
      /^The table testimonials: owners, assistants, and people with both roles can update, .* the policy "Moderators decide about testimonials and answer them", and the grants with supabase.migrations.20261122120800_testimonials.sql.$/,
    ),
    `The table contact_messages: visitors can select. Compare the policy "Message handlers read messages" and the grants with supabase/migrations/20261122120900_messages.sql.`,
    "The function sample_content: owners can't call it (function public.sample_content() does not exist). Compare it with supabase/migrations/20261122121300_samples.sql.",
    expect.stringMatching(
      /^The bucket deleted-images: .* can read by the public address. Compare it with supabase.migrations.20261122120200_images.sql.$/,
    ),
    "The Edge Function invite-person: owners can't invite (HTTP 404). Is it deployed? npx supabase functions deploy invite-person.",
    `Auth: visitors, accounts without a role, owners, editors, assistants, and people with both roles can sign up. Close sign-up: npx supabase config push.`,
    "7 broken",
  ]);
  expect(code).toBe(1);
  expect(await readState()).toEqual(before);
}, 900_000);

test("a sign-in that fails is one line, without the names of all tests", async () => {
  const proxy = await startFaultyProxy(project.url, (response) =>
    response.path.startsWith("/auth/v1/token")
      ? { ...response, status: 503, body: Buffer.from('{"message":"Unavailable"}') }
      : response,
  );
  onTestFinished(proxy.stop);
  const { code, lines } = await run(proxy.url);
  expect(lines).toEqual([
    archiveNote,
    "Testing permissions …",
    "tests/security/roles.test.ts: Unavailable",
    "1 broken",
  ]);
  expect(code).toBe(1);
}, 900_000);

/** A project on which people can sign up, and whose function was not deployed. */
function breakAuthAndFunctions(response: ProxiedResponse): ProxiedResponse {
  const { path } = response;
  if (path.startsWith("/auth/v1/signup")) {
    return { ...response, status: 200, body: Buffer.from(JSON.stringify({ id: "a", email: "a" })) };
  }
  return path.startsWith("/functions/v1/invite-person") ? { ...response, status: 404 } : response;
}
