import { join } from "node:path";
import type { Plugin } from "vite";

const files =
  /\/react-router\/dist\/(production|development)\/lib\/dom\/ssr\/(routes|routeModules)\.js$/;
const importer = join(import.meta.dirname, "app/layout/import-route-file.ts");

/**
 * Makes React Router load route files in the browser through app/layout/import-route-file.ts,
 * because it has no setting for a file that cannot be loaded. The build fails when a new release
 * loads them from another place.
 */
export function routeFiles(): Plugin {
  const changed = new Set<string>();
  return {
    name: "route-files",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "client",
    transform: {
      filter: { id: files },
      handler(code, id) {
        const next = code.replace(
          /\bimport\(\s*(?:\/\*[^*]*\*\/\s*)*([\w.]+)\s*\)/g,
          "importRouteFile($1)",
        );
        if (next === code) this.error(`${id} no longer imports route files`);
        changed.add(id);
        return {
          code: `import { importRouteFile } from ${JSON.stringify(importer)};\n${next}`,
          map: null,
        };
      },
    },
    generateBundle() {
      if (changed.size !== 2) this.error("React Router imports route files in another module");
    },
  };
}

/**
 * Lets a hot update replace `structuredData`, which only the server reads (app/entry.server.tsx). React Router reloads the
 * page for each changed export of a route file that is not its own.
 */
export function hotRouteFiles(): Plugin {
  return {
    name: "hot-route-files",
    apply: "serve",
    applyToEnvironment: ({ name }) => name === "client",
    transform: {
      filter: { code: /\bfunction structuredData\b/ },
      handler(code, id) {
        const next = code.replace(
          /(Update\(currentExports, nextExports, \[)/,
          '$1"structuredData",',
        );
        if (next === code) this.error(`An edit of ${id} would reload the page`);
        return { code: next, map: null };
      },
    },
  };
}
