// `npm start` and, with --dev, `npm run dev`.
import { spawn } from "node:child_process";
import { ensureBuilt, ensureInstalled, node, root } from "./prepare.mjs";
import { siteEnvironment } from "./site-environment.mjs";

const development = process.argv.includes("--dev");
const ending = new AbortController();
let site = null;

// A killed npm does not signal its children: they only get another parent. Without npm, a new
// parent is no reason to stop: the shell that started this process in the background has exited.
if (process.env.npm_lifecycle_event) {
  const npm = process.ppid;
  setInterval(() => {
    if (process.ppid !== npm) endWithoutNpm();
  }, 250).unref();
}
// A terminal sends SIGINT and SIGHUP to the site as well, so only wait for it to stop. SIGTERM is
// forwarded. Before the site runs, the installation or the build is aborted.
process.on("SIGINT", () => ending.abort());
process.on("SIGHUP", () => ending.abort());
process.on("SIGTERM", () => {
  ending.abort();
  site?.kill("SIGTERM");
});

const { signal } = ending;
await ensureInstalled({ tools: development, signal });
const isCurrent = development || (await ensureBuilt({ signal, orPrevious: true }));
if (signal.aborted) process.exit(1);
const parameters = [...process.argv.slice(2), ...(isCurrent ? [] : ["--previous-build"])];
site = spawn(node, ["server/main.ts", ...parameters], {
  cwd: root,
  // The site notices when the channel closes, even after kill -9 of this process.
  stdio: ["inherit", "inherit", "inherit", "ipc"],
  env: development ? { ...process.env, NODE_ENV: "development" } : siteEnvironment,
});
site.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)));

function endWithoutNpm() {
  ending.abort();
  // Uses no signal: after the terminal's, a second one would cut requests off.
  if (site?.connected) site.disconnect();
}
