import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, minify, type Plugin } from "vite";
import { codeSplitting, listChunkModules } from "./vite.chunks.ts";
import { zodWithoutEval } from "./vite.zod-without-eval.ts";

export default defineConfig({
  plugins: [
    tailwindcss(),
    reactRouter(),
    zodWithoutEval(),
    listChunkModules(),
    minifyStartScripts(),
  ],
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
      "@tanstack/react-query",
      "@zxcvbn-ts/core",
      "@zxcvbn-ts/language-common",
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

/** The server writes the source of this function into every page (app/layout/defer-scripts.ts). */
function minifyStartScripts(): Plugin {
  return {
    name: "minify-start-scripts",
    apply: "build",
    enforce: "post",
    transform: {
      filter: { id: /\/app\/layout\/start-scripts\.ts$/ },
      async handler(code, id) {
        const { code: minified } = await minify(id, code, { module: true });
        const [, source] = /^export (function startScripts\(.*\});?\s*$/s.exec(minified) ?? [];
        if (!source) throw new Error(`Expected only the function startScripts in ${id}`);
        return `export const startScripts = ${JSON.stringify(source)};`;
      },
    },
  };
}
