import { expect, test, vi } from "vitest";
import { newId } from "./new-id.ts";

test("ids are UUIDs of version 4 and differ", () => {
  const ids = Array.from({ length: 1000 }, newId);
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(ids).size).toBe(1000);
});

test("every random digit takes every value", () => {
  const ids = Array.from({ length: 2000 }, () => newId().replaceAll("-", ""));
  const valuesAt = (place: number) => new Set(ids.map((id) => id[place])).size;
  const sizes = Array.from({ length: 32 }, (_, place) => valuesAt(place));
  expect(sizes).toEqual(sizes.map((_, place) => (place === 12 ? 1 : place === 16 ? 4 : 16)));
});

test("an id needs no secure context", () => {
  vi.stubGlobal("crypto", { getRandomValues: crypto.getRandomValues.bind(crypto) });
  expect(newId()).toHaveLength(36);
});
