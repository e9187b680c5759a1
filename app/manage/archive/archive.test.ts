import { expect, test } from "vitest";
import { archiveUrl, searchOf } from "./archive.ts";

test("a link keeps the microseconds of a moment, and all else that the page shows", () => {
  const at = "2027-01-01T10:00:00.123456+00:00";
  const wanted = { at, copy: 7, path: "/blog?a=b", q: "all", differences: "1" };
  expect(searchOf(new URL(archiveUrl(wanted), "https://site.example").search)).toMatchObject(
    wanted,
  );
  const nothing = { at: "", copy: 0, path: "" };
  for (const value of ["yesterday", "2027-13-45T00:00:00Z", "2027-01-01", "-1", "1e99"]) {
    expect(searchOf(`?at=${value}&copy=${value}&path=/blog`)).toMatchObject(nothing);
  }
});
