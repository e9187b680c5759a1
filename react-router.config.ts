import type { Config } from "@react-router/dev/config";

export default {
  // scripts/prepare.mjs builds beside the build in use, and then replaces it.
  buildDirectory: process.env.BUILD_DIRECTORY ?? "build",
  ssr: true,
  // The whole map is a few routes: sent with the page, it saves a request per navigation.
  routeDiscovery: { mode: "initial" },
} satisfies Config;
