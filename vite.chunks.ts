import { writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import type { Plugin, Rolldown } from "vite";

type Graph = Rolldown.ChunkingContext;

const framework =
  /node_modules\/(react|react-dom|react-router|scheduler)\/|\/app\/(layout\/import-route-file|loading\/load-module|ui\/toast)\.ts/;

/**
 * Groups the browser's modules into few files, because many small files compress badly:
 * - framework: React and React Router, which rarely change between releases of the site
 * - shell: what every page needs, and what the home page shares with other pages
 * All other modules, above all the owner's, stay in separate files.
 */
export const codeSplitting: Rolldown.CodeSplittingOptions = {
  groups: [
    {
      name: "framework",
      // With what vite.route-files.ts adds to React Router.
      test: framework,
      priority: 2,
    },
    {
      debugName: "shell",
      name: (id, graph) => {
        const pages = pagesWith(id, graph);
        const isShared = pages.has("home/home-page.tsx") && pages.size > 1;
        return pages.has("root.tsx") || isShared ? "shell" : null;
      },
      priority: 1,
    },
  ],
};

/** The pages, by file, that statically import a module, directly or indirectly. */
function pagesWith(id: string, graph: Graph, seen = new Set<string>()): Set<string> {
  const pages = new Set<string>();
  if (seen.has(id)) return pages;
  seen.add(id);
  const importers = importersOf(id, graph);
  // React Router adds a query to the files of app/routes.ts.
  if (importers.length === 0) pages.add(id.replace(/^.*\/app\/|\?.*$/g, ""));
  for (const importer of importers) {
    for (const page of pagesWith(importer, graph, seen)) pages.add(page);
  }
  return pages;
}

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

/** Every module with icons imports Lucide's index, so an icon's users are found by its name in their code. */
function importersOf(id: string, graph: Graph): readonly string[] {
  const importers = graph.getModuleInfo(id)?.importers ?? [];
  if (!/\/lucide\/dist\/esm\/icons\//.test(id)) return importers;
  const name = basename(id, ".mjs").replace(/(?:^|-)(\w)/g, (_, letter) => letter.toUpperCase());
  return importers
    .flatMap((index) => graph.getModuleInfo(index)?.importers ?? [])
    .filter((user) => user.includes("/app/"))
    .filter((user) => new RegExp(`\\b${name}\\b`).test(graph.getModuleInfo(user)?.code ?? ""));
}
