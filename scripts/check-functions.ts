// Type-checks the Edge Functions with Deno, which runs them.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const functions = join(root, "supabase/functions");

for (const name of readdirSync(functions)) {
  const entry = join(functions, name, "index.ts");
  if (!existsSync(entry)) continue;
  const { status } = spawnSync(
    join(root, "node_modules/.bin/deno"),
    // From the root, whose node_modules contains the packages that deno.json names.
    ["check", "--quiet", "--no-lock", "--no-remote", "--node-modules-dir=manual", entry],
    { cwd: root, stdio: "inherit", env: { ...process.env, DENO_NO_UPDATE_CHECK: "1" } },
  );
  if (status !== 0) process.exit(1);
}
