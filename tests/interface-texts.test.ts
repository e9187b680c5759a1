import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAst } from "vite";
import { expect, test } from "vitest";
import { strangeTextsAt } from "./crawl.ts";
import { pieces } from "./interface-texts.ts";

const root = join(import.meta.dirname, "..");
const read = (file: string) => readFileSync(join(root, file), "utf8");

const folders = ["{app,supabase/functions/{_shared,send-email}}/**/*.{ts,tsx}"];
/** What only the owner sees, and the settings, among them the texts of the fictional firm. */
const others =
  /\.test\.|^app\/(manage\/|config\/(checks\/|services\/|(site(-schema)?|service-icons|read-settings|server-settings)\.ts))|sample-testimonials|sender-domain/;

const sources = globSync(folders, { cwd: root }).filter((file) => !others.test(file));
const mails = globSync("supabase/templates/*.html", { cwd: root });
const all = [
  ...sources.flatMap((file) => textsIn(parseAst(read(file), { lang: "tsx" }))),
  ...mails.flatMap((file) => read(file).split(/<[^>]*>|\{\{.*?\}\}/)),
];
const texts = [...new Set(all.flatMap(pieces))].sort();

// Visitors of every adviser read them: a new one must be true for all of them, or become a setting. After reading it:
// npx vitest run --project unit tests/interface-texts.test.ts -u
test("the site says to visitors what is listed, and nothing else", async () => {
  expect(sources.length).toBeGreaterThan(100);
  await expect(`${texts.join("\n")}\n`).toMatchFileSnapshot("interface-texts.txt");
});

test("nothing that the site itself says promises or praises", () => {
  const claims =
    /\b(free|guarantee\w*|best|expert\w*|success|trusted|award\w*|proven|personally|financial)\b/i;
  expect(texts.filter((text) => claims.test(text))).toEqual([]);
});

test("a page that says something else is found", () => {
  const text = '<p aria-label="Our cheap offer">Rat</p><h2>Menu</h2><h3>Rat ist teuer</h3>';
  const page = { status: 200, type: "text/html", text };
  expect(strangeTextsAt(new Map([["/", page]]), { headline: "Rat" })).toEqual([
    "/: ist teuer",
    "/: Our cheap offer",
  ]);
});

interface Node {
  type?: string;
  [part: string]: unknown;
}

/** The texts of a syntax tree that people read, without class names, types, and messages for developers. */
function textsIn(tree: unknown): string[] {
  if (Array.isArray(tree)) return tree.flatMap(textsIn);
  if (typeof tree !== "object" || tree === null) return [];
  // A part of the tree that has no type has no text either.
  const node = tree as Node;
  if (isForDevelopers(node)) return [];
  if (node.type === "JSXText") return [String(node.value)];
  if (node.type === "TemplateElement") {
    const { cooked } = Object(node.value);
    return areWords(cooked) ? [cooked] : [];
  }
  if (typeof node.value === "string") return isSentence(node.value) ? [node.value] : [];
  return Object.values(node).flatMap(textsIn);
}

function isForDevelopers({ type = "", ...parts }: Node): boolean {
  if (type.startsWith("TS") && type.endsWith("Type")) return true;
  if (/^(Import|Export)/.test(type) && parts.source) return true;
  const name = Object(parts.name ?? parts.callee);
  if (type === "JSXAttribute") return /^(className|d|sizes)$/.test(name.name);
  const called = String(name.name ?? name.object?.name);
  return /^(Call|New)Expression$/.test(type) && /^(console|\w*Error)$/.test(called);
}

/** Whether a literal starts like a sentence, or has several words. */
function isSentence(text: string): boolean {
  if (/^[\s“(]*\p{Lu}/u.test(text))
    return /\p{Ll}/u.test(text) && !/^\S+(-|[a-z][A-Z])\S+$/.test(text);
  return /\S\s+\S/.test(text) && areWords(text);
}

/** Whether none of them looks like a class name or code. */
function areWords(text: string): boolean {
  return !text.split(/\s+/).some((word) => /\w[-:]\w|[[\]_={}/<>;]/.test(word));
}
