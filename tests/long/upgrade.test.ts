// An upgrade that fails leaves the site as it was, and a rollback loses nothing without saying so. The remote is made of this
// checkout, and `systemctl` is a script that starts the site as the unit does.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, realpathSync } from "node:fs";
import {
  appendFile,
  chmod,
  cp,
  mkdir,
  readFile,
  rm,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { basename, join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { freePort } from "../free-port.ts";
import { ownerAccount } from "../prepared-data-dir.ts";
import { createTemporaryFolder } from "../temporary-folder.ts";

const root = join(import.meta.dirname, "../..");
const timeout = 400_000;
const identity = ["-c", "user.name=test", "-c", "user.email=test@example.com"];

let folder: string;
let remote: string;
let site: string;
let url: string;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  folder = await createTemporaryFolder("upgrade");
  [remote, site] = [join(folder, "remote"), join(folder, "site")];
  installGit();
  await makeRemote();
  await makeSite();
  await cp(join(root, "deploy/upgrade.sh"), join(folder, "adviser-site"));
  systemctl("start");
  await vi.waitUntil(isUp, { timeout: 60_000 });
  await write("Client 1");
}, timeout);

afterAll(async () => {
  systemctl("stop");
  await rm(folder, { recursive: true, force: true });
});

function installGit(): void {
  try {
    execFileSync("git", ["--version"]);
  } catch {
    execFileSync("apt-get", ["install", "--yes", "--no-install-recommends", "git"]);
  }
}

function git(...parameters: string[]): string {
  return String(execFileSync("git", [...identity, ...parameters], { cwd: remote })).trim();
}

/** The files of this checkout as they are, committed or not. */
async function makeRemote(): Promise<void> {
  const names = readdirSync(root).filter((name) => /\.(ts|json)$/.test(name));
  names.push("app", "deploy", "packages", "public", "scripts", "server", "supabase");
  for (const name of names) await cp(join(root, name), join(remote, name), { recursive: true });
  git("init", "--quiet", "--initial-branch=main");
  git("add", "--all");
  git("commit", "--quiet", "--message=first");
}

/** What deploy/install.sh makes, with the packages and the build of this checkout. */
async function makeSite(): Promise<void> {
  const first = join(site, "releases/first");
  // The data are on another disk.
  for (const part of ["releases", "data", "backups", "bin", "../disk/first"]) {
    await mkdir(join(site, part), { recursive: true });
  }
  execFileSync("git", ["clone", "--quiet", remote, first]);
  const packages = join(root, "node_modules");
  try {
    execFileSync("cp", ["-al", packages, first], { stdio: "ignore" });
  } catch {
    // The temporary folder is on another file system.
    execFileSync("cp", ["-a", packages, first]);
  }
  const lockfile = await readFile(join(root, "package-lock.json"));
  const stamp = join(first, "node_modules/.installed");
  // The file is a hard link.
  await rm(stamp, { force: true });
  const hash = createHash("sha256").update("/package-lock.json").update(lockfile).digest("hex");
  await writeFile(stamp, hash);
  await mkdir(join(first, ".builds"));
  execFileSync("cp", ["-a", realpathSync(join(root, "build")), join(first, ".builds/1")]);
  await symlink(".builds/1", join(first, "build"));
  await symlink("../../.env", join(first, ".env"));
  await symlink(join(folder, "disk/first"), join(first, ".data"));
  await symlink("releases/first", join(site, "current"));
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const settings = { PORT: port, RATE_LIMITS: "off", OWNER_PASSWORD: ownerAccount.password };
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(join(site, ".env"), lines.join(""));
  await writeFile(
    join(site, "bin/systemctl"),
    `#!/bin/sh
cd ${site}
case $1 in
  start) cd current && nohup node scripts/start.mjs >>../../log 2>&1 & echo $! >${site}/pid ;;
  stop) pid=$(cat pid) && kill "$pid" && while kill -0 "$pid"; do sleep 0.1; done 2>&1 ;;
esac
if signal=$(cat "signal-at-$1" 2>/dev/null); then
  rm "signal-at-$1"
  kill -"$signal" "$PPID"
fi
`,
  );
  await chmod(join(site, "bin/systemctl"), 0o755);
  const path = [join(site, "bin"), join(root, "node_modules/.bin"), process.env.PATH];
  const { npm_lifecycle_event: _, ...inherited } = process.env;
  environment = { ...inherited, PATH: path.join(":") };
  for (const name of ["DATA_DIR", "HOST", "NODE_ENV"]) delete environment[name];
}

function systemctl(verb: string): void {
  execFileSync(join(site, "bin/systemctl"), [verb], { env: environment, stdio: "ignore" });
}

const isUp = () =>
  fetch(`${url}/healthz/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
const running = () => basename(realpathSync(join(site, "current")));
const data = () => basename(realpathSync(join(site, "current/.data")));
/** Which processes and folders a failed upgrade may not leave. */
const leftovers = () => readdirSync(join(site, "data")).filter((name) => name.endsWith(".try"));

/** Makes a version on a branch of the remote. */
async function makeVersion(branch: string, changes: Record<string, string>): Promise<void> {
  git("checkout", "--quiet", "-B", branch, "main");
  for (const [file, text] of Object.entries(changes)) await appendFile(join(remote, file), text);
  git("add", "--all");
  git("commit", "--quiet", `--message=${branch}`);
}

async function run(...parameters: string[]): Promise<{ code: number | null; printed: string }> {
  const { child, printed } = begin(...parameters);
  const [code] = await once(child, "close");
  return { code, printed: printed.join("") };
}

function begin(...parameters: string[]): { child: ChildProcess; printed: string[] } {
  const child = spawn("sh", [join(folder, "adviser-site"), ...parameters], {
    cwd: folder,
    // Of the user who calls it, and not of the service.
    env: { ...environment, SITE: site, DATA_DIR: join(folder, "other"), PORT: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const printed: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => printed.push(text));
  }
  return { child, printed };
}

async function connect() {
  const [key = ""] = (await (await fetch(url)).text()).match(/sb_publishable_[\w-]+/) ?? [];
  const client = createClient(url, key, { auth: { persistSession: false } });
  const { error } = await client.auth.signInWithPassword(ownerAccount);
  expect(error).toBe(null);
  return client;
}

/** Writes a row that the site acknowledges. */
async function write(name: string): Promise<void> {
  const client = await connect();
  const row = { id: crypto.randomUUID(), name, rating: 5, content: "Good and patient advice." };
  expect((await client.from("testimonials").insert(row)).error).toBe(null);
}

async function written(): Promise<string[]> {
  const names = ["Client 1", "Client 2", "Client 3"];
  const client = await connect();
  const { data: rows, error } = await client.from("testimonials").select("*").in("name", names);
  expect(error).toBe(null);
  return (rows ?? []).map(({ name }) => String(name)).sort();
}

const migration = "supabase/migrations/20990101000000_test.sql";
const addsTable = { [migration]: "create table private.upgrade_test ();\n" };
const start = "packages/embedded-supabase/src/start.ts";

test.each<[what: string, changes: Record<string, string>, says: RegExp]>([
  [
    "does not build",
    { "vite.config.ts": "\nexport const broken = ;\n" },
    /The site was not touched\./,
  ],
  [
    "has a migration that fails",
    { [migration]: "select 1 / 0;\n" },
    /Migration 2099\S+ failed: .*division by zero.*The site was not touched\./s,
  ],
  [
    "does not start",
    { [start]: "\nthrow new Error('This version does not start');\n" },
    /The new version does not work\./,
  ],
])("a version that %s changes nothing", { timeout }, async (_what, changes, says) => {
  await makeVersion("broken", changes);
  const { code, printed } = await run("upgrade", "broken");
  expect(printed).toMatch(says);
  expect(code).not.toBe(0);
  expect([running(), data(), await isUp(), leftovers()]).toEqual(["first", "first", true, []]);
  expect(readdirSync(join(site, "releases"))).toEqual(["first"]);
});

test("a version that fails only in its place is replaced by the one before", {
  timeout,
}, async () => {
  await makeVersion("unhealthy", {
    ...addsTable,
    // The trial sets DATA_DIR, the service does not. Nothing of the backend is part of the build.
    [start]: "\nif (!process.env.DATA_DIR) throw new Error('Broken');\n",
  });
  const { code, printed } = await run("upgrade", "unhealthy");
  expect(printed).toContain("The version before runs again.");
  expect(code).not.toBe(0);
  expect([running(), data()]).toEqual(["first", "first"]);
  await expect.poll(isUp, { timeout: 60_000 }).toBe(true);
  expect(await written()).toEqual(["Client 1"]);
});

test("a killed upgrade leaves the version before, and can be repeated", { timeout }, async () => {
  await makeVersion("migrated", addsTable);
  const { child } = begin("upgrade", "migrated");
  await expect.poll(leftovers, { timeout: 200_000, interval: 20 }).toHaveLength(1);
  child.kill("SIGKILL");
  await once(child, "close");
  expect([running(), await isUp()]).toEqual(["first", true]);

  await writeFile(join(site, "signal-at-stop"), "KILL");
  await run("upgrade", "migrated");
  expect([running(), data(), await isUp()]).toEqual(["first", "first", false]);
  systemctl("start");
  await expect.poll(isUp, { timeout: 60_000 }).toBe(true);
  expect(await written()).toEqual(["Client 1"]);

  const { code, printed } = await run("upgrade", "migrated");
  expect(code, printed).toBe(0);
  expect(running()).not.toBe("first");
  expect(data()).toBe(running());
  expect(await written()).toEqual(["Client 1"]);
  expect(existsSync(join(site, "current/.data/outgoing-mail-held"))).toBe(false);
  expect(existsSync(join(site, "current/.data/last-backup"))).toBe(true);
});

test("a rollback across a migration asks, and keeps what it leaves out", { timeout }, async () => {
  await write("Client 2");
  const migrated = running();
  const refused = await run("rollback");
  expect(refused.printed).toContain("Everything written since then disappears from the site");
  expect([refused.code, running(), await isUp()]).toEqual([1, migrated, true]);

  const { code, printed } = await run("rollback", "--leave-out-changes");
  expect(code, printed).toBe(0);
  expect([running(), data()]).toEqual(["first", "first"]);
  expect(await written()).toEqual(["Client 1"]);
  expect(existsSync(join(site, "data", migrated, "left-out"))).toBe(true);
  expect(printed).toContain(join(site, "backups/before-"));
});

test("without a migration, neither upgrade nor rollback loses a row", { timeout }, async () => {
  await makeVersion("good", { "README.md": "\n" });
  const old = ["before-2026-01-01T03-00-00Z.tar.gz", "photos.tar.gz"].map((name) =>
    join(site, "backups", name),
  );
  for (const file of old) {
    await writeFile(file, "");
    await utimes(file, 0, 0);
  }
  const upgraded = await run("upgrade", "good");
  expect(upgraded.code, upgraded.printed).toBe(0);
  const good = running();
  expect(good).not.toBe("first");
  expect(data()).toBe("first");
  expect(old.map((file) => existsSync(file))).toEqual([false, true]);
  await rm(old[1] ?? "");
  await write("Client 3");

  await writeFile(join(site, "signal-at-stop"), "TERM");
  const interrupted = await run("rollback");
  expect([interrupted.code, running()]).toEqual([1, good]);
  await expect.poll(isUp, { timeout: 60_000 }).toBe(true);

  const { code, printed } = await run("rollback");
  expect(code, printed).toBe(0);
  expect(running()).toBe("first");
  expect(await written()).toEqual(["Client 1", "Client 3"]);
});

test("a restore replaces the data and keeps the link; one that fails changes nothing", {
  timeout,
}, async () => {
  await writeFile(join(folder, "damaged.tar.gz"), "no backup");
  const failed = await run("restore", "damaged.tar.gz");
  expect([failed.code, failed.printed]).toEqual([1, expect.stringContaining("was not restored")]);
  await expect.poll(isUp, { timeout: 60_000 }).toBe(true);
  expect(await written()).toEqual(["Client 1", "Client 3"]);

  const backups = readdirSync(join(site, "backups"));
  await cp(join(site, "backups", backups.sort().at(-1) ?? ""), join(folder, "copy.tar.gz"));
  const { code, printed } = await run("restore", "copy.tar.gz");
  expect(code, printed).toBe(0);
  expect([data(), await written()]).toEqual(["first", ["Client 1"]]);
  expect(readdirSync(join(folder, "disk")).join()).toContain("first.before-");
  expect(readdirSync(join(site, "backups"))).toEqual(backups);

  const held = join(site, "current/.data/outgoing-mail-held");
  expect(existsSync(held)).toBe(true);
  expect((await run("restore", "--live")).code).toBe(0);
  expect([existsSync(held), await isUp()]).toEqual([false, true]);
});
