// Checks JSON-LD against schema.org's published vocabulary.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const schema = "http://schema.org/";
const relations = {
  subClassOf: "http://www.w3.org/2000/01/rdf-schema#subClassOf",
  domain: `${schema}domainIncludes`,
  range: `${schema}rangeIncludes`,
  supersededBy: `${schema}supersededBy`,
  type: "http://www.w3.org/1999/02/22-rdf-syntax-ns#type",
} as const;

type Relation = keyof typeof relations;
type Node = Record<string, unknown>;

const facts = readFacts();

/** Maps names to names, such as `subClassOf`: Person to Thing. */
function readFacts(): Record<Relation, Map<string, string[]>> {
  const require = createRequire(import.meta.url);
  const file = require.resolve("@vocabulary/schema/schema.nq");
  const names = new Map<string, Relation>(
    Object.entries(relations).map(([name, url]) => [url, name as Relation]),
  );
  const found = Object.fromEntries(
    Object.keys(relations).map((name) => [name, new Map<string, string[]>()]),
  ) as Record<Relation, Map<string, string[]>>;
  for (const line of readFileSync(file, "utf8").split("\n")) {
    const [, subject = "", relation = "", object = ""] =
      line.match(/^<([^>]+)> <([^>]+)> <([^>]+)>/) ?? [];
    const name = names.get(relation);
    if (!name || !subject.startsWith(schema)) continue;
    const key = subject.slice(schema.length);
    const values = found[name].get(key) ?? [];
    values.push(object.startsWith(schema) ? object.slice(schema.length) : object);
    found[name].set(key, values);
  }
  return found;
}

/** A type and all of its supertypes. */
function withSupertypes(type: string): Set<string> {
  const all = new Set([type]);
  // A set's iteration includes elements added during it.
  for (const each of all) for (const parent of facts.subClassOf.get(each) ?? []) all.add(parent);
  return all;
}

const isClass = (name: string) => facts.subClassOf.has(name) || name === "Thing";
const isDataType = (name: string) =>
  [...withSupertypes(name)].some((type) => facts.type.get(type)?.includes("DataType"));

/** Lists unknown types and properties and misplaced values of a JSON-LD document. */
export function findProblems(document: Node): string[] {
  const graph = document["@graph"];
  if (document["@context"] !== "https://schema.org") return ["No schema.org context"];
  if (!Array.isArray(graph)) return ["No graph"];
  const ids = new Set(graph.map((node: Node) => node["@id"]));
  return graph.flatMap((node: Node) => problemsOf(node, ids));
}

function problemsOf(node: Node, ids: Set<unknown>): string[] {
  const type = String(node["@type"]);
  if (!isClass(type)) return [`${type} is no type`];
  const types = withSupertypes(type);
  return Object.entries(node)
    .filter(([property]) => !property.startsWith("@"))
    .flatMap(([property, value]) => {
      const name = `${type}.${property}`;
      const domain = facts.domain.get(property);
      if (!domain) return [`${name}: there is no such property`];
      if (facts.supersededBy.has(property)) return [`${name} is superseded`];
      if (!domain.some((owner) => types.has(owner)))
        return [`${name}: not a property of this type`];
      const range = facts.range.get(property) ?? [];
      return [value].flat().flatMap((each) => problemsOfValue(name, each, range, ids));
    });
}

function problemsOfValue(name: string, value: unknown, range: string[], ids: Set<unknown>) {
  if (typeof value === "object" && value !== null) {
    const node = value as Node;
    if (!("@type" in node)) {
      return ids.has(node["@id"]) ? [] : [`${name} names ${node["@id"]}, which is not here`];
    }
    const types = withSupertypes(String(node["@type"]));
    const fits = range.some((wanted) => types.has(wanted));
    return [
      ...(fits ? [] : [`${name}: a ${node["@type"]} does not belong here`]),
      ...problemsOf(node, ids),
    ];
  }
  const text = String(value);
  if (text === "" || value === null || value === undefined) return [`${name} is empty`];
  if (!range.some(isDataType) && !URL.canParse(text)) return [`${name}: "${text}" is no address`];
  if (range.every((wanted) => ["Date", "DateTime", "Time"].includes(wanted))) {
    return /^\d{4}-\d\d-\d\d/.test(text) ? [] : [`${name}: "${text}" is no date`];
  }
  return [];
}
