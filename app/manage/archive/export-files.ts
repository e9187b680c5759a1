// The lists of an exported period: the page that opens it, the columns of its CSV files, and how to check it.
import { escapeXml } from "../../seo/xml.ts";
import type { Columns } from "../csv-export.tsx";
import { formatMoment, formatSchedule, isoTime, timeZoneName } from "../format-moment.ts";
import type { Change, Copy, Period, Summary } from "./archive.ts";

const signature: Columns<Change> = {
  Time: ({ at }, zone) => isoTime(at, zone),
  Event: ({ event }) => event,
  By: ({ by_name = null }) => by_name,
  Account: ({ by_email = null }) => by_email,
};

export const changeColumns: Columns<Change> = {
  ...signature,
  Kind: ({ kind }) => kind,
  Item: ({ item = null }) => item,
  Title: ({ title = null }) => title,
  Comment: ({ comment = null }) => comment,
  Words: ({ document }) => (document ? JSON.stringify(document) : null),
};

function field(name: string) {
  return ({ document }: Change) => {
    const value: unknown = Object(document)[name] ?? null;
    return value === null ? null : String(value);
  };
}

/** Decisions are rows whose event is approved, refused or deleted. */
export const testimonialColumns: Columns<Change> = {
  ...signature,
  State({ event, document }) {
    const { erased, approved_at } = Object(document);
    if (erased) return "erased";
    return approved_at && event !== "deleted" ? "public" : "not public";
  },
  Testimonial: ({ item = null }) => item,
  Name: field("name"),
  Role: field("role"),
  Rating: field("rating"),
  Text: field("content"),
  Relationship: field("relationship"),
  Compensation: field("compensation"),
  "Compensation in detail": field("compensation_details"),
  "Family or employee": field("connection"),
  "Statement of the firm": field("statement"),
  "Asked for": field("is_asked"),
  Reply: field("reply"),
  "Reason of the refusal": field("refusal_reason"),
};

export function pageFile(number: number): string {
  return `pages/${String(number).padStart(6, "0")}.html`;
}

/** The beginning of the list of copies. */
export function indexHead({ starts, ends }: Period, timeZone: string): string {
  const title = `The site from ${formatMoment(starts, timeZone)} to ${formatSchedule(ends, timeZone)}`;
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeXml(title)}</title>
<style>
body { max-width: 72rem; margin: 0 auto; padding: 2rem 1rem; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
main > p { max-width: 42rem }
table { width: 100%; border-collapse: collapse; font-size: 0.875rem; text-align: left }
th, td { padding: 0.5rem 1rem 0.5rem 0; border-bottom: 1px solid #888; vertical-align: top }
a { display: inline-block; padding-block: 0.125rem }
@media (max-width: 40rem) {
  thead { display: none }
  td { display: block; padding: 0; border: 0 }
  tr { border-bottom: 1px solid #888 }
}
</style></head>
<body><main><h1>${escapeXml(title)}</h1>
<p>Each line below is a copy of a page, as the site sent it to visitors in this period. A link opens it with its own images,
style sheet, fonts and PDFs, without the site. Scripts were removed, so links inside a copy to other pages lead nowhere: open
them from this list.</p>
<p>Times are in ${escapeXml(timeZoneName(timeZone))}. They are those of the copy, which is made up to about a minute after a
change. changes.csv has the exact times.</p>
<p>
<a href="changes.csv">changes.csv</a>: who published, scheduled, approved, refused or deleted what, with the words.<br>
<a href="testimonials.csv">testimonials.csv</a>: the reviews that changed in this period, and the decisions about them.<br>
<a href="README.txt">README.txt</a>: how to check that nothing was changed.</p>
<table><thead><tr><th scope="col">Number</th><th scope="col">Page</th><th scope="col">Path</th>
<th scope="col">From</th><th scope="col">Until</th></tr></thead><tbody>
`;
}

/** @param state of what belongs to the copy */
export function indexRow(
  { number, title, path, since, until }: Copy,
  state: "complete" | "incomplete" | "no longer kept",
  timeZone: string,
): string {
  const name = escapeXml(title || path);
  const cells = [
    number,
    (state === "no longer kept" ? name : `<a href="${pageFile(number)}">${name}</a>`) +
      (state === "complete" ? "" : ` (${state})`),
    escapeXml(path),
    formatMoment(since, timeZone),
    until ? formatMoment(until, timeZone) : "still public",
  ];
  return `<tr><td>${cells.join("</td><td>")}</td></tr>\n`;
}

export const indexEnd = "</tbody></table></main></body></html>\n";

export function readMe({ starts, ends }: Period, summary: Summary, timeZone: string): string {
  return `The pages of a website as they were sent, from ${formatMoment(starts, timeZone)} to ${formatSchedule(ends, timeZone)}.

index.html        the copies of all pages that were public in this period; open it in a browser
pages, files      the copies, without their scripts, and the style sheets, fonts, images and PDFs that they name
changes.csv       who changed what, with the words as JSON
testimonials.csv  the reviews that changed, and the decisions about them
chain.tsv         a line for each row of the whole archive, up to row ${summary.last_number}
SHA256SUMS        the SHA-256 of all other files

In the CSV files, an apostrophe stands before what a spreadsheet would run as a formula.
Anyone can check the files with these commands, in this folder.

1. No file was changed. This prints nothing:

    sha256sum -c --quiet SHA256SUMS

2. No row was changed, removed or inserted. A line of chain.tsv has, separated by tabs: the hash of the line before, number,
time (UTC), path, SHA-256 of the page ('-' when it left the site), release, title. The hash of a line is the SHA-256 of the
line without its newline, so each covers all lines before. This prints the last hash:

    hash= tab=$(printf '\\t')
    while IFS= read -r line; do
      case $line in "$hash$tab"*) ;; *) echo "This line does not fit the one before: $line" ;; esac
      hash=$(printf %s "$line" | sha256sum | cut -d ' ' -f 1)
    done < chain.tsv
    echo "$hash"

When this file was written, it was the hash of row ${summary.last_number}:

${summary.last_hash}

A new chain could be made by somebody who can write to the database. So compare the hash with one that was kept elsewhere, such
as in an earlier export or backup, whose line has the same number.

3. The pages are those of the rows. This prints nothing:

    awk -F '\\t' '$5 != "-" { printf "%s  pages/%06d.html\\n", $5, $2 }' chain.tsv |
      sha256sum -c --quiet --ignore-missing
`;
}
