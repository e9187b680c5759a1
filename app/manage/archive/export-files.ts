// The lists of an exported period: the page that opens it, the columns of its CSV files, and how to check it.
import {
  questionNames,
  testimonialFieldNames,
} from "../../../supabase/functions/_shared/testimonial-fields.ts";
import { escapeXml } from "../../seo/xml.ts";
import type { Columns } from "../csv-export.tsx";
import { formatMoment, isoTime, timeZoneName } from "../format-moment.ts";
import { formatSignature } from "../versions/content-store.ts";
import { type Change, type Copy, isSameGroup, longGroup, type Period } from "./archive.ts";
import { isSample, type Provenance, type Shown } from "./provenance.ts";

/** Where the name of an event says too little. A testimonial that was taken off the site was refused, too. */
const eventNames: Readonly<Record<string, string>> = {
  unpublished: "hidden",
  "testimonial submitted": "received",
  "testimonial published": "shown",
  "testimonial returned": "refused",
  "testimonial unpublished": "refused, taken off the site",
};

function eventName({ kind, event }: Change): string {
  return eventNames[`${kind} ${event}`] ?? eventNames[event] ?? event;
}

function kindName({ kind }: Pick<Change, "kind">): string {
  return kind === "section" ? "settings" : kind;
}

const signature: Columns<Change> = {
  Number: ({ number }) => String(number),
  Time: ({ at }, zone) => isoTime(at, zone),
  Event: eventName,
  By: ({ by_name }) => by_name,
  Account: ({ by_email }) => by_email,
  Item: ({ thing }) => thing,
  Sample: (change) => (isSample(change) ? "yes" : ""),
};

const reasons: Record<Change["reason"], string> = {
  changed: "changed in the period",
  former: "public when the period began",
  decision: "decision of another time about what was public",
};

export const changeColumns: Columns<Change> = {
  ...signature,
  Role: ({ by_role }) => by_role,
  How: ({ how }) => how,
  Kind: kindName,
  Title: ({ title }) => title,
  Comment: ({ comment }) => comment,
  "Number of the approval": ({ approval }) => approval?.toString() ?? null,
  Listed: ({ reason }) => reasons[reason],
  Words: ({ document }) => document && JSON.stringify(document),
};

const testimonialNames = [
  ...testimonialFieldNames,
  ...["rating", ...questionNames, "compensation_details"],
  ...["statement", "is_asked", "reply", "approved_at", "refusal_reason", "erased", "removed"],
];

/** Decisions are rows whose event is shown, refused or deleted. */
export const testimonialColumns: Columns<Change> = {
  ...signature,
  ...Object.fromEntries(
    testimonialNames.map((name) => [
      name,
      ({ document }: Change) => String(document?.[name] ?? ""),
    ]),
  ),
};

/** A copy, the versions that it shows, and the names of its files in the export. Files that are no longer kept have none. */
export interface ExportedCopy extends Copy {
  shown: Shown[];
  page: string | undefined;
  others: string[];
  isComplete: boolean;
}

/** A page of the site may show several sections of the settings. */
const ofEach =
  (value: (shown: Shown, zone: string) => string | null | undefined) =>
  ({ shown }: ExportedCopy, zone: string) =>
    shown.map((each) => value(each, zone) || "none").join("; ");

export const copyColumns: Columns<ExportedCopy> = {
  Number: ({ number }) => String(number),
  Path: ({ path }) => path,
  Title: ({ title }) => title,
  Sample: ({ shown }) => (shown.some((each) => each.isSample) ? "yes" : ""),
  "First use": ({ since }, zone) => isoTime(since, zone),
  "Last use": ({ until }, zone) => (until ? isoTime(until, zone) : "still public"),
  "Number in changes.csv": ofEach(({ number }) => String(number)),
  Kind: ofEach(({ kind, thing }) => (kind === "section" ? `settings: ${thing}` : kind)),
  Published: ofEach(({ at }, zone) => isoTime(at, zone)),
  "Published by": ofEach(({ by_name }) => by_name),
  "Account of the publisher": ofEach(({ by_email }) => by_email),
  Approved: ofEach(({ approved }, zone) => approved && isoTime(approved.at, zone)),
  "Approved by": ofEach(({ approved }) => approved?.by_name),
  "Account of the approver": ofEach(({ approved }) => approved?.by_email),
  "Comment of the approval": ofEach(({ approved }) => approved?.comment),
  "Number of the approval": ofEach(({ approved }) => approved && String(approved.number)),
  "File of the page": ({ page }) => page ?? "no longer kept",
  "Files that it shows": ({ others }) => others.join("; "),
  Complete: ({ isComplete }) => (isComplete ? "yes" : "no"),
};

/** Files are named by their SHA-256, as the copies name them. */
export function fileOf(hash: string, type: string): string {
  return `files/${hash}.${type.replace(/^.*\/(\w+).*$/, "$1")}`;
}

type ExportedPeriod = Period & { timeZone: string };

function titleOf({ starts, ends, timeZone }: ExportedPeriod): string {
  const [from, to] = [starts, ends].map((time) => formatMoment(time, timeZone, true));
  return `The site from ${from} to ${to} (${timeZoneName(timeZone)})`;
}

/** The page that opens the export. A change of the menu or the footer makes a copy of every page, so copies are grouped. */
export function createIndex(period: ExportedPeriod, { publicChanges }: Provenance) {
  const { timeZone } = period;
  const parts = [new Blob([indexHead(period)])];
  let group: ExportedCopy[] = [];
  /** Times of rows: of the one before the group, and of the last one. */
  let before = "";
  let last = "";

  function endGroup(): void {
    const [first] = group;
    if (first) {
      const until = Date.parse(last);
      const changes = publicChanges(Date.parse(before || period.starts), until).filter(
        ({ reason }) => reason === "changed",
      );
      const causes = changes.map(
        (change) =>
          `${kindName(change)} “${change.title ?? ""}” ${change.event} by ${formatSignature(change) || "a visitor or the site"}`,
      );
      const more = causes.length > 5 ? `, and ${causes.length - 5} more changes` : "";
      const cause = causes.length > 0 ? `. Changes: ${causes.slice(0, 5).join(", ")}${more}` : "";
      const [from, to] = [first.since, group.at(-1)?.since ?? ""].map((time) =>
        formatMoment(time, timeZone, true),
      );
      const count =
        group.length === 1 ? `${from}: 1 copy` : `${from} to ${to}: ${group.length} copies`;
      const summary = count + cause;
      const opened = group.length > longGroup ? "" : " open";
      const rows = group.map((copy) => indexRow(copy, timeZone));
      parts.push(
        new Blob([
          `<details${opened}><summary>${escapeXml(summary)}</summary>\n${tableHead}`,
          ...rows,
          "</tbody></table></details>\n",
        ]),
      );
    }
    group = [];
    before = last;
  }

  return {
    /** @param copy null when the row is not of the period */
    add({ since }: Copy, copy: ExportedCopy | null): void {
      if (last && !isSameGroup(last, since)) endGroup();
      last = since;
      if (copy) group.push(copy);
    },
    end(): Blob[] {
      endGroup();
      return [...parts, new Blob(["</main></body></html>\n"])];
    },
  };
}

function indexHead(period: ExportedPeriod): string {
  const title = escapeXml(titleOf(period));
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>
body { max-width: 90rem; margin: 0 auto; padding: 2rem 1rem; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
table { width: 100%; border-collapse: collapse; text-align: left }
th { min-width: 6rem }
th, td { padding: 0.5rem 1rem 0.5rem 0; border-bottom: 1px solid #888; vertical-align: top }
td:last-child { font-size: 0.75rem }
summary { padding: 0.75rem 0; font-weight: 600; cursor: pointer }
</style></head>
<body><main><h1>${title}</h1>
<p>Each line below is a copy of a page, as the site sent it to visitors in this period. A link opens it with its own images,
style sheet, fonts and PDFs, without the site. Scripts were removed, so links inside a copy to other pages lead nowhere: open
them from this list, or from <a href="copies.csv">copies.csv</a>, which has the same lines.</p>
<p>Times are in ${escapeXml(timeZoneName(period.timeZone))}. Those of a copy are when it was made, up to about a minute after a change.
Copies that were made one after the other are in one group, with the changes before them.</p>
<p>A path below /mails/ is a mail that visitors got, from its first use with these words; the feeds are /rss.xml and /atom.xml.</p>
<p>A post or page has the version that was published, and its approval if it has one. Other pages show settings: the ones
with their own texts are named. All pages also show the settings firm, contact, licenses, disclosures and notice, and many show
testimonials and titles of posts. Without a publisher, the text came with the release.</p>
<ul><li><a href="changes.csv">changes.csv</a>: who published, scheduled, submitted, approved, refused, hid or deleted what, and the words</li>
<li><a href="testimonials.csv">testimonials.csv</a>: the testimonials, and the decisions about them</li>
<li><a href="consents.csv">consents.csv</a>: who agreed to calls and to the publication of a testimonial, and who withdrew</li>
<li><a href="README.txt">README.txt</a>: how to check that nothing was changed, and what the hashes do not cover</li></ul>
`;
}

const tableHead = `<table><thead><tr><th scope="col">Number</th><th scope="col">Page</th><th scope="col">Path</th>
<th scope="col">First use</th><th scope="col">Last use</th><th scope="col">Published</th><th scope="col">Approved</th>
<th scope="col">Files</th></tr></thead><tbody>
`;

function indexRow(copy: ExportedCopy, timeZone: string): string {
  const { number, title, path, since, until, shown, page, others, isComplete } = copy;
  const name = escapeXml(title || path);
  const notes = [
    ...(isComplete ? [] : ["no longer kept completely"]),
    ...(shown.some((each) => each.isSample) ? ["sample"] : []),
  ];
  const published = shown.map((each) =>
    [
      each.kind === "section" && `Settings ${each.thing}: `,
      formatSignature(each),
      `, ${formatMoment(each.at, timeZone, true)}`,
    ]
      .filter(Boolean)
      .join(""),
  );
  const approved = shown.flatMap(({ approved }) => {
    if (!approved) return [];
    const time = formatMoment(approved.at, timeZone, true);
    return `${formatSignature(approved)}, ${time}${approved.comment ? `: “${approved.comment}”` : ""}`;
  });
  const cells = [
    number,
    [page ? `<a href="${page}">${name}</a>` : name, ...notes.map((note) => `(${note})`)].join(" "),
    escapeXml(path),
    formatMoment(since, timeZone, true),
    until ? formatMoment(until, timeZone, true) : "still public",
    ...[published, approved].map((lines) => lines.map(escapeXml).join("<br>")),
    [page, ...others].filter(Boolean).join("<br>"),
  ];
  return `<tr><td>${cells.join("</td><td>")}</td></tr>\n`;
}

export function readMe(period: ExportedPeriod, last: Copy | undefined): string {
  return `${titleOf(period)}

index.html        the copies of all pages that were public in this period, with who published and approved what they show;
                  open it in a browser
copies.csv        the same, one line for each copy, with the names of its files
files             the copies, without their scripts, and the style sheets, fonts, images and PDFs that they name
changes.csv       who changed what in this period, with the words as JSON; what was public when it began; and the decisions of
                  any date about what was public in it
testimonials.csv  the same of testimonials
consents.csv      all consents to calls and to the publication of testimonials, of any date, with their withdrawals
privacy-requests.csv  all requests about personal data: what was done, and what was kept and why
chain.tsv         a line for each row of the whole archive, up to row ${last?.number}
SHA256SUMS        the SHA-256 of all other files

What is marked as a sample came with the site: no client wrote it. In the CSV files, an apostrophe stands before what a
spreadsheet would run as a formula. Times in the tables have seconds and the distance from UTC.

No file was changed since the export if this prints nothing, in this folder:

    sha256sum -c --quiet SHA256SUMS

What the hashes cover: chain.tsv has the SHA-256 of each copy with its path, title and time, each copy names its files by their
SHA-256, and each line of chain.tsv has the hash of the line before. So the last hash stands for all copies. When this file
was written, it was the hash of row ${last?.number}:

${last?.hash}

What they do not cover: the tables (copies.csv, changes.csv, testimonials.csv, consents.csv, privacy-requests.csv) and index.html are what the database
had at the export. SHA256SUMS shows that they were not changed since then, and not that the database was right. SHA256SUMS
itself, and the whole chain, could be made anew by somebody who can write to them: keep the hash above, or that of this zip file,
elsewhere. How to compute the chain is in docs/operations.md of the site's program.
`;
}
