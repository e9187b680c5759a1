// Installs and builds for `npm start` and `npm test`. Plain JavaScript for Node 18, because the Node
// that the site needs may exist only after the installation.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

export const root = join(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "..");
/** The Node version that the site needs. It is installed here if the one that runs npm is older. */
const siteNode = JSON.parse(read(join(root, "package.json"))).config.node;
const nodes = join(root, ".node");
const nodeFolder = `node-${siteNode}`;
const nodePackage = `node-${process.platform}-${process.arch}`;
const ownNode = join(nodes, nodeFolder, "node_modules", nodePackage, "bin/node");
const isTooOld = Number.parseInt(process.versions.node, 10) < Number.parseInt(siteNode, 10);
/** Whether this Node is one that was added here or, before an upgrade, in another folder, because the machine's is too old. */
const isAdded = process.execPath.includes("/.node/");
/** The Node that runs the site and the tools. */
export const node = isTooOld || isAdded ? ownNode : process.execPath;
/** A link to one of the builds. Replacing it switches to the next build atomically. */
const current = join(root, "build");
const builds = join(root, ".builds");

export function say(line) {
  console.log(`  ${line}`);
}

/** Runs a command. If it fails, exits with its code. */
export async function run(command, args, options = {}) {
  const status = await execute(command, args, options);
  if (status !== 0) process.exit(status);
}

/** @returns the exit code; 1 when a signal ended the command. */
function execute(command, args, options = {}) {
  const child = spawn(command, args, { cwd: root, stdio: "inherit", ...options });
  return new Promise((resolve, reject) => {
    // The signal also reports an abort here; the process that aborted exits.
    child.once("error", (error) => (error.name === "AbortError" ? resolve(1) : reject(error)));
    child.once("exit", (code) => resolve(code ?? 1));
  });
}

/**
 * Installs what is missing, and everything again when the lockfile changed.
 * @param options.tools also installs what only testing and measuring need
 * @param options.signal ends the installation
 */
export async function ensureInstalled({ tools = false, signal } = {}) {
  if (!existsSync(node)) await installNode(signal);
  const stamp = join(root, "node_modules/.installed");
  const hash = hashFiles([join(root, "package-lock.json")]);
  const withTools = `${hash} with tools`;
  const installed = read(stamp);
  if (installed !== withTools && (tools || installed !== hash)) {
    // A developer's `npm ci` writes no stamp.
    const keepsTools = tools || existsSync(join(root, "node_modules/typescript"));
    // Explicit, because NODE_ENV=production changes the default.
    await install("packages", ["ci", keepsTools ? "--include=dev" : "--omit=dev"], signal);
    writeFileSync(stamp, keepsTools ? withTools : hash);
  }
  // Scripts of npm then find it before the Node that runs npm.
  const link = join(root, "node_modules/.bin/node");
  if (existsSync(ownNode) && !existsSync(link)) {
    rmSync(link, { force: true });
    symlinkSync(ownNode, link);
  }
}

/** Before the packages, because an old npm cannot install them. */
async function installNode(signal) {
  const folder = join(nodes, nodeFolder);
  mkdirSync(folder, { recursive: true });
  // The lockfile has the hash of each package, and no package runs a script.
  for (const name of ["package.json", "package-lock.json"]) {
    copyFileSync(join(root, "scripts/node", name), join(folder, name));
  }
  await install(`Node ${siteNode}`, ["ci", "--ignore-scripts", `--prefix=${folder}`], signal);
  if (!existsSync(node)) {
    console.error(`No package of Node for this machine was found that is the one of scripts/node/package-lock.json.
Check the internet connection, or install Node ${siteNode} yourself, and start again.`);
    process.exit(1);
  }
  for (const name of readdirSync(nodes)) {
    if (name !== nodeFolder) rmSync(join(nodes, name), { recursive: true, force: true });
  }
}

/** The npm that was installed with an added Node, or the one of the machine. */
function findNpm() {
  for (const added of [ownNode, process.execPath]) {
    const npm = join(dirname(added), "../../npm/bin/npm-cli.js");
    if (existsSync(added) && existsSync(npm)) {
      // Installation scripts of packages find the same Node.
      const PATH = `${dirname(added)}:${process.env.PATH}`;
      return { command: added, args: [npm], env: { ...process.env, PATH } };
    }
  }
  return { command: "npm", args: [], env: process.env };
}

/** Runs npm. When its cache is not enough and the registry does not answer, npm itself would retry for minutes. */
async function install(what, args, signal) {
  say(`Installing ${what} (about a minute)…`);
  const began = Date.now();
  const sign = setInterval(() => {
    say(`Still installing ${what} (${Math.round((Date.now() - began) / 1000)} s)…`);
  }, 15_000).unref();
  const options = ["--no-audit", "--no-fund", "--loglevel=error", "--prefer-offline"];
  const retries = ["--fetch-retries=1", "--fetch-retry-mintimeout=500"];
  const limits = [...retries, "--fetch-timeout=10000"];
  const npm = findNpm();
  const status = await execute(npm.command, [...npm.args, ...args, ...options, ...limits], {
    ...{ signal, env: npm.env },
  });
  if (status !== 0 && !signal?.aborted) {
    console.error(`Installing ${what} failed. If npm could not reach the package registry:
Check the internet connection. Behind a proxy: npm config set https-proxy http://HOST:PORT
Once "npm ping" succeeds, start again.`);
  }
  if (status !== 0) process.exit(1);
  clearInterval(sign);
}

/**
 * Builds the site when its sources changed since the last build. Exits when the build fails.
 * @param options.signal ends the build
 * @param options.orPrevious keeps an existing earlier build when the new one fails
 * @returns whether the build in place is current
 */
export async function ensureBuilt({ signal, orPrevious = false } = {}) {
  if (read(join(current, ".sources")) === hashSources()) return true;
  if (await build({ signal })) return true;
  if (signal?.aborted || !orPrevious || !existsSync(join(current, "server/index.js"))) {
    process.exit(1);
  }
  return false;
}

/** Builds into a new folder and then switches to it. @returns whether it succeeded. */
export async function build({ signal } = {}) {
  say("Building the site (about half a minute)…");
  mkdirSync(builds, { recursive: true });
  removeUnfinished();
  const sources = hashSources();
  const folder = join(builds, `unfinished-${process.pid}`);
  try {
    const status =
      (await execute(node, ["node_modules/@react-router/dev/bin.cjs", "build"], {
        stdio: ["ignore", "ignore", "inherit"],
        env: { ...process.env, NODE_ENV: "production", BUILD_DIRECTORY: folder },
        signal,
      })) || (await execute(node, ["scripts/built-files.ts", current, folder], { signal }));
    if (status !== 0) return false;
    writeFileSync(join(folder, ".sources"), sources);
    switchTo(folder);
    return true;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function switchTo(folder) {
  const name = new Date().toISOString().replace(/[:.]/g, "-");
  renameSync(folder, join(builds, name));
  const link = join(builds, `link-${process.pid}`);
  rmSync(link, { force: true });
  symlinkSync(join(basename(builds), name), link);
  const former = lstatSync(current, { throwIfNoEntry: false });
  // Removes a build folder from a version that had no links.
  if (former?.isDirectory()) renameSync(current, join(builds, "0"));
  renameSync(link, current);
  removeOldBuilds();
}

/** Keeps the build before the current one: a running site may still load its files. */
function removeOldBuilds() {
  const inUse = basename(readlinkSync(current));
  const others = readdirSync(builds)
    .filter((name) => /^\d/.test(name) && name !== inUse)
    .sort();
  for (const name of others.slice(0, -1)) {
    rmSync(join(builds, name), { recursive: true, force: true });
  }
}

/** Removes builds of killed processes. */
function removeUnfinished() {
  for (const name of readdirSync(builds)) {
    const [, pid] = /^(?:unfinished|link)-(\d+)$/.exec(name) ?? [];
    if (pid && !isRunning(Number(pid))) {
      rmSync(join(builds, name), { recursive: true, force: true });
    }
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

function hashSources() {
  return hashFiles(
    [
      "app",
      "public",
      "server",
      "supabase/functions/_shared",
      "package-lock.json",
      ...readdirSync(root).filter((name) => /^vite\..+\.ts$/.test(name)),
      "react-router.config.ts",
    ].flatMap((name) => listFiles(join(root, name))),
  );
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
