// The lists of an exported period: the page that opens it, the columns of its CSV files, and how to check it.
import {
  questionNames,
  testimonialFieldNames,
} from "../../../supabase/functions/_shared/testimonial-fields.ts";
import { escapeXml } from "../../seo/xml.ts";
import type { Columns } from "../csv-export.tsx";
import { formatMoment, formatSchedule, isoTime, timeZoneName } from "../format-moment.ts";
import type { Change, Copy, Period } from "./archive.ts";

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

const signature: Columns<Change> = {
  Time: ({ at }, zone) => isoTime(at, zone),
  Event: eventName,
  By: ({ by_name }) => by_name,
  Account: ({ by_email }) => by_email,
  Item: ({ item }) => item,
};

export const changeColumns: Columns<Change> = {
  ...signature,
  Role: ({ by_role }) => by_role,
  How: ({ how }) => how,
  Kind: ({ kind }) => kind,
  Title: ({ title }) => title,
  Comment: ({ comment }) => comment,
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

/** Files are named by their SHA-256, as the copies name them. */
export function fileOf(hash: string, type: string): string {
  return `files/${hash}.${type.replace(/^.*\/(\w+).*$/, "$1")}`;
}

type Shown = Period & { timeZone: string };

function titleOf({ starts, ends, timeZone }: Shown): string {
  return `The site from ${formatMoment(starts, timeZone)} to ${formatSchedule(ends, timeZone)}`;
}

export function indexHead(shown: Shown): string {
  const title = escapeXml(titleOf(shown));
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>
body { max-width: 72rem; margin: 0 auto; padding: 2rem 1rem; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
table { width: 100%; border-collapse: collapse; text-align: left }
th { min-width: 6rem }
th, td { padding: 0.5rem 1rem 0.5rem 0; border-bottom: 1px solid #888; vertical-align: top }
</style></head>
<body><main><h1>${title}</h1>
<p>Each line below is a copy of a page, as the site sent it to visitors in this period. A link opens it with its own images,
style sheet, fonts and PDFs, without the site. Scripts were removed, so links inside a copy to other pages lead nowhere: open
them from this list.</p>
<p>Times are in ${escapeXml(timeZoneName(shown.timeZone))}. They are those of the copy, which is made up to about a minute after
a change. <a href="changes.csv">changes.csv</a> has the exact times, who published, scheduled, approved, refused or deleted
what, and the words. <a href="testimonials.csv">testimonials.csv</a> has the testimonials that changed and the decisions about them.
<a href="README.txt">README.txt</a> says how to check that nothing was changed.</p>
<table><thead><tr><th scope="col">Number</th><th scope="col">Page</th><th scope="col">Path</th>
<th scope="col">From</th><th scope="col">Until</th></tr></thead><tbody>
`;
}

/** @param written the hashes of the files in the export */
export function indexRow(copy: Copy, written: ReadonlySet<string>, timeZone: string): string {
  const { number, title, path, since, until, digest, files } = copy;
  const name = escapeXml(title || path);
  const page = written.has(digest ?? "")
    ? `<a href="${fileOf(digest ?? "", "text/html")}">${name}</a>`
    : name;
  const cells = [
    number,
    files.every((hash) => written.has(hash)) ? page : `${page} (no longer kept completely)`,
    escapeXml(path),
    formatMoment(since, timeZone),
    until ? formatMoment(until, timeZone) : "still public",
  ];
  return `<tr><td>${cells.join("</td><td>")}</td></tr>\n`;
}

export const indexEnd = "</tbody></table></main></body></html>\n";

export function readMe(shown: Shown, last: Copy | undefined): string {
  return `${titleOf(shown)}

index.html        the copies of all pages that were public in this period; open it in a browser
files             the copies, without their scripts, and the style sheets, fonts, images and PDFs that they name
changes.csv       who changed what, with the words as JSON
testimonials.csv  the testimonials that changed, and the decisions about them
privacy-requests.csv  all requests about personal data: what was done, and what was kept and why
chain.tsv         a line for each row of the whole archive, up to row ${last?.number}
SHA256SUMS        the SHA-256 of all other files

In the CSV files, an apostrophe stands before what a spreadsheet would run as a formula.
Anyone can check the files with these commands, in this folder.

1. No file was changed, and those of the copies are named by their SHA-256. This prints nothing:

    sha256sum -c --quiet SHA256SUMS
    grep ' files/' SHA256SUMS | grep -v '^\\([0-9a-f]*\\)  files/\\1[.]'

2. No row was changed, removed or inserted. A line of chain.tsv has, separated by tabs: the hash of the line before, number,
time (UTC), path, SHA-256 of the page ('-' when it left the site), release, title. The hash of a line is the SHA-256 of the
line without its newline, so each covers all lines before. This prints the last hash:

    hash= tab=$(printf '\\t')
    while IFS= read -r line; do
      case $line in "$hash$tab"*) ;; *) echo "This line does not fit the one before: $line" ;; esac
      hash=$(printf %s "$line" | sha256sum | cut -d ' ' -f 1)
    done < chain.tsv
    echo "$hash"

When this file was written, it was the hash of row ${last?.number}:

${last?.hash}

A new chain could be made by somebody who can write to the database. So compare the hash with one that was kept elsewhere, such
as in an earlier export or backup, whose line has the same number.
`;
}
