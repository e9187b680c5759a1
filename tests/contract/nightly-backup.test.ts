// The nightly backups of a running site: making, keeping, trying and downloading them.
import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { connect } from "embedded-supabase/database.ts";
import { findRunning } from "embedded-supabase/postgres/server.ts";
import { loadSecrets } from "embedded-supabase/secrets.ts";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { readBackupState } from "../../server/embedded/backup-folder.ts";
import { backUpWhenDue } from "../../server/embedded/schedule-backups.ts";
import { endOf, startNode } from "../run-node.ts";
import { startBucket } from "../s3-stand-in.ts";
import { openClient, signIn } from "../start-project.ts";
import { startNewSite } from "../start-site.ts";

const site = await startNewSite({}, {});
const sql = connect(findRunning(site.dataDir, loadSecrets(site.dataDir).databasePassword) ?? "", 1);
afterAll(async () => {
  await sql.end();
  await site.stop();
});
const folder = join(site.dataDir, "backups");
const scratch = join(site.dataDir, "restore-trial");
const megabyte = 1024 ** 2;

const start = (bytes = 50 * megabyte) =>
  startNode(
    [
      "server/embedded/nightly-backup-main.ts",
      JSON.stringify({ dataDir: site.dataDir, timeZone: "America/New_York", bytes }),
    ],
    {},
  );
const run = (bytes?: number) => endOf(start(bytes));
const backups = () => readdirSync(folder).filter((name) => name.endsWith(".tar.gz"));
const state = () => JSON.parse(readFileSync(join(folder, "state.json"), "utf8"));
const forget = (changes: object) =>
  writeFileSync(join(folder, "state.json"), JSON.stringify({ ...state(), ...changes }));

async function ask(path: string, client: Awaited<ReturnType<typeof signIn>>, body?: object) {
  const { data } = await client.auth.getSession();
  return fetch(`${site.url}/manage/backups/${path}`, {
    method: body ? "POST" : "GET",
    headers: {
      authorization: `Bearer ${data.session?.access_token}`,
      "content-type": "application/json",
    },
    body: body ? JSON.stringify(body) : null,
  });
}

const download = (cookie: string, headers: Record<string, string> = {}) =>
  fetch(`${site.url}/manage/backups/download`, { method: "POST", headers: { cookie, ...headers } });

test("the site makes a backup after its first night, and stops with its work", {
  timeout: 120_000,
}, async () => {
  const work = (signal: AbortSignal) => backUpWhenDue({ sql, dataDir: site.dataDir, signal }, 0);
  await sql`update auth.users set created_at = now()`;
  await work(AbortSignal.timeout(60_000));
  expect(existsSync(folder)).toBe(false);
  await sql`update auth.users set created_at = now() - interval '2 days'`;
  const stopping = new AbortController();
  const stopped = work(stopping.signal);
  await expect.poll(() => existsSync(folder), { timeout: 30_000, interval: 5 }).toBe(true);
  stopping.abort();
  await expect(stopped).rejects.toThrow();
  expect(existsSync(folder) ? backups() : []).toEqual([]);
  // An attempt that failed is repeated an hour later.
  rmSync(folder, { recursive: true });
  await work(AbortSignal.timeout(60_000));
  expect(backups()).toHaveLength(1);
  await work(AbortSignal.timeout(60_000));
  expect(backups()).toHaveLength(1);
  rmSync(folder, { recursive: true });
});

test("two processes make one backup, which is restored on trial", {
  timeout: 120_000,
}, async () => {
  const outcomes = await Promise.all([run(), run()]);
  expect(outcomes.map(({ code, output }) => [code, output])).toEqual([
    [0, ""],
    [0, ""],
  ]);
  const [name = ""] = backups();
  expect(backups()).toHaveLength(1);
  expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(state()).toMatchObject({ backup: { problem: null }, trial: { problem: null } });
  expect(existsSync(scratch)).toBe(false);
  // The work of this night is done.
  await run();
  expect(backups()).toEqual([name]);
});

test("only an owner sees the backups, and downloads one once, after a new sign-in", async () => {
  const owner = await signIn(site);
  const list = await (await ask("list.json", owner)).json();
  const [{ name, bytes }] = list.backups;
  expect(list).toMatchObject({ backup: { problem: null }, trial: { problem: null } });
  expect((await fetch(`${site.url}/manage/backups/list.json`)).status).toBe(401);
  expect((await ask("list.json", openClient(site))).status).toBe(403);
  expect((await ask("ticket", openClient(site), { name })).status).toBe(403);
  expect((await ask("start", openClient(site), {})).status).toBe(403);
  for (const other of ["state.json", "../secrets.json", "2026-01-01T00-00-00Z.tar.gz"]) {
    expect((await ask("ticket", owner, { name: other })).status).toBe(404);
  }
  expect((await download("")).status).toBe(403);
  expect((await download("backup-download=x")).status).toBe(403);

  const allowed = await ask("ticket", owner, { name });
  expect(allowed.status).toBe(204);
  const [cookie = ""] = allowed.headers.getSetCookie();
  expect(cookie).toMatch(/HttpOnly/);
  expect(cookie).toMatch(/SameSite=Strict/);
  const [pair = ""] = cookie.split(";");
  expect((await download(pair, { origin: "https://evil.example" })).status).toBe(403);
  const response = await download(pair);
  expect(response.headers.get("content-disposition")).toContain(name);
  expect(response.headers.get("cache-control")).toBe("no-store");
  const content = Buffer.from(await response.arrayBuffer());
  expect(content.length).toBe(bytes);
  expect(content.equals(readFileSync(join(folder, name)))).toBe(true);
  expect((await download(pair)).status).toBe(403);

  await sql`update auth.sessions set created_at = now() - interval '6 minutes'`;
  expect((await ask("list.json", owner)).status).toBe(200);
  const late = await ask("ticket", owner, { name });
  expect([late.status, await late.json()]).toEqual([
    403,
    { error: "Please enter your password again." },
  ]);
});

test("an owner makes one at once, which replaces that of the night", {
  timeout: 120_000,
}, async () => {
  const owner = await signIn(site);
  const [before] = backups();
  expect((await ask("start", owner, {})).status).toBe(202);
  const isBeingMade = async () => (await (await ask("list.json", owner)).json()).isRunning;
  expect(await isBeingMade()).toBe(true);
  await expect.poll(isBeingMade, { timeout: 60_000, interval: 1200 }).toBe(false);
  expect(backups()).toHaveLength(1);
  expect(backups()).not.toContain(before);
});

test("too little room, and a backup that cannot be restored, are told to the owner", {
  timeout: 120_000,
}, async () => {
  const [name = ""] = backups();
  const earlier = join(folder, "2026-01-04T08-00-00Z.tar.gz");
  writeFileSync(earlier, readFileSync(join(folder, name)));
  truncateSync(join(folder, name), 2000);
  forget({ trial: null });
  expect((await run()).code).toBe(0);
  expect(state().trial.problem).toMatch(/^The archive is damaged/);
  expect(existsSync(scratch)).toBe(false);
  const owner = await signIn(site);
  const { data } = await owner.auth.getSession();
  const headers = { authorization: `Bearer ${data.session?.access_token}` };
  const { checks } = await (await fetch(`${site.url}/manage/checks.json`, { headers })).json();
  expect(checks).toContainEqual(
    expect.objectContaining({ id: "backup-trial", fixAt: "/manage/backups" }),
  );

  rmSync(join(folder, name));
  forget({ trial: null });
  await run(2 ** 50);
  expect(state().backup.problem).toMatch(/^The disk has \d+ MB free, and a backup needs \d+ MB$/);
  expect(backups()).toEqual(["2026-01-04T08-00-00Z.tar.gz"]);
});

test("a night that is killed leaves nothing that lasts", { timeout: 120_000 }, async () => {
  forget({ trial: null });
  writeFileSync(join(folder, "2026-01-05T08-00-00Z.tar.gz.unfinished"), "half");
  const killed = start();
  const postmaster = join(scratch, "site.restoring/postgres/postmaster.pid");
  let pid = 0;
  // The file is empty at first, and has a negative number while the tables of the system are made.
  const findPostgres = () => {
    pid = existsSync(postmaster) ? Number.parseInt(readFileSync(postmaster, "utf8"), 10) : 0;
    return pid > 0;
  };
  await expect.poll(findPostgres, { timeout: 60_000, interval: 20 }).toBe(true);
  expect(readBackupState(site.dataDir).trial).toBeNull();
  killed.kill("SIGKILL");
  await expect.poll(() => isRunning(pid), { timeout: 20_000 }).toBe(false);
  expect(readBackupState(site.dataDir).trial?.problem).toBe("It was interrupted");
  expect((await run()).code).toBe(0);
  expect(existsSync(scratch)).toBe(false);
  expect(readdirSync(folder).filter((name) => name.endsWith("unfinished"))).toEqual([]);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const account = {
  ...{ bucket: "backups-of-ada", region: "eu-central-1" },
  ...{ keyId: "AKIDEXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" },
};

test("backups are copied to a bucket, whose secret key is never shown", async () => {
  const bucket = await startBucket(account);
  onTestFinished(() => void bucket.stop());
  const owner = await signIn(site);
  const settings = { ...account, endpoint: bucket.url };
  const check = async () => (await (await ask("test", owner, {})).json()).problem;
  const store = async (changes: object) =>
    (await ask("bucket", owner, { ...settings, ...changes })).status;

  expect((await ask("bucket", openClient(site), settings)).status).toBe(403);
  expect(await store({ endpoint: "http://example.com" })).toBe(400);
  expect(await store({ secret: "" })).toBe(400);
  expect(await store({ secret: "wrong" })).toBe(204);
  expect(await check()).toBe("The secret access key is wrong.");
  expect(await store({ bucket: "of-another" })).toBe(204);
  expect(await check()).toBe("There is no bucket of this name.");
  expect(await store({})).toBe(204);
  expect(await check()).toBeNull();
  // Without a secret, the stored one is kept.
  expect(await store({ secret: "" })).toBe(204);
  expect(await check()).toBeNull();
  expect([...bucket.files]).toEqual([]);

  const list = await (await ask("list.json", owner)).text();
  expect(JSON.parse(list).bucket).toEqual({
    ...{ endpoint: bucket.url, bucket: account.bucket },
    ...{ region: account.region, keyId: account.keyId },
  });
  const stored = readFileSync(join(folder, "bucket.json"), "utf8");
  for (const text of [list, stored]) expect(text).not.toContain(account.secret);
  expect(statSync(join(site.dataDir, "settings.key")).mode & 0o777).toBe(0o600);

  // Copies that have expired are deleted, and other files of the bucket stay.
  for (let week = 0; week < 20; week += 1) {
    const time = new Date(Date.UTC(2020, 0, 5 + 7 * week, 8)).toISOString().slice(0, 10);
    bucket.files.set(`${time}T08-00-00Z.tar.gz`, Buffer.from("old"));
  }
  for (let other = 0; other < 1000; other += 1) bucket.files.set(`${other}.txt`, Buffer.from(""));
  const { output } = await run();
  expect(output).toBe("");
  const [newest = ""] = backups().toSorted().reverse();
  expect(bucket.files.get(newest)?.equals(readFileSync(join(folder, newest)))).toBe(true);
  expect(bucket.files.size).toBe(1000 + 7 + 4);
  expect(state().copy).toMatchObject({ problem: null });

  bucket.stop();
  forget({ copy: null });
  await run();
  const problem = () => readBackupState(site.dataDir).copy?.problem;
  expect(problem()).toMatch(/^The service cannot be reached/);
  // It says nothing about other settings.
  expect(await store({ bucket: "of-another" })).toBe(204);
  expect(problem()).toBeUndefined();
});
