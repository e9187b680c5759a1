/**
 * The pages of visitors, by file. They are all in one script (vite.chunks.ts), so that they open at once and none can fail to load.
 * The query leaves out what only the server uses.
 */
export const visitorsPages = import.meta.glob(["./root.tsx", "./*/*-page.tsx", "!./manage/*"], {
  eager: true,
  query: "?__react-router-build-client-route",
});
