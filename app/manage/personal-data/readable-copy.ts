// A copy of what is stored about a person that can be read and printed without a program for data.
import { escapeXml } from "../../seo/xml.ts";
import { formatMoment } from "../format-moment.ts";

interface ReadableCopy {
  email: string;
  firm: string;
  timeZone: string;
  entries: readonly {
    name: string;
    state: string;
    at: string;
    text: string | null;
    data: unknown;
  }[];
}

/** An HTML document. The times are in this zone. */
export function writeReadableCopy({ email, firm, timeZone, entries }: ReadableCopy): string {
  const title = escapeXml(`What ${firm} stores about ${email}`);
  const parts = entries.map(
    ({ name, state, at, text, data }) => `<section>
<h2>${escapeXml(name)}${state && `: ${escapeXml(state)}`}</h2>
<p>${formatMoment(at, timeZone)}</p>
${text ? `<blockquote>${escapeXml(text)}</blockquote>` : ""}
${list(data, timeZone)}
</section>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${title}</title>
<style>
body { max-width: 42rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 Georgia, serif; overflow-wrap: anywhere }
section { border-top: 1px solid #999; break-inside: avoid-page }
blockquote { white-space: pre-line; margin-left: 1rem }
dt { font-weight: bold }
dd { margin: 0 0 .5rem 1rem; white-space: pre-line }
</style>
<h1>${title}</h1>
<p>Written on ${formatMoment(new Date().toISOString(), timeZone)}. Newest first.</p>
${parts.join("\n")}
</html>
`;
}

/** Numbers and marks that only the database uses. */
const technical = /(^|_)(id|ids|key|version|hash)$/;

function list(data: unknown, timeZone: string): string {
  if (typeof data !== "object" || data === null) return "";
  const rows = Object.entries(data).flatMap(([name, value]) => {
    if (technical.test(name) || value === null || value === "") return [];
    const label = Array.isArray(data) ? `${Number(name) + 1}.` : name.replaceAll("_", " ");
    const shown = list(value, timeZone) || escapeXml(textOf(value, timeZone));
    return `<dt>${escapeXml(label.charAt(0).toUpperCase() + label.slice(1))}</dt><dd>${shown}</dd>`;
  });
  return rows.length > 0 ? `<dl>${rows.join("")}</dl>` : "";
}

function textOf(value: unknown, timeZone: string): string {
  if (typeof value === "boolean") return value ? "Yes" : "No";
  const text = typeof value === "object" ? "None" : String(value);
  return /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-][\d:]+)$/.test(text) ? formatMoment(text, timeZone) : text;
}
