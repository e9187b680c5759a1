// `npm run test:project -- --url URL --key PUBLISHABLE`, with SUPABASE_SECRET_KEY: runs the role table and contract tests against
// any project, and prints one line for each broken rule. The exit code is 1 when there is one. Rows, files and accounts of the
// tests are removed, also those of an interrupted run. The history and the archive only grow, so they keep the tests.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createClient } from "@supabase/supabase-js";
import type { Database } from "../app/supabase/database.ts";
import { withoutSession } from "../supabase/functions/_shared/without-session.ts";
import { describeFailures, describeSkipped } from "../tests/project/broken-rules.ts";
import { createMarkedAccount, findRealData, removeMarked } from "../tests/project/marked.ts";
import { stop } from "./stop.ts";

const usage = `Usage: SUPABASE_SECRET_KEY=SECRET_KEY npm run test:project -- --url URL --key PUBLISHABLE_KEY [--with-data]
The address and the key can also be in SUPABASE_URL and SUPABASE_ANON_KEY. The secret key is read from the environment
only, because other users of the machine can read a command line.`;

/** The flows only run when the permissions are right, because they would report consequences. */
const stages = {
  permissions: ["tests/security/roles.test.ts"],
  flows: [
    "tests/project/flows.test.ts",
    ...["project", "post-search", "content-limits"].map((name) => `tests/contract/${name}.test.ts`),
  ],
};

const keys = readKeys();
const admin = createClient<Database>(keys.url, keys.secretKey, { auth: withoutSession });
try {
  await removeMarked(admin);
  await requireTestProject();
  console.log(
    "The history and the archive of this project keep what the tests store. Before going live, reset it: npx supabase db reset --remote.",
  );
  const owner = await createMarkedAccount(keys);
  const { email, password } = owner;
  await admin.rpc("add_person", { email, role: "owner", name: "Test" }).throwOnError();
  Object.assign(process.env, {
    CONTRACT_URL: keys.url,
    CONTRACT_ANON_KEY: keys.anonKey,
    CONTRACT_SECRET_KEY: keys.secretKey,
    CONTRACT_OWNER_EMAIL: email,
    CONTRACT_OWNER_PASSWORD: password,
    CONTRACT_WITH_DATA: keys.withData ? "1" : "",
  });
  const lines = await runTests().finally(() => removeMarked(admin));
  for (const line of lines) console.log(line);
  console.log(lines.length > 0 ? `${lines.length} broken` : "Nothing is broken.");
  process.exit(lines.length > 0 ? 1 : 0);
} catch (error) {
  const reason = error instanceof Object && "message" in error ? error.message : error;
  stop(
    `The project could not be tested: ${reason}. Are the migrations applied, and the keys right?`,
  );
}

function readKeys() {
  const { SUPABASE_URL, SUPABASE_ANON_KEY, SUPABASE_SECRET_KEY: secretKey } = process.env;
  try {
    const { values } = parseArgs({
      options: {
        url: { type: "string", default: SUPABASE_URL },
        key: { type: "string", default: SUPABASE_ANON_KEY },
        "with-data": { type: "boolean", default: false },
      },
    });
    const { url, key: anonKey, "with-data": withData } = values;
    if (url && anonKey && secretKey) return { url, anonKey, secretKey, withData };
  } catch {
    // An unknown option.
  }
  return stop(usage);
}

/** The tests need an owner beside their own, because the last one cannot be removed. */
async function requireTestProject(): Promise<void> {
  const { data: people } = await admin.rpc("list_people").throwOnError();
  if (!people.some(({ role }) => role === "owner")) {
    stop("The project has no owner. Add yourself first: npm run owner -- you@example.com");
  }
  const data = await findRealData(admin);
  if (data.length > 0 && !keys.withData) {
    stop(
      `The project has real data (${data.join(", ")}), and its archive would keep the tests. Use another one, or add --with-data.`,
    );
  }
}

async function runTests(): Promise<string[]> {
  const { startVitest } = await import("vitest/node");
  for (const [name, include] of Object.entries(stages)) {
    console.log(`Testing ${name} …`);
    const vitest = await startVitest("test", [], {
      ...{ config: false, root: join(import.meta.dirname, ".."), include, watch: false },
      ...{ setupFiles: ["tests/project/mark-uuids.ts"], reporters: [{}], silent: true },
      // An interrupted run must not leave a worker that goes on.
      pool: "threads",
      ...{ testTimeout: 60_000, hookTimeout: 120_000, expect: { poll: { timeout: 10_000 } } },
    });
    const modules = vitest.state.getTestModules();
    await vitest.close();
    for (const line of describeSkipped(modules)) console.log(line);
    const lines = describeFailures(modules);
    if (lines.length > 0) return lines;
  }
  return [];
}
