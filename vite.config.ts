import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import { codeSplitting } from "./vite.chunks.ts";
import { routeFiles } from "./vite.route-files.ts";

export default defineConfig({
  plugins: [tailwindcss(), reactRouter(), routeFiles()],
  build: { assetsInlineLimit: 0 },
  optimizeDeps: {
    // What routes import lazily: found late, it would reload the page that is being looked at.
    include: [
      "@base-ui/react/toast",
      "@supabase/supabase-js",
      "embla-carousel",
      "lucide",
      "zod/mini",
    ],
  },
  environments: {
    client: { build: { rolldownOptions: { output: { codeSplitting } } } },
    // The server bundle starts at server/site.ts, which Node loads; see server/main.ts.
    ssr: {
      // From outside, Node would read all of its 1,700 drawings at the start.
      resolve: { noExternal: ["lucide"] },
      build: { rolldownOptions: { input: "./server/site.ts" } },
    },
  },
});
