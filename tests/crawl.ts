// Reads everything that a site publishes, finds what is left of the fictional firm in it, and what nobody has approved.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { completeSettings, defaultSettings } from "../app/config/site.ts";
import { sectionSchemas } from "../app/config/site-schema.ts";
import { sampleTestimonials } from "../app/testimonials/sample-testimonials.ts";
import { decode, pieces } from "./interface-texts.ts";

export interface Found {
  status: number;
  type: string;
  text: string;
}

/** Every address of the site that its pages and files link to, with its response. */
export async function crawl(siteUrl: string): Promise<Map<string, Found>> {
  const found = new Map<string, Found>();
  const waiting = new Set(["/", "/login", "/forgot-password", "/confirm", "/nothing-here"]);
  for (const file of ["/rss.xml", "/atom.xml", "/sitemap.xml", "/robots.txt", "/favicon.svg"]) {
    waiting.add(file);
  }
  // A set also iterates over what is added meanwhile.
  for (const path of waiting) {
    const response = await fetch(siteUrl + path);
    const type = response.headers.get("content-type") ?? "";
    const text = await response.text();
    found.set(path, { status: response.status, type, text });
    if (!/html|xml|svg/.test(type)) continue;
    for (const [, address = ""] of text.matchAll(/(?:href|src|content|loc)(?:="|>)([^"<\s]+)/g)) {
      // Other meta tags hold words that would be read as relative addresses.
      if (!/^(https?:|\/)/.test(address)) continue;
      const url = URL.parse(address.replaceAll("&amp;", "&"), siteUrl);
      if (url?.origin === siteUrl && !url.pathname.startsWith("/assets/")) {
        waiting.add(url.pathname + url.search);
      }
    }
  }
  return found;
}

/** Words that only the fictional firm uses. */
const words = [
  defaultSettings.firm.name,
  ...defaultSettings.adviser.name.split(" "),
  defaultSettings.contact.street,
  defaultSettings.contact.city,
  defaultSettings.contact.phone,
  defaultSettings.contact.email.split("@")[1] ?? "",
  ...defaultSettings.contact.socials.map(({ url }) => url),
  ...defaultSettings.licenses.statesServed,
  ...sampleTestimonials.map(({ name }) => name),
  ...["harbor", "lighthouse", "hillside", "the lane", "portrait.svg"],
];

/** Sentences of the fictional firm that do not name it, such as its promises. */
function sentences(): string[] {
  const kept = new Set(
    textsOf(completeSettings({ firm: sectionSchemas.firm.parse({ name: "-" }) })),
  );
  return textsOf(defaultSettings).filter((text) => text.includes(" ") && !kept.has(text));
}

function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return value !== null && typeof value === "object" ? Object.values(value).flatMap(textsOf) : [];
}

const fictionalTexts = [...words, ...sentences()].map((text) => text.toLowerCase());

export function fictionalTextsIn(text: string): string[] {
  const plain = decode(text).toLowerCase();
  return fictionalTexts.filter((fictional) => plain.includes(fictional));
}

/** Lists the traces of the fictional firm, as "path: text". */
export function fictionalTextsAt(found: ReadonlyMap<string, Found>): string[] {
  return [...found].flatMap(([path, { type, text }]) =>
    // Compressed images can contain any short word.
    /html|xml|svg|plain/.test(type) ? fictionalTextsIn(text).map((left) => `${path}: ${left}`) : [],
  );
}

/** What pages and feeds say that neither the interface itself nor these settings and rows say, as "path: text". */
export function strangeTextsAt(found: ReadonlyMap<string, Found>, values: unknown): string[] {
  const known = textsOf(values)
    .flatMap((text) => [text, ...text.split(/\n+/)])
    .filter(Boolean)
    .sort((a, b) => b.length - a.length)
    .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const given = new RegExp(`(?<!\\p{L})(${known.join("|")})(?!\\p{L})`, "gu");
  const list = readFileSync(join(import.meta.dirname, "interface-texts.txt"), "utf8");
  const listed = list.trim().split("\n");
  /** Some texts are put together, such as "Pause: Articles". */
  function isListed(piece: string): boolean {
    return listed.some((part) => {
      if (!piece.startsWith(part)) return false;
      const rest = piece.slice(part.length);
      return rest === "" || (/^\P{L}/u.test(rest) && isListed(rest.replace(/^\P{L}+/u, "")));
    });
  }
  return [...found].flatMap(([path, { type, text }]) =>
    textsOfFile(type, text)
      .filter((said) => !pieces(said).every(isListed))
      .flatMap((said) => pieces(said.replace(given, "…")))
      .filter((piece) => !isListed(piece))
      .map((piece) => `${path}: ${piece}`),
  );
}

/** The texts of a file that people or search engines read. */
function textsOfFile(type: string, text: string): string[] {
  if (/rss|atom/.test(type)) {
    const elements = text.matchAll(/<(title|description|subtitle|summary|name)>(.*?)<\/\1>/gs);
    return [...elements].map(([, , said = ""]) => decode(said));
  }
  if (!type.includes("html")) return [];
  const visible = text.replace(/<(script|style)\b.*?<\/\1>|<wbr\/?>/gs, "");
  const attributes =
    /(?:aria-label|alt|title|placeholder|(?:name|description)" content)="([^"]*)"/g;
  return [
    ...visible.split(/<!--.*?-->|<[^>]*>/s),
    ...[...visible.matchAll(attributes)].map(([, said = ""]) => said),
    ...structuredTexts(text),
  ].map(decode);
}

/** The names and descriptions in JSON-LD. */
function structuredTexts(html: string): string[] {
  const [, json = "{}"] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html) ?? [];
  return [...json.matchAll(/"(?:name|description|headline|jobTitle)":("(?:[^"\\]|\\.)*")/g)].map(
    ([, said = '""']) => String(JSON.parse(said)),
  );
}
