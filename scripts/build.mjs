// `npm run build`: builds the site even when nothing changed, unless --if-changed is given. A failed build leaves the last
// good one in place.
import { build, ensureBuilt, ensureInstalled } from "./prepare.mjs";

await ensureInstalled();
const isBuilt = process.argv.includes("--if-changed") ? await ensureBuilt() : await build();
if (!isBuilt) process.exit(1);
