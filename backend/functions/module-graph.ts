// Deno loads every file that an import names literally, whatever --allow-read says: a JSON file with secrets, too.
// This finds such imports before the function runs. npm packages need no check: Deno asks their permissions.
import { execFile } from "node:child_process";
import { realpathSync } from "node:fs";
import { join, sep } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { confine } from "./confinement.ts";

const graphSchema = z.object({
  modules: z.array(z.object({ local: z.string().nullish() })),
});

/** @returns the files outside `folders` that `index.ts` in `folder` imports, directly or not. */
export async function foreignModules(
  deno: string,
  folder: string,
  folders: string[],
  environment: NodeJS.ProcessEnv,
): Promise<string[]> {
  const { command, args, ...user } = confine(deno, [
    ...["info", "--json", "--no-remote", "--no-lock", "--node-modules-dir=manual"],
    join(folder, "index.ts"),
  ]);
  const { stdout } = await promisify(execFile)(command, args, {
    ...user,
    cwd: folder,
    env: environment,
    maxBuffer: 16 * 1024 * 1024,
    timeout: 20_000,
  });
  const allowed = folders.map((folder) => realPath(folder) + sep);
  return graphSchema
    .parse(JSON.parse(stdout))
    .modules.flatMap(({ local }) => local ?? [])
    .filter((file) => !allowed.some((folder) => realPath(file).startsWith(folder)));
}

/** A link inside the folder may lead out of it. What is missing has no other name. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
