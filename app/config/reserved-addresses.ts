import { menuSegments } from "./site-pages.ts";

/**
 * The first segments of the site's own addresses, which a page of the owner's own may not have: the routes, what the server
 * answers itself, and `home`, the name of the home page's share image. `npm run types` writes the list into the CHECK pages_slug_free.
 */
export const reservedAddresses: readonly string[] = [
  ...menuSegments,
  ...["assets", "auth", "confirm", "files", "forgot-password", "functions", "healthz", "home"],
  ...[
    "images",
    "login",
    "manage",
    "messages",
    "realtime",
    "rest",
    "share",
    "site-version",
    "storage",
  ],
];
