import type { Config } from "@react-router/dev/config";

export default {
  ssr: true,
  // The whole map is a few routes: sent with the page, it saves a request per navigation.
  routeDiscovery: { mode: "initial" },
} satisfies Config;
