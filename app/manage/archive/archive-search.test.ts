import { expect, test } from "vitest";
import { archiveUrl, searchOf } from "./archive-search.ts";

test("a link keeps the microseconds of an entry, its item and the page of a list", () => {
  const wanted = { at: "2027-01-01T10:00:00.123456+00:00", kind: "post", item: "p", page: 3 };
  const { search } = new URL(archiveUrl(wanted), "https://site.example");
  expect(searchOf(search)).toMatchObject(wanted);
});

test.each(["?at=yesterday", "?at=2027-13-45T00:00:00Z", "?at=2027-01-01", "?path=//evil.example"])(
  "%s asks for nothing",
  (search) => {
    expect(searchOf(search)).toMatchObject({ at: "", path: "", query: "", page: 1 });
  },
);
