import { readFileSync } from "node:fs";
import { backendPaths } from "embedded-supabase/start.ts";
import { expect, test } from "vitest";
import routes from "../routes.ts";
import { reservedAddresses } from "./reserved-addresses.ts";

test("the addresses of the site itself are reserved", () => {
  const paths = routes.flatMap((route) => [route, ...(route.children ?? [])]);
  const served = readFileSync("server/http.ts", "utf8").matchAll(/app\.\w+\("(\/[a-z]+)/g);
  const first = [...paths.map(({ path = "" }) => `/${path}`), ...backendPaths]
    .concat([...served].map(([, path = ""]) => path))
    .map((path) => path.split("/")[1] ?? "")
    // No slug has a dot.
    .filter((segment) => /^[a-z0-9][a-z0-9_-]*$/.test(segment));
  expect([...new Set([...first, "home"])].sort()).toEqual(reservedAddresses.toSorted());
});
