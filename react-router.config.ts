import type { Config } from "@react-router/dev/config";

export default {
  // scripts/prepare.mjs builds in another folder and then replaces the current build.
  buildDirectory: process.env.BUILD_DIRECTORY ?? "build",
  ssr: true,
  // A page is in one file with all others (vite.chunks.ts).
  splitRouteModules: false,
  // The manifest has few routes: sending it with the page saves a request per navigation.
  routeDiscovery: { mode: "initial" },
} satisfies Config;
