// The lists of an exported period: the page that opens it, and the columns of its CSV files.
import { escapeXml } from "../../seo/xml.ts";
import type { Columns } from "../csv-export.tsx";
import { formatMoment, formatSchedule, isoTime } from "../format-moment.ts";
import type { ExportedEntry } from "./export-archive.ts";
import { nameOf } from "./past-site.ts";

const entryColumns: Columns<ExportedEntry> = {
  Entry: ({ number }) => String(number),
  Event: ({ event }) => event,
  From: ({ since }, zone) => isoTime(since, zone),
  Until: ({ until }, zone) => until && isoTime(until, zone),
  By: ({ by }) => by,
};

function field(name: string) {
  return ({ document }: ExportedEntry) => {
    const value: unknown = Object(document)[name];
    return value === null || value === undefined ? null : String(value);
  };
}

/** Decisions are entries whose event is approved, refused or deleted. */
export const testimonialColumns: Columns<ExportedEntry> = {
  ...entryColumns,
  Public: ({ is_public }) => (is_public ? "yes" : "no"),
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

export const approvalColumns: Columns<ExportedEntry> = {
  ...entryColumns,
  Post: ({ title }) => title,
  "Digest of the words": ({ digest }) => digest,
};

interface Index {
  entries: readonly ExportedEntry[];
  missing: readonly string[];
  starts: string;
  ends: string;
  timeZone: string;
}

/** The page that explains the export and links to its files. */
export function indexPage({ entries, missing, starts, ends, timeZone }: Index): string {
  const time = (iso: string) => formatMoment(iso, timeZone);
  const headings = ["Entry", "What", "Event", "From", "Until", "By", "Files"];
  const row = (entry: ExportedEntry) => {
    const { number, event, since, until, by, files, is_public, title } = entry;
    const what = [nameOf(entry), title].filter(Boolean).join(": ");
    const end = until ? time(until) : is_public ? "still public then" : "";
    const texts = [String(number), what, event, time(since), end, by ?? ""].map(escapeXml);
    const links = files.map(
      (file) => `<a class="inline-block py-1" href="${file}">${file.replace(/^.*\//, "")}</a>`,
    );
    return `<tr><td>${[...texts, links.join(" ")].join("</td><td>")}</td></tr>`;
  };
  const title = escapeXml(`The site from ${time(starts)} to ${formatSchedule(ends, timeZone)}`);
  const lost = missing.map((address) => `<li>${escapeXml(address)}</li>`).join("");
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"/><meta name="viewport" content="width=device-width"/>
<title>${title}</title><link rel="stylesheet" href="style.css"/></head>
<body><main class="wrap section"><h1 class="text-3xl">${title}</h1>
<div class="mt-6 max-w-2xl space-y-4 [&_a]:underline">
<p>Everything that visitors could read in this period. It opens without the site. Times are those of the site.</p>
<p><a href="pages/start/home.html">The pages at the beginning of the period</a> link to each other. Below, each version of a post
or a testimonial has its page, and each change of settings all pages of the site with it.
The design, and texts that were never published, are those of the release that wrote this file.</p>
<p><a href="testimonials.csv">testimonials.csv</a> has all testimonials and the decisions about them,
<a href="approvals.csv">approvals.csv</a> the approvals of posts,
<a href="manifest.json">manifest.json</a> the SHA-256 of every file and the hashes of the archive's entries.</p>
${lost && `<p>These images could not be read when the file was written:</p><ul>${lost}</ul>`}</div>
<div class="mt-8 overflow-x-auto"><table class="w-full text-left text-sm [&_a]:underline [&_td]:py-1.5 [&_td]:pr-4 [&_td]:align-top">
<thead><tr>${headings.map((heading) => `<th scope="col" class="pr-4">${heading}</th>`).join("")}</tr></thead><tbody>
${entries.map(row).join("\n")}
</tbody></table></div></main></body></html>`;
}
