import { writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import type { Plugin, Rolldown } from "vite";

/**
 * Groups the browser's modules, with everything that they import statically, into few files, because many small files
 * compress badly and each has to be requested:
 * - framework: React and React Router, which rarely change between releases of the site
 * - visitors: all pages of visitors (app/visitors-pages.ts)
 * - visitor-client: the backend's client for visitors, on which the client for accounts is built
 * - read-profile: reads the role of the account, on which everything of it depends
 * - owner-parts: what a signed-in user sees on visitors' pages, which is loaded before hydration
 * All other modules, above all the owner's, stay in separate files.
 */
export const codeSplitting: Rolldown.CodeSplittingOptions = {
  groups: [
    {
      name: "framework",
      test: /node_modules\/(react|react-dom|react-router|scheduler)\/|rolldown\/runtime/,
      priority: 2,
    },
    { name: "visitors", test: /\/app\/visitors-pages\.ts$/, priority: 1 },
    { name: "visitor-client", test: /\/app\/supabase\/create-visitor-client\.ts$/ },
    { name: "read-profile", test: /\/app\/auth\/read-profile\.ts$/, priority: 1 },
    {
      name: "owner-parts",
      test: /\/app\/manage\/(start\/owner-part|posts\/owner-controls|testimonials\/delete-testimonial-button)\.tsx$/,
    },
  ],
};

/** Writes which modules of `app/` each of the browser's files contains, for `tests/built-page.ts`. */
export function listChunkModules(): Plugin {
  return {
    name: "list-chunk-modules",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "client",
    writeBundle({ dir = "" }, bundle) {
      const app = join(import.meta.dirname, "app");
      const chunks = Object.values(bundle).flatMap((output) => {
        if (output.type !== "chunk") return [];
        const modules = output.moduleIds
          .map((id) => relative(app, id.replace(/\?.*$/, "")))
          .filter((path) => !path.startsWith(".."));
        return [[basename(output.fileName), [...new Set(modules)]]];
      });
      // Not below `client`, which is public.
      writeFileSync(join(dir, "../chunk-modules.json"), JSON.stringify(Object.fromEntries(chunks)));
    },
  };
}
