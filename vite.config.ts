import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import { codeSplitting } from "./vite.chunks.ts";
import { routeFiles } from "./vite.route-files.ts";

export default defineConfig({
  plugins: [tailwindcss(), reactRouter(), routeFiles()],
  build: { assetsInlineLimit: 0 },
  optimizeDeps: {
    // Packages that routes import lazily: discovered late, they would reload the open page.
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
      // As an external package, Node would read all of its 1,700 icons at the start.
      resolve: { noExternal: ["lucide"] },
      build: { rolldownOptions: { input: "./server/site.ts" } },
    },
  },
});
