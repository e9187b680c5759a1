// Runs a TypeScript file that needs the installed packages and the built site, as for `npm run
// fuzz`.
import { ensureBuilt, ensureInstalled, node, run } from "./prepare.mjs";

await ensureInstalled({ tools: true });
await ensureBuilt();
await run(node, process.argv.slice(2));
