// Runs a TypeScript file with the Node of the site, the installed packages and the built site; with --no-build before the
// file, without the build.
import { ensureBuilt, ensureInstalled, node, run } from "./prepare.mjs";

const args = process.argv.slice(2);
const builds = args[0] !== "--no-build";
await ensureInstalled({ tools: true });
if (builds) await ensureBuilt();
await run(node, builds ? args : args.slice(1));
