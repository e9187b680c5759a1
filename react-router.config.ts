import type { Config } from "@react-router/dev/config";

export default {
  // scripts/prepare.mjs builds into a new folder and switches to it afterwards.
  buildDirectory: process.env.BUILD_DIRECTORY ?? "build",
  ssr: true,
  // Sends all routes with the page: there are few, and it saves a request per navigation.
  routeDiscovery: { mode: "initial" },
} satisfies Config;
