import { readFile } from "node:fs/promises";
import type { Plugin } from "vite";

const query = "?owner";

/** Otherwise it tries `eval`, which the Content-Security-Policy forbids and reports. */
const withoutEval = "(globalThis.__zod_globalConfig ??= {}).jitless = true;\n";

/**
 * Gives the owner's code, which imports `zod`, modules of its own. Visitors' forms import `zod/mini`, which shares
 * modules with it: in one file, they would load what only the owner's code uses.
 */
export function separateZod(): Plugin {
  return {
    name: "separate-zod",
    apply: "build",
    enforce: "pre",
    applyToEnvironment: ({ name }) => name === "client",
    async resolveId(source, importer, options) {
      const isInside = importer?.endsWith(query);
      if (source !== "zod" && !isInside) return null;
      const from = isInside ? importer?.slice(0, -query.length) : importer;
      const resolved = await this.resolve(source, from, { ...options, skipSelf: true });
      return resolved && { ...resolved, id: resolved.id + query };
    },
    load: {
      filter: { id: /\?owner$/ },
      async handler(id) {
        const code = await readFile(id.slice(0, -query.length), "utf8");
        return /\/core\/core\.js\?/.test(id) ? withoutEval + code : code;
      },
    },
  };
}
