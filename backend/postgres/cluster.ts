// The files of PostgreSQL: made once by initdb, whole or not at all.
// Covers: first-time setup, a setup that was cut off. Does not cover: major-version upgrades.
import { spawn } from "node:child_process";
import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { environmentForPostgres, type Programs, type RunAs } from "./programs.ts";

/** Makes the cluster `databaseDir` with the superuser `postgres`, unless it is there already. */
export async function ensureCluster(
  databaseDir: string,
  password: string,
  programs: Programs,
  runAs: RunAs,
): Promise<void> {
  if (existsSync(join(databaseDir, "PG_VERSION"))) return;
  // What was cut off in the middle must not be taken for a database: it gets its name at the end.
  const unfinished = `${databaseDir}.new`;
  const passwordFile = `${databaseDir}.password`;
  rmSync(unfinished, { recursive: true, force: true });
  rmSync(passwordFile, { force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  try {
    for (const path of [unfinished, passwordFile]) giveTo(path, runAs);
    await initialise(unfinished, passwordFile, programs, runAs);
    rmSync(databaseDir, { recursive: true, force: true });
    renameSync(unfinished, databaseDir);
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/** The major version that made the cluster. */
export function majorVersion(databaseDir: string): string {
  return readFileSync(join(databaseDir, "PG_VERSION"), "utf8").trim();
}

function giveTo(path: string, { uid, gid }: RunAs): void {
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}

async function initialise(
  folder: string,
  passwordFile: string,
  programs: Programs,
  runAs: RunAs,
): Promise<void> {
  const child = spawn(
    programs.initdb,
    [
      ...[`--pgdata=${folder}`, "--username=postgres", `--pwfile=${passwordFile}`],
      ...["--auth=scram-sha-256", "--encoding=UTF8", "--locale=C"],
    ],
    { ...runAs, env: environmentForPostgres(), stdio: ["ignore", "ignore", "pipe"] },
  );
  let complaint = "";
  child.stderr.on("data", (chunk) => {
    complaint += chunk;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  if (code !== 0) throw new Error(`PostgreSQL could not be set up.\n${complaint.trim()}`);
}
