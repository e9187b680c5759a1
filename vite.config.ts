import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import { codeSplitting, listChunkModules } from "./vite.chunks.ts";
import { zodWithoutEval } from "./vite.zod-without-eval.ts";

export default defineConfig({
  plugins: [tailwindcss(), reactRouter(), zodWithoutEval(), listChunkModules()],
  build: { assetsInlineLimit: 0 },
  // Otherwise an editor that empties a file before writing it causes a reload.
  server: { watch: { awaitWriteFinish: { stabilityThreshold: 50, pollInterval: 10 } } },
  optimizeDeps: {
    // Libraries that routes import lazily: if Vite discovers them late, it reloads the open page.
    include: [
      "@base-ui/react/toast",
      "@supabase/functions-js",
      "@supabase/postgrest-js",
      "@supabase/realtime-js",
      "@supabase/supabase-js",
      "embla-carousel",
      "lucide",
      "react-easy-crop",
      "zod",
      "zod/mini",
    ],
  },
  environments: {
    client: { build: { rolldownOptions: { output: { codeSplitting } } } },
    // server/main.ts imports the server bundle.
    ssr: {
      // As an external module, all of its 1,700 icons would be loaded at the start.
      resolve: { noExternal: ["lucide"] },
      build: { rolldownOptions: { input: "./server/site.ts" } },
    },
  },
});
