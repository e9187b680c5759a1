import type { Rolldown } from "vite";

type Graph = Rolldown.ChunkingContext;

/**
 * How the browser's code is cut into files. Many small ones, as come by themselves, compress badly:
 * - framework: React and React Router, which stay the same from one release of the site to the next
 * - shell: what every page needs, and what the home page shares with others
 * All else, the owner's code above all, stays in files of its own.
 */
export const codeSplitting: Rolldown.CodeSplittingOptions = {
  groups: [
    {
      name: "framework",
      // With what vite.route-files.ts puts into React Router.
      test: /node_modules\/(react|react-dom|react-router|scheduler)\/|\/app\/(layout\/import-route-file|loading\/load-module|ui\/toast)\.ts/,
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

/** The pages, by file, that load a module at first or second hand. */
function pagesWith(id: string, graph: Graph, seen = new Set<string>()): Set<string> {
  const pages = new Set<string>();
  if (seen.has(id)) return pages;
  seen.add(id);
  const importers = graph.getModuleInfo(id)?.importers ?? [];
  // React Router adds a query to the files that app/routes.ts names.
  if (importers.length === 0) pages.add(id.replace(/^.*\/app\/|\?.*$/g, ""));
  for (const importer of importers) {
    for (const page of pagesWith(importer, graph, seen)) pages.add(page);
  }
  return pages;
}
