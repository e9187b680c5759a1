// The licenses in words, for the footer of every page and for mails.
import { type Documents, entriesIn, textIn } from "./mail-addresses.ts";

/** A piece of a line; a link leads to the public register that has it. */
export type LinePart = string | { text: string; link: string };

/** The calendar day of a time, as `2026-11-22`. The order of such days is that of time. */
export function dayIn(timeZone: string, time: number): string {
  const format = { dateStyle: "short", timeZone: knownTimeZone(timeZone) } as const;
  return new Intl.DateTimeFormat("en-CA", format).format(time);
}

export function knownTimeZone(name: string): string {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }) && name;
  } catch {
    return "America/New_York";
  }
}

/** Whether a license may be advertised on a day of the firm's time zone: until the end of the one on which it expires. */
export function isCurrentLicense(license: unknown, day: string): boolean {
  const expires = textIn(license, "expires");
  return expires === "" || day <= expires;
}

/**
 * "Licensed in Oregon (Life, no. 1), NPN 2." Without licenses that expired before the day.
 * @param document the section `licenses`, as stored
 */
export function describeLicenses(document: unknown, day: string): LinePart[] {
  const [npn, crd] = [textIn(document, "npn"), textIn(document, "crd")];
  const licenses = entriesIn(document, "licenses").filter((row) => isCurrentLicense(row, day));
  const groups: LinePart[][] = [
    licenses.flatMap((row, index) => [index === 0 ? "Licensed in " : "; ", describeLicense(row)]),
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

/** Whether two spellings mean the same state. */
export function isSameState(one: string, other: string): boolean {
  const plain = (state: string) => (isCalifornia(state) ? "ca" : state.trim().toLowerCase());
  return plain(one) === plain(other);
}

/**
 * What mails end with: the person with the licenses below the name, as California requires in mails about insurance (Ins.
 * Code 1725.5), the firm, the address as far as pages show it, and the disclosure.
 * @param documents the settings, as stored
 */
export function composeMailEnding(documents: Documents, time: number): string {
  const { adviser, firm, licenses, contact, disclosures } = documents;
  const day = dayIn(textIn(contact, "timeZone"), time);
  const numbers = describeLicenses(licenses, day).map((part) =>
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
