import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  build: { assetsInlineLimit: 0 },
  environments: {
    // The server bundle starts at server/site.ts, which Node loads; see server/main.ts.
    ssr: { build: { rolldownOptions: { input: "./server/site.ts" } } },
  },
});
