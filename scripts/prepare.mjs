// What `npm start` and `npm test` do before their own work. Plain JavaScript that Node 20 runs: the
// project's own Node 24 is only there after the installation.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const root = join(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "..");
/** The Node that the project brings. */
export const node = join(root, "node_modules/.bin/node");

/** Prints one line of progress. */
export function say(line) {
  console.log(`  ${line}`);
}

/** Runs a command; ends the process with its code when it fails. */
export function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: "inherit", ...options });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

/** Installs the packages when the lockfile changed since the last installation. */
export function ensureInstalled() {
  const stamp = join(root, "node_modules/.installed");
  const wanted = hashFiles([join(root, "package-lock.json")]);
  if (read(stamp) === wanted && existsSync(node)) return;
  say("Installing packages");
  // With the tools too, wherever NODE_ENV=production is set: Node itself and the build are among them.
  run("npm", ["ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"]);
  writeFileSync(stamp, wanted);
}

/** Builds the site when its sources changed since the last build. */
export function ensureBuilt() {
  const stamp = join(root, "build/.sources");
  const wanted = hashFiles(
    [
      "app",
      "public",
      "server",
      "package-lock.json",
      "vite.chunks.ts",
      "vite.config.ts",
      "vite.route-files.ts",
      "react-router.config.ts",
    ].flatMap((name) => listFiles(join(root, name))),
  );
  if (read(stamp) === wanted) return;
  say("Building the site");
  run(node, ["node_modules/@react-router/dev/bin.cjs", "build"], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, NODE_ENV: "production" },
  });
  run(node, ["scripts/compress.ts"]);
  writeFileSync(stamp, wanted);
}

function listFiles(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => listFiles(join(path, name)));
}

function hashFiles(files) {
  const hash = createHash("sha256");
  for (const file of files) hash.update(file.slice(root.length)).update(readFileSync(file));
  return hash.digest("hex");
}

function read(file) {
  return existsSync(file) ? readFileSync(file, "utf8") : null;
}
