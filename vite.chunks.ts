import type { Rolldown } from "vite";

type Graph = Rolldown.ChunkingContext;

/**
 * How the browser's code is cut into files. Many small ones, as come by themselves, compress badly:
 * - framework: React and React Router, which stay the same from one release of the site to the next
 * - shell: what every page needs
 * - home: what the home page shares with others
 * All else, the owner's code above all, stays in files of its own.
 */
export const codeSplitting: Rolldown.CodeSplittingOptions = {
  groups: [
    {
      name: "framework",
      test: /node_modules\/(react|react-dom|react-router|scheduler)\//,
      priority: 3,
    },
    {
      debugName: "shell",
      name: (id, graph) => (isImportedBy("app/root.tsx", id, graph) ? "shell" : null),
      priority: 2,
    },
    {
      debugName: "home",
      name: (id, graph) => (isImportedBy("app/home/home-page.tsx", id, graph) ? "home" : null),
      minShareCount: 2,
      priority: 1,
    },
  ],
};

/** Whether a module comes along, at first or second hand, when the other one is loaded. */
function isImportedBy(root: string, id: string, graph: Graph, seen = new Set<string>()): boolean {
  if (seen.has(id)) return false;
  seen.add(id);
  const importers = graph.getModuleInfo(id)?.importers ?? [];
  return importers.some(
    (importer) =>
      importer.replace(/\?.*$/, "").endsWith(root) || isImportedBy(root, importer, graph, seen),
  );
}
