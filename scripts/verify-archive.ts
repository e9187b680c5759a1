// `npm run archive:verify [-- --expect NUMBER:HASH]`: recomputes the hashes of the archive, in DATA_DIR or in the hosted
// project of SUPABASE_URL, while the site runs or not. Prints a line for each change or gap; the exit code is 1 when there
// is one. NUMBER:HASH is what an earlier run printed.
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { createClient } from "@supabase/supabase-js";
import { loadEnvironmentFile } from "../app/config/read-settings.ts";
import { connect } from "../backend/database.ts";
import { withDatabase } from "../backend/running-database.ts";
import { loadSecrets } from "../backend/secrets.ts";

/** The result of `verify_archive`. */
interface Part {
  /** Null when there are no more entries. */
  next: number | null;
  erased: number;
  /** Null in an empty archive. */
  last: Record<"number" | "hash" | "at", string> | null;
  problems: string[];
}

interface Archive {
  verify(after: number): Promise<Part>;
  readHash(number: number): Promise<string | undefined>;
}

const usage = "Usage: npm run archive:verify [-- --expect NUMBER:HASH]";
/** Fewer than a hosted project checks in its eight seconds per statement. */
const ENTRIES_AT_ONCE = 2000;

try {
  const root = join(import.meta.dirname, "..");
  loadEnvironmentFile(root);
  const expected = readExpected();
  const { SUPABASE_URL, SUPABASE_SECRET_KEY, DATA_DIR } = process.env;
  const problems = await (SUPABASE_URL
    ? verify(openProject(SUPABASE_URL, SUPABASE_SECRET_KEY), expected)
    : verifyFolder(resolve(root, DATA_DIR || ".data"), expected));
  for (const problem of problems) console.log(problem);
  console.log(problems.length > 0 ? `${problems.length} problems` : "Nothing was changed.");
  process.exit(problems.length > 0 ? 1 : 0);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

function readExpected(): { number: number; hash: string } | null {
  const { values } = parseArgs({ options: { expect: { type: "string" } } });
  if (values.expect === undefined) return null;
  const [, number, hash = ""] = /^(\d+):([0-9a-f]{64})$/.exec(values.expect) ?? [];
  if (!number) throw new Error(usage);
  return { number: Number(number), hash };
}

async function verify(
  archive: Archive,
  expected: ReturnType<typeof readExpected>,
): Promise<string[]> {
  const problems: string[] = [];
  let erased = 0;
  let part = await archive.verify(0);
  for (; part.next !== null; part = await archive.verify(part.next)) {
    problems.push(...part.problems);
    erased += part.erased;
  }
  problems.push(...part.problems);
  if (expected && (await archive.readHash(expected.number)) !== expected.hash) {
    problems.push(`Entry ${expected.number} is missing or has another hash than expected.`);
  }
  const { last } = part;
  console.log(`The last entry: ${last ? `${last.number}:${last.hash}` : "none"}`);
  if (erased > 0) console.log(`Erased documents, whose hashes remain: ${erased}`);
  if (last && Date.parse(last.at) > Date.now()) {
    console.log(
      `It is dated in the future (${last.at}): the clock was wrong. Later entries keep that time.`,
    );
  }
  return problems;
}

function verifyFolder(dataDir: string, expected: Parameters<typeof verify>[1]): Promise<string[]> {
  const { databasePassword } = loadSecrets(dataDir, { create: false });
  return withDatabase(dataDir, databasePassword, async (url) => {
    const sql = connect(url, 1);
    const archive: Archive = {
      async verify(after) {
        const [row] = await sql`select verify_archive(${after}, ${ENTRIES_AT_ONCE}) as part`;
        return row?.part;
      },
      async readHash(number) {
        const [entry] = await sql`select hash from archive_entries where number = ${number}`;
        return entry?.hash;
      },
    };
    return verify(archive, expected).finally(() => sql.end());
  });
}

function openProject(url: string, secretKey = ""): Archive {
  if (!secretKey) throw new Error("SUPABASE_SECRET_KEY must be the secret key of the project.");
  const project = createClient(url, secretKey, { auth: { persistSession: false } });
  return {
    async verify(after) {
      const values = { after, count: ENTRIES_AT_ONCE };
      return (await project.rpc("verify_archive", values).throwOnError()).data;
    },
    async readHash(number) {
      const entry = project.from("archive_entries").select("hash").eq("number", number);
      return (await entry.maybeSingle().throwOnError()).data?.hash;
    },
  };
}
