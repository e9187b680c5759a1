// The licenses in words, for the footer of every page and for mails.
import { type Documents, entriesIn, textIn } from "./mail-addresses.ts";

/** A piece of a line; a link leads to the public register that has it. */
export type LinePart = string | { text: string; link: string };

/** "Licensed in Oregon (Life, no. 1), NPN 2." @param document the section `licenses`, as stored */
export function describeLicenses(document: unknown): LinePart[] {
  const [npn, crd] = [textIn(document, "npn"), textIn(document, "crd")];
  const groups: LinePart[][] = [
    entriesIn(document, "licenses").flatMap((row, index) => [
      index === 0 ? "Licensed in " : "; ",
      describeLicense(row),
    ]),
    npn ? [`NPN ${npn}`] : [],
    crd
      ? [{ text: `CRD ${crd}`, link: `https://brokercheck.finra.org/individual/summary/${crd}` }]
      : [],
  ];
  const parts = groups.flatMap((group) => (group.length > 0 ? [", ", ...group] : [])).slice(1);
  return parts.length > 0 ? [...parts, "."] : [];
}

function describeLicense(row: unknown): LinePart {
  const [state, number, link] = [textIn(row, "state"), textIn(row, "number"), textIn(row, "link")];
  // California requires the word "insurance" on the page that has the license number (Ins. Code 1726).
  const label = isCalifornia(state) ? `Insurance License #${number}` : `no. ${number}`;
  const text = `${state} (${[textIn(row, "type"), number && label].filter(Boolean).join(", ")})`;
  return link ? { text, link } : text;
}

export function isCalifornia(state: string): boolean {
  return /^(california|calif\.?|ca)$/i.test(state.trim());
}

/**
 * What mails end with: the person with the licenses below the name, as California requires in mails about insurance (Ins.
 * Code 1725.5), the firm, the address as far as pages show it, and the disclosure.
 * @param documents the settings, as stored
 */
export function composeMailEnding(documents: Documents): string {
  const { adviser, firm, licenses, contact, disclosures } = documents;
  const numbers = describeLicenses(licenses).map((part) =>
    typeof part === "string" ? part : part.text,
  );
  const person = [textIn(adviser, "name"), textIn(adviser, "credentials")];
  const firmName = textIn(firm, "name");
  const isStreetShown = Object(contact).showStreet !== false;
  const place = [textIn(contact, "region"), isStreetShown && textIn(contact, "postalCode")];
  const address = [
    isStreetShown && textIn(contact, "street"),
    textIn(contact, "city"),
    place.filter(Boolean).join(" "),
  ];
  const lines = [
    ...[person.filter(Boolean).join(", ") || firmName, numbers.join(""), firmName],
    address.filter(Boolean).join(", "),
  ];
  const signature = [...new Set(lines)].filter(Boolean).join("\n");
  return [signature, textIn(disclosures, "mails")].filter(Boolean).join("\n\n");
}
