import { expect, test } from "vitest";
import { defaultSite } from "../../../tests/default-site.ts";
import { previewPages } from "./preview.tsx";

test("the services are previewed on a service's page, or in the list when none is published", () => {
  const pathsOf = (site: typeof defaultSite) =>
    previewPages("services", site).map(({ path }) => path);
  expect(pathsOf(defaultSite)).toEqual(["/services/life-insurance", "/services", "/"]);
  expect(pathsOf({ ...defaultSite, services: [] })).toEqual(["/services", "/"]);
});
