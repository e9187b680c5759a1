import fc from "fast-check";
import { expect, test } from "vitest";
import { mergeDocuments } from "./merge-documents.ts";

const firm = { name: "Ash", tagline: "Old", logo: image("a"), home: { title: "A", text: "B" } };

function image(name: string) {
  return { src: `/images/${name}.png`, alt: "", width: 1, height: 1 };
}

test("a field that one side changed has the value of that side, also inside a group", () => {
  const here = { ...firm, tagline: "Here", home: { title: "Here", text: "B" } };
  const there = { ...firm, name: "There", home: { title: "A", text: "There" } };
  expect(mergeDocuments(firm, here, there)).toEqual({
    document: { ...firm, tagline: "Here", name: "There", home: { title: "Here", text: "There" } },
    base: there,
    conflicts: [],
  });
});

test("a field that both sides changed is a conflict, until one of them is chosen", () => {
  const here = { ...firm, name: "Here", logo: image("here") };
  const there = { ...firm, name: "There", logo: image("there"), tagline: "There" };
  const { document, base, conflicts } = mergeDocuments(firm, here, there);
  expect(document).toEqual({ ...here, tagline: "There" });
  expect(conflicts).toEqual([
    { path: "name", here: "Here", there: "There" },
    { path: "logo", here: image("here"), there: image("there") },
  ]);
  const next = mergeDocuments(base, document, there, (path) =>
    path === "name" ? "there" : "here",
  );
  expect(next).toEqual({
    document: { ...there, logo: image("here") },
    base: there,
    conflicts: [],
  });
});

test("the parts of an image are never mixed", () => {
  const here = { logo: { ...image("a"), alt: "Described here" } };
  const there = { logo: { ...image("b") } };
  expect(mergeDocuments({ logo: image("a") }, here, there).conflicts).toHaveLength(1);
});

test("blanks around a text are no change, and the text keeps them while it is typed", () => {
  const merged = mergeDocuments({ name: "Ash" }, { name: "Ash " }, { name: "Ash" });
  expect(merged).toEqual({ document: { name: "Ash " }, base: { name: "Ash" }, conflicts: [] });
});

const row = (slug: string, title = slug) => ({ slug, title });
const rows = (slugs: string) => ({ items: [...slugs].map((slug) => row(slug)) });
const merged = (base: string, here: string, there: string) =>
  mergeDocuments(rows(base), rows(here), rows(there));

test.each([
  ["abc", "abcd", "eabc", "eabcd"],
  ["abc", "ac", "abcd", "acd"],
  ["abc", "cba", "axbc", "cbax"],
  ["abc", "abxc", "cab", "cabx"],
  ["abc", "abc", "", ""],
])("rows with slugs: %s became %s here and %s there, together %s", (base, here, there, result) => {
  expect(merged(base, here, there)).toMatchObject({ document: rows(result), conflicts: [] });
});

test("two fields of one row are merged, and one field of it is a conflict", () => {
  const base = { items: [{ ...row("a"), lead: "" }, row("b")] };
  const here = { items: [{ ...row("a", "Here"), lead: "" }, row("b", "Here")] };
  const there = { items: [row("b", "There"), { ...row("a"), lead: "There" }] };
  expect(mergeDocuments(base, here, there)).toEqual({
    document: { items: [row("b", "Here"), { ...row("a", "Here"), lead: "There" }] },
    base: { items: [row("b"), { ...row("a"), lead: "There" }] },
    conflicts: [{ path: "items[b].title", here: "Here", there: "There" }],
  });
});

test("a row that one side removed and the other changed is a conflict", () => {
  const there = { items: [row("a", "There")] };
  const { document, base, conflicts } = mergeDocuments(rows("a"), rows(""), there);
  expect(conflicts).toEqual([{ path: "items[a]", here: undefined, there: row("a", "There") }]);
  expect(mergeDocuments(base, document, there, () => "there").document).toEqual(there);
  expect(mergeDocuments(base, document, there, () => "here")).toEqual({
    document: rows(""),
    base: there,
    conflicts: [],
  });
});

test("two different orders, and lists whose rows cannot be told apart, are one value", () => {
  expect(merged("abc", "acb", "bac").conflicts).toMatchObject([{ path: "items" }]);
  const lists = [["A"], ["A", "Here"], ["There", "A"]].map((authors) => ({ authors }));
  const [base, here, there] = lists;
  if (!base || !here || !there) throw new Error("Three versions");
  expect(mergeDocuments(base, here, there).conflicts).toMatchObject([{ path: "authors" }]);
  const twice = { items: [row("a"), row("a", "Here")] };
  expect(mergeDocuments(rows("a"), twice, rows("ab")).conflicts).toMatchObject([{ path: "items" }]);
});

test("without a known base, every difference is a conflict", () => {
  expect(mergeDocuments(undefined, { a: "1", b: "2" }, { a: "1", b: "3" }).conflicts).toEqual([
    { path: "b", here: "2", there: "3" },
  ]);
});

const text = fc.constantFrom("", "a", "b", "c");
const documents = fc.record({
  name: text,
  group: fc.record({ title: text, isOn: fc.boolean() }),
  logo: fc.option(fc.record({ src: text, alt: text })),
  authors: fc.array(text, { maxLength: 3 }),
  items: fc.uniqueArray(fc.record({ slug: fc.constantFrom("x", "y", "z"), title: text }), {
    selector: ({ slug }) => slug,
  }),
});

test("any merge keeps each value that one side changed, and settles when the owner chooses", () => {
  fc.assert(
    fc.property(documents, documents, documents, (base, here, there) => {
      const { document, base: next, conflicts } = mergeDocuments(base, here, there);
      const paths = conflicts.map(({ path }) => path).sort();
      for (const name of ["name", "group", "logo", "authors", "items"] as const) {
        const isSame = (a: typeof base, b: typeof base) =>
          JSON.stringify(a[name]) === JSON.stringify(b[name]);
        if (isSame(base, here)) expect(document[name]).toEqual(there[name]);
        if (isSame(base, there)) expect(document[name]).toEqual(here[name]);
      }
      // The other window finds the same conflicts.
      const mirrored = mergeDocuments(base, there, here).conflicts;
      expect(mirrored.map(({ path }) => path).sort()).toEqual(paths);
      // They stay until they are chosen.
      const again = mergeDocuments(next, document, there);
      expect(again.document).toEqual(document);
      expect(again.conflicts.map(({ path }) => path).sort()).toEqual(paths);
      for (const side of ["here", "there"] as const) {
        const chosen = mergeDocuments(next, document, there, () => side);
        expect(chosen.conflicts).toEqual([]);
        expect(chosen.base).toEqual(there);
        // A stored result has no conflict with what it was merged with.
        expect(mergeDocuments(there, chosen.document, there).document).toEqual(chosen.document);
      }
    }),
    { numRuns: 2000 },
  );
});
