import { expect, test } from "vitest";
import { archiveUrl, searchOf } from "./archive-search.ts";

test("a link keeps the microseconds of a moment, and all else that the page shows", () => {
  const at = "2027-01-01T10:00:00.123456+00:00";
  const wanted = { at, copy: 7, path: "/blog?a=b", query: "term", page: 3, compares: true };
  expect(searchOf(new URL(archiveUrl(wanted), "https://site.example").search)).toEqual(wanted);
});

test.each([
  "?at=yesterday",
  "?at=2027-13-45T00:00:00Z",
  "?at=2027-01-01",
  "?copy=-1",
  "?copy=1e99",
  "?path=/blog",
])("%s asks for nothing", (search) => {
  expect(searchOf(search)).toMatchObject({ at: "", copy: 0, path: "", query: "", page: 1 });
});
