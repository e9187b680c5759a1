// `npm start` and, with --dev, `npm run dev`.
import { spawn } from "node:child_process";
import { ensureBuilt, ensureInstalled, node, root } from "./prepare.mjs";

const development = process.argv.includes("--dev");
const ending = new AbortController();
let site = null;

// npm that is killed tells its children nothing: only their parent changes. Started without npm, a new parent means
// nothing: the shell that put this process into the background has ended.
if (process.env.npm_lifecycle_event) {
  const npm = process.ppid;
  setInterval(() => {
    if (process.ppid !== npm) endWithoutNpm();
  }, 250).unref();
}
// A terminal sends Ctrl-C, and its own end, to the site as well: wait for it to stop cleanly. A plain
// kill is passed on. Before there is a site, the installation or the build ends.
process.on("SIGINT", () => ending.abort());
process.on("SIGHUP", () => ending.abort());
process.on("SIGTERM", () => {
  ending.abort();
  site?.kill("SIGTERM");
});

const { signal } = ending;
await ensureInstalled({ signal });
const isCurrent = development || (await ensureBuilt({ signal, orPrevious: true }));
if (signal.aborted) process.exit(1);
const parameters = [...process.argv.slice(2), ...(isCurrent ? [] : ["--previous-build"])];
site = spawn(node, ["server/main.ts", ...parameters], {
  cwd: root,
  // The end of the channel tells the site that this process has ended, even by kill -9.
  stdio: ["inherit", "inherit", "inherit", "ipc"],
  env: { ...process.env, NODE_ENV: development ? "development" : "production" },
});
site.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)));

function endWithoutNpm() {
  ending.abort();
  // Not a signal: after the one of a terminal, a second one would cut requests.
  if (site?.connected) site.disconnect();
}
