// `npm start` and, with --dev, `npm run dev`.
import { spawn } from "node:child_process";
import { ensureBuilt, ensureInstalled, node, root } from "./prepare.mjs";

const development = process.argv.includes("--dev");
ensureInstalled();
if (!development) ensureBuilt();

const site = spawn(node, ["server/main.ts", ...process.argv.slice(2)], {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, NODE_ENV: development ? "development" : "production" },
});
// A terminal sends Ctrl-C, and its own end, to the site as well: wait for it to stop cleanly. A plain
// kill is passed on.
process.on("SIGINT", () => {});
process.on("SIGHUP", () => {});
process.on("SIGTERM", () => site.kill("SIGTERM"));
site.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
