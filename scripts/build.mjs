// `npm run build`: builds the site even when nothing changed. A failed build leaves the last good
// one in place.
import { build, ensureInstalled } from "./prepare.mjs";

await ensureInstalled();
if (!(await build())) process.exit(1);
