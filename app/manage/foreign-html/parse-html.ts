// Reads HTML that others wrote, with the styles that decide what its readers saw. The Content-Security-Policy forbids inline
// styles, style elements and event handlers even in a document that is only read, so they are renamed before it is parsed.

const styleAttribute = "data-style";
const styleType = "text/x-style";
/** What becomes of style sheets. */
export const styleSheets = `script[type="${styleType}"]`;

/** A comment, a style element or a tag. */
const markup =
  /<!--[\s\S]*?-->|<style\b(?:"[^"]*"|'[^']*'|[^"'>])*>([\s\S]*?)<\/style\s*>|<[a-z](?:"[^"]*"|'[^']*'|[^"'>])*>/gi;
const attribute = /([^\s"'<>/=]+)(\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>][^\s>]*))/g;

/** The HTML without what the Content-Security-Policy forbids. `parseForeignHtml` still knows the styles. */
export function withoutStyles(html: string): string {
  return html.replace(markup, (found, css?: string) => {
    if (css !== undefined) return `<script type="${styleType}">${css}</script>`;
    if (found.startsWith("<!--")) return found;
    return found.replace(attribute, (whole, name: string, value: string) => {
      if (/^style$/i.test(name)) return styleAttribute + value;
      return /^on/i.test(name) ? `data-${whole}` : whole;
    });
  });
}

export type Declarations = ReadonlyMap<string, string>;

export interface ForeignHtml {
  body: HTMLElement;
  /** What its own styles and the style sheets of the HTML declare for an element, without what it inherits. */
  declared: (element: Element) => Declarations;
}

/** The start of a part of a table, as some programs copy it. A parser drops its tags unless a table is around them. */
const tablePart =
  /^\s*(?:<(?:meta|!--)[^>]*>\s*)*<(?:caption|col|colgroup|tbody|td|tfoot|th|thead|tr)\b/i;

export function parseForeignHtml(html: string): ForeignHtml {
  const whole = tablePart.test(html) ? `<table>${html}</table>` : html;
  const document = new DOMParser().parseFromString(withoutStyles(whole), "text/html");
  const sheets = document.querySelectorAll(styleSheets);
  const rules = [...sheets].flatMap(({ textContent }) => rulesOf(textContent ?? ""));
  const found = new Map<Element, Rule[]>();
  for (const rule of rules) {
    for (const element of select(document, rule.selector)) {
      found.set(element, [...(found.get(element) ?? []), rule]);
    }
  }
  const unseen =
    "script, template, noscript, noembed, noframes, title, meta, link, datalist, annotation";
  for (const element of document.querySelectorAll(unseen)) element.remove();
  const known = new Map<Element, Declarations>();
  return {
    body: document.body,
    declared(element) {
      const declared = known.get(element) ?? cascade(found.get(element) ?? [], element);
      known.set(element, declared);
      return declared;
    },
  };
}

function cascade(rules: readonly Rule[], element: Element): Declarations {
  const inline = declarationsOf(element.getAttribute(styleAttribute) ?? "");
  const ordered = rules
    .toSorted((a, b) => a.specificity - b.specificity)
    .flatMap(({ declarations }) => declarations)
    .concat(inline);
  const isImportant = ([, value]: readonly [string, string]) => /!\s*important/i.test(value);
  const winners = [...ordered.filter((each) => !isImportant(each)), ...ordered.filter(isImportant)];
  return new Map(
    winners.map(([name, value]) => [name, value.replace(/!\s*important/i, "").trim()]),
  );
}

interface Rule {
  selector: string;
  specificity: number;
  declarations: [name: string, value: string][];
}

/** The rules of a style sheet that apply to this screen. */
function rulesOf(css: string): Rule[] {
  const text = css.replace(/\/\*[\s\S]*?\*\/|<!--|-->/g, " ");
  const rules: Rule[] = [];
  /** The blocks around the current place, and whether what is in them applies. */
  const open: { selector: string; applies: boolean }[] = [];
  let at = 0;
  for (const { 0: brace, index } of text.matchAll(/[{}]/g)) {
    const before = text.slice(at, index);
    at = index + 1;
    if (brace === "{") {
      const selector = before.slice(before.lastIndexOf(";") + 1).trim();
      open.push({ selector, applies: (open.at(-1)?.applies ?? true) && applies(selector) });
      continue;
    }
    const block = open.pop();
    if (!block?.applies || block.selector.startsWith("@")) continue;
    const declarations = declarationsOf(before);
    // Commas inside parentheses separate no selectors.
    for (const selector of block.selector.split(/,(?![^(]*\))/)) {
      rules.push({ selector, specificity: specificityOf(selector), declarations });
    }
  }
  return rules;
}

function applies(prelude: string): boolean {
  const [, query] = /^@media\b(.*)/is.exec(prelude) ?? [];
  return query === undefined
    ? !prelude.startsWith("@") || /^@(?:layer|supports)\b/i.test(prelude)
    : window.matchMedia(query.trim()).matches;
}

function specificityOf(selector: string): number {
  const count = (pattern: RegExp) => selector.match(pattern)?.length ?? 0;
  return (
    count(/#[\w-]+/g) * 10_000 +
    count(/\.[\w-]+|\[[^\]]*\]|(?<!:):[\w-]+/g) * 100 +
    count(/(?:^|[\s>+~])[a-z]/gi)
  );
}

function declarationsOf(css: string): [name: string, value: string][] {
  const pattern = /([\w-]+)\s*:\s*((?:"[^"]*"|'[^']*'|\([^)]*\)|[^;"'(])*)/g;
  return [...css.matchAll(pattern)].map(([, name = "", value = ""]) => [
    name.toLowerCase(),
    value.trim(),
  ]);
}

function select(document: Document, selector: string): Iterable<Element> {
  try {
    return document.querySelectorAll(selector);
  } catch {
    // A selector that browsers do not know, too.
    return [];
  }
}
