import type { Plugin } from "vite";

/**
 * Lets a hot update replace `structuredData`, which only the server reads (app/entry.server.tsx). React Router reloads the
 * page for each changed export of a route file that is not its own.
 */
export function hotRoutes(): Plugin {
  return {
    name: "hot-routes",
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
