// Runs a TypeScript file that needs the installed packages and the built site: `npm run fuzz`, `npm run load`.
import { ensureBuilt, ensureInstalled, node, run } from "./prepare.mjs";

await ensureInstalled();
await ensureBuilt();
await run(node, process.argv.slice(2));
