import { expect, test } from "vitest";
import { parseFilter } from "./subscriptions.ts";

const columns = [
  { name: "id", type: "uuid" },
  { name: "rating", type: "int2" },
  { name: "title", type: "text" },
  { name: "shown", type: "bool" },
  { name: "content", type: "jsonb" },
];

test.each([
  ["rating=eq.5", { rating: 5 }, { rating: 4 }],
  ["rating=neq.5", { rating: 4 }, { rating: 5 }],
  ["rating=lt.10", { rating: 9 }, { rating: 10 }],
  ["rating=lte.10", { rating: 10 }, { rating: 11 }],
  ["rating=gt.-1", { rating: 0 }, { rating: -1 }],
  ["rating=gte.3", { rating: 3 }, { rating: 2 }],
  ["rating=in.(1,2)", { rating: 2 }, { rating: 3 }],
  ["title=eq.a=b.c", { title: "a=b.c" }, { title: "a" }],
  ["shown=eq.true", { shown: true }, { shown: false }],
  ["id=eq.ABCDEF", { id: "abcdef" }, { id: "abc" }],
  ["title=neq.a", { title: "b" }, { title: null }],
])("%s selects rows", (text, matching, other) => {
  const filter = parseFilter(text, columns);
  if (typeof filter === "string") throw new Error(filter);
  expect(filter(matching)).toBe(true);
  expect(filter(other)).toBe(false);
});

test.each([
  ["rating", "not of the form"],
  ["unknown=eq.1", "does not exist"],
  ["content=eq.1", "jsonb are not supported"],
  ["title=like.a", 'operator "like"'],
  ["title=not.eq.a", 'operator "not"'],
  ["title=constructor.a", 'operator "constructor"'],
  ["rating=eq.five", "not a value of type int2"],
  ["rating=eq.1,rating=eq.2", "not supported"],
  ['title=eq."a"', "not supported"],
  ["rating=in.1", "not supported"],
])("%s is rejected with a reason", (text, reason) => {
  expect(parseFilter(text, columns)).toContain(reason);
});
