// Translators of browsers replace each text node by an element. React then still has the text node: it cannot remove it, put
// something before it, or change what is shown. It can where the text is the only child of an element.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path/posix";
import { parseSync } from "vite";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");

interface Node {
  type: string;
  start: number;
  [key: string]: unknown;
}

/** What an expression may render. */
interface Kind {
  /** Whether it may be a text that is not always the same or not always there. */
  text?: boolean;
  /** A text that is always there and never changes. */
  fixedText?: boolean;
  /** Whether it may be nothing, a text, or several elements: what follows it is moved. */
  varies?: boolean;
}

const element: Kind = {};
const nothing: Kind = { varies: true };
const fixedText: Kind = { fixedText: true };
const unknown: Kind = { text: true, varies: true };

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value;

function partsOf(node: Node): Node[] {
  return Object.values(node)
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .filter(isNode);
}

function visit(node: Node, each: (node: Node) => void): void {
  each(node);
  for (const part of partsOf(node)) visit(part, each);
}

/** The expressions that a function returns. */
function resultsOf(node: Node): Node[] {
  const body = node.body as Node;
  if (body.type !== "BlockStatement") return [body];
  const found: Node[] = [];
  const search = (each: Node) => {
    if (each.type === "ReturnStatement" && isNode(each.argument)) found.push(each.argument);
    if (!/Function/.test(each.type)) partsOf(each).forEach(search);
  };
  partsOf(body).forEach(search);
  return found;
}

function merge(kinds: Kind[]): Kind {
  const fixed = kinds.some((kind) => kind.fixedText);
  return {
    // One of several texts, or one that is not always there.
    text: kinds.some((kind) => kind.text) || (fixed && kinds.length > 1),
    fixedText: fixed && kinds.length === 1,
    varies: kinds.some((kind) => kind.varies) || fixed,
  };
}

function nameOf(node: Node): string {
  const opening = node.openingElement as Node;
  const name = opening.name as Node;
  if (name.type === "JSXMemberExpression") return nameOfMember(name);
  return String(name.name);
}

function nameOfMember(name: Node): string {
  return `${String((name.object as Node).name)}.${String((name.property as Node).name)}`;
}

/** The components that may render nothing. */
const mayBeNothing = new Set(["Suspense", "Loaded", "Await", "Outlet", "Navigate"]);
/** The components that do not give their children an element of their own. They get elements only. */
const withoutOwnElement = new Set(["Suspense", "Loaded", "Await"]);

/** Props, also functions, that are elements where a component shows them among others. */
const slots = new Set([
  ...["actions", "button", "content", "controls", "details", "empty", "failure", "icon"],
  ...["image", "mark", "menu", "note", "notes", "sliders", "status"],
]);

/** The name of an identifier, of a member, or of what is called. */
function lastName(node: Node): string {
  if (node.type === "ChainExpression") return lastName(node.expression as Node);
  if (node.type === "CallExpression") return lastName(node.callee as Node);
  return String(node.type === "MemberExpression" ? (node.property as Node).name : node.name);
}

/** Whether an expression is what a component got as its children. */
function isChildren(node: Node): boolean {
  return lastName(node) === "children";
}

/** The slots that each component shows among other children. */
const slotsOf = new Map<string, Set<string>>();

let constants = new Map<string, Node>();

function kindOf(node: Node): Kind {
  if (isChildren(node) || slots.has(lastName(node))) return nothing;
  switch (node.type) {
    case "JSXElement": {
      return mayBeNothing.has(nameOf(node)) ? nothing : element;
    }
    case "JSXFragment":
      return merge([nothing, ...childrenOf(node).map(({ kind }) => kind)]);
    case "Literal":
      return typeof node.value === "string" || typeof node.value === "number" ? fixedText : nothing;
    case "TemplateLiteral":
      return (node.expressions as Node[]).length === 0 ? fixedText : { text: true };
    case "ParenthesizedExpression":
    case "TSAsExpression":
    case "ChainExpression":
      return kindOf(node.expression as Node);
    case "LogicalExpression":
      return node.operator === "&&"
        ? merge([nothing, kindOf(node.right as Node)])
        : merge([kindOf(node.left as Node), kindOf(node.right as Node)]);
    case "ConditionalExpression":
      return merge([kindOf(node.consequent as Node), kindOf(node.alternate as Node)]);
    case "ArrowFunctionExpression":
    case "FunctionExpression":
      return merge(resultsOf(node).map(kindOf));
    case "CallExpression": {
      const callee = node.callee as Node;
      if (callee.name === "createPortal") return nothing;
      const [first] = node.arguments as Node[];
      const isMap = callee.type === "MemberExpression" && (callee.property as Node).name === "map";
      return isMap && first ? merge([nothing, kindOf(first)]) : unknown;
    }
    case "Identifier": {
      const value = constants.get(String(node.name));
      return value ? kindOf(value) : node.name === "undefined" ? nothing : unknown;
    }
    default:
      return unknown;
  }
}

interface Child {
  node: Node;
  kind: Kind;
}

function childrenOf(node: Node): Child[] {
  return (node.children as Node[]).flatMap((child): Child[] => {
    if (child.type === "JSXText") {
      const value = String(child.value);
      if (/^\s*$/.test(value) && value.includes("\n")) return [];
      return [{ node: child, kind: fixedText }];
    }
    if (child.type === "JSXExpressionContainer") {
      const expression = child.expression as Node;
      if (expression.type === "JSXEmptyExpression") return [];
      return [{ node: expression, kind: kindOf(expression) }];
    }
    return [{ node: child, kind: kindOf(child) }];
  });
}

/** Texts that are passed to a prop for elements. */
function textsInSlots(node: Node): Node[] {
  const { attributes } = node.openingElement as { attributes: Node[] };
  return attributes.filter(({ name, value }) => {
    if (!isNode(name) || !slotsOf.get(nameOf(node))?.has(String(name.name))) return false;
    if (!isNode(value)) return false;
    const expression = value.type === "JSXExpressionContainer" ? (value.expression as Node) : value;
    const kind = kindOf(expression);
    return kind.text || kind.fixedText;
  });
}

/** What is wrong with the children of an element, fragment or component. */
function problemsIn(node: Node): Node[] {
  const children = childrenOf(node);
  const found = new Set<Node>();
  const isFragment = isShared(node);
  let moves = false;
  for (const { node: child, kind } of children) {
    if (kind.text && (children.length > 1 || isFragment)) found.add(child);
    if (kind.fixedText && (moves || isFragment)) found.add(child);
    if (kind.varies) moves = true;
    else if (!kind.fixedText) moves = false;
  }
  return [...found];
}

/** The file's constants that are elements, by name; without those that have several values. */
function constantsOf(program: Node): Map<string, Node> {
  const found: [string, Node][] = [];
  visit(program, ({ type, id, init }) => {
    if (type === "VariableDeclarator" && isNode(id) && isNode(init)) {
      found.push([
        String(id.name),
        init.type === "ParenthesizedExpression" ? (init.expression as Node) : init,
      ]);
    }
  });
  const byName = Map.groupBy(found, ([name]) => name);
  return new Map(
    found.filter(
      ([name, { type }]) =>
        byName.get(name)?.length === 1 && /^JSX|^Logical|^Conditional/.test(type),
    ),
  );
}

/** The functions of a file that are components. */
function componentsOf(program: Node): { name: string; node: Node; results: Node[] }[] {
  const found: { name: string; node: Node; results: Node[] }[] = [];
  visit(program, (node) => {
    const name = isNode(node.id) ? String(node.id.name) : "";
    if (!/Function/.test(node.type) || !/^[A-Z]/.test(name)) return;
    found.push({ name, node, results: resultsOf(node) });
  });
  return found;
}

function isTag(node: Node): boolean {
  return node.type === "JSXElement" || node.type === "JSXFragment";
}

/** Whether the children of an element, fragment or component are among others, or in no element of their own. */
function isShared(node: Node): boolean {
  return node.type === "JSXFragment" || withoutOwnElement.has(nameOf(node));
}

function addSlots(component: string, shown: Node[]): void {
  const found = slotsOf.get(component) ?? new Set();
  slotsOf.set(component, found);
  for (const node of shown) if (slots.has(lastName(node))) found.add(lastName(node));
}

test("text that changes or disappears is alone in an element", () => {
  const files = globSync("app/**/*.tsx", { cwd: root })
    .filter((file) => !/\.test\./.test(file))
    .map((file) => {
      const text = readFileSync(join(root, file), "utf8");
      const program = parseSync(file, text).program as unknown as Node;
      return { file, text, program, components: componentsOf(program) };
    });
  for (const { program, components } of files) {
    constants = constantsOf(program);
    for (const { name, results } of components) {
      if (results.some((result) => kindOf(result).varies)) mayBeNothing.add(name);
    }
  }
  // Repeated, because components pass their children on.
  for (let former = 0; former < withoutOwnElement.size; ) {
    former = withoutOwnElement.size;
    for (const { name, node, results } of files.flatMap(({ components }) => components)) {
      visit(node, (each) => {
        if (!isTag(each)) return;
        const children = childrenOf(each);
        if (isShared(each) || children.length > 1)
          addSlots(
            name,
            children.map((child) => child.node),
          );
        if (!children.some(({ node: child }) => isChildren(child))) return;
        if (isShared(each) || children.length > 1) withoutOwnElement.add(name);
      });
      if (results.some(isChildren)) withoutOwnElement.add(name);
      addSlots(name, results);
    }
  }
  const problems = files.flatMap(({ file, text, program, components }) => {
    constants = constantsOf(program);
    const found = components.flatMap(({ results }) =>
      results.filter((result) => kindOf(result).text),
    );
    visit(program, (node) => {
      if (isTag(node)) found.push(...problemsIn(node));
      if (node.type === "JSXElement") found.push(...textsInSlots(node));
    });
    return found.map(({ start, end }) => {
      const line = text.slice(0, start).split("\n").length;
      return `${file}:${line} ${text.slice(start, Number(end)).replace(/\s+/g, " ").slice(0, 60)}`;
    });
  });
  expect(files.length).toBeGreaterThan(100);
  expect(problems).toEqual([]);
});
