// The lists of an exported period: the page that opens it, and the columns of its CSV files.
import { escapeXml } from "../../seo/xml.ts";
import type { Columns } from "../csv-export.tsx";
import { formatSchedule, isoTime } from "../format-moment.ts";
import type { ArchivedVersion } from "./archive.ts";
import type { Exported, ExportedEntry, Period } from "./export-archive.ts";
import { nameOf } from "./past-site.ts";

const entryColumns: Columns<ArchivedVersion> = {
  Entry: ({ number }) => String(number),
  Event: ({ event }) => event,
  From: ({ since }, zone) => isoTime(since, zone),
  Until: ({ until }, zone) => until && isoTime(until, zone),
  By: ({ by }) => by,
};

function field(name: string) {
  return ({ document }: ArchivedVersion) => {
    const value: unknown = Object(document)[name];
    return value === null || value === undefined ? null : String(value);
  };
}

export const testimonialColumns: Columns<ArchivedVersion> = {
  ...entryColumns,
  Public: ({ is_public }) => (is_public ? "yes" : "no"),
  Name: field("name"),
  Role: field("role"),
  Rating: field("rating"),
  Text: field("content"),
  Relationship: field("relationship"),
  Payment: field("compensation"),
  Conflict: field("conflict"),
  "Asked for": field("is_asked"),
  Reply: field("reply"),
};

export const decisionColumns: Columns<ArchivedVersion> = {
  ...entryColumns,
  Name: field("name"),
  Rating: field("rating"),
  Reason: field("refusal_reason"),
};

export const approvalColumns: Columns<ArchivedVersion> = {
  ...entryColumns,
  Post: field("title"),
  "Digest of the version": ({ digest }) => digest,
};

/** The page that explains the export and links to its files. */
export function indexPage(
  { entries, missing }: Exported,
  { starts, ends }: Period,
  timeZone: string,
): string {
  const time = (iso: string) => escapeXml(formatSchedule(iso, timeZone));
  const row = (entry: ExportedEntry) => {
    const { number, event, since, until, by, files, is_public } = entry;
    const what = [nameOf(entry), entry.title].filter(Boolean).join(": ");
    const links = files.map((file) => `<a href="${file}">${file.replace(/^.*\//, "")}</a>`);
    const cells = [
      String(number),
      escapeXml(what),
      escapeXml(event),
      time(since),
      until ? time(until) : is_public ? "still public then" : "",
      escapeXml(by ?? ""),
      links.join(" "),
    ];
    return `<tr><td>${cells.join("</td><td>")}</td></tr>`;
  };
  const title = `The site from ${time(starts)} to ${time(ends)}`;
  const lost = missing.map((address) => `<li>${escapeXml(address)}</li>`).join("");
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"/><meta name="viewport" content="width=device-width"/>
<title>${title}</title><link rel="stylesheet" href="style.css"/></head>
<body><main class="wrap section"><h1 class="text-3xl">${title}</h1>
<div class="mt-6 max-w-2xl space-y-4">
<p>Everything that visitors could read in this period. It opens without the site. Times are those of the site.</p>
<p><a href="pages/start/home.html" class="underline">The pages at the beginning of the period</a> link to each other.
Each change of settings has the pages that show it below <code>pages/</code>, with the posts and testimonials of that moment.
Each version of a post is below <code>posts/</code>, each version of a testimonial below <code>testimonials/</code>.
The design, and texts that were never published, are those of the release that wrote this file.</p>
<p>Tables: <a href="testimonials.csv" class="underline">testimonials.csv</a>, <a href="decisions.csv" class="underline">decisions.csv</a>, <a href="approvals.csv" class="underline">approvals.csv</a>.
<a href="manifest.json" class="underline">manifest.json</a> has the SHA-256 of every file, and the hashes of the archive's entries.</p>
${lost && `<p>These images could not be read when the file was written:</p><ul>${lost}</ul>`}</div>
<div class="mt-8 overflow-x-auto"><table class="w-full text-left text-sm [&_td]:py-1.5 [&_td]:pr-4 [&_td]:align-top"><thead><tr>
<th scope="col">Entry</th><th scope="col">What</th><th scope="col">Event</th><th scope="col">From</th><th scope="col">Until</th><th scope="col">By</th><th scope="col">Files</th>
</tr></thead><tbody>
${entries.map(row).join("\n")}
</tbody></table></div></main></body></html>`;
}
