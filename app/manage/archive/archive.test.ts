import { expect, test } from "vitest";
import { archiveUrl, groupCopies, searchOf } from "./archive.ts";

test("a link keeps all that the page shows, and a moment that does not exist is left out", () => {
  const wanted = { at: "2027-01-01T10:00:00.123+00:00", path: "/blog?a=b", q: "all" };
  const { search } = new URL(archiveUrl({ ...wanted, differences: "1" }), "https://site.example");
  expect(searchOf(search)).toEqual({ ...wanted, differences: "1", page: 1 });
  for (const at of ["yesterday", "2027-13-45T00:00:00Z", "2027-01-01"]) {
    expect(searchOf(`?at=${at}&path=/blog`)).toMatchObject({ at: "", path: "" });
  }
});

test("354 copies of nine minutes that follow from one change are one group", () => {
  const copies = Array.from({ length: 354 }, (_, index) => ({
    since: new Date(Date.UTC(2027, 0, 1, 10) - index * 1525).toISOString(),
  }));
  const earlier = { since: "2027-01-01T09:49:00Z" };
  expect(groupCopies([...copies, earlier])).toEqual([copies, [earlier]]);
  expect(groupCopies([])).toEqual([]);
});
