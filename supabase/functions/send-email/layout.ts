// The layout of every mail, as HTML and as plain text from one description (docs/decisions/2026-11-21-message-delivery.md).

import { escapeMarkup } from "../_shared/escape-markup.ts";

export interface Letter {
  subject: string;
  title?: string;
  parts: readonly Part[];
  /** Why the recipient gets this mail, in one or two sentences. */
  reason: string;
  /** In ASCII. A visitor's address is never the sender: the recipient's server would take the mail for spam. */
  replyTo?: { name: string; address: string };
  /** The value of Auto-Submitted, which suppresses automatic replies; missing in what a person wrote. */
  automatic?: "auto-generated" | "auto-replied" | undefined;
}

/** A paragraph; what somebody wrote, with its line breaks; values with their labels; the button. */
export type Part =
  | string
  | { words: string }
  | { rows: readonly (readonly [label: string, value: string])[] }
  | { button: string; url: string };

/** What every mail says about its sender. */
export interface Brand {
  /** The firm's name, or the site's host before one is published. */
  name: string;
  /** The origin of the site; null when no setting names it. */
  site: string | null;
  logo: { src: string; width: number; height: number } | null;
  color: string;
  /** Person, licenses, firm, address and disclosure. */
  ending: string;
  timeZone: string;
}

const maxLine = 76;
const logoHeight = 40;

export function renderLetter(letter: Letter, brand: Brand): { text: string; html: string } {
  const ending = [brand.ending, brand.site].filter(Boolean).join("\n\n");
  return { text: renderText(letter, ending), html: renderHtml(letter, brand, ending) };
}

function renderText({ title, parts, reason }: Letter, ending: string): string {
  const blocks = parts.map((part) => {
    if (typeof part === "string") return part;
    if ("words" in part) return part.words;
    if ("rows" in part) return part.rows.map((row) => row.join(": ")).join("\n");
    return `${part.button}:\n${part.url}`;
  });
  return `${wrap([...(title ? [title] : []), ...blocks, "--", reason, ending].join("\n\n"))}\n`;
}

/** Breaks lines between words. A longer word, such as a link, stays whole. */
function wrap(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n").split("\n").map(wrapLine).join("\n");
}

function wrapLine(line: string): string {
  if ([...line].length <= maxLine) return line;
  const lines = [""];
  for (const word of line.split(" ")) {
    const last = lines.at(-1) ?? "";
    const longer = last === "" ? word : `${last} ${word}`;
    if (last === "" || [...longer].length <= maxLine) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.join("\n");
}

/** Mail programs that drop the style sheet show the light colors of the attributes. */
const styles = `
body, .page { background: #f4f0e8; }
.card { background: #ffffff; }
.card, .card a, h1 { color: #23211e; }
.quiet, .quiet a { color: #5d574e; }
a { overflow-wrap: anywhere; }
@media (prefers-color-scheme: dark) {
  body, .page { background: #171614 !important; }
  .card { background: #24221f !important; }
  .card, .card a, h1 { color: #f1ede6 !important; }
  .quiet, .quiet a { color: #b9b2a7 !important; }
}`;

function renderHtml(letter: Letter, brand: Brand, ending: string): string {
  const { title, parts, reason, subject } = letter;
  const [first] = parts.flatMap((part) =>
    typeof part === "string" ? part : "words" in part ? part.words : [],
  );
  const heading = title
    ? `<h1 style="margin:0 0 16px;font-size:22px">${escapeMarkup(title)}</h1>`
    : "";
  const preview = escapeMarkup((first ?? subject).replace(/\s+/g, " ").slice(0, 150));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeMarkup(subject)}</title>
<style>${styles}</style>
</head>
<body style="margin:0">
<div style="display:none;max-height:0;overflow:hidden">${preview}</div>
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" bgcolor="#f4f0e8" style="table-layout:fixed">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px;table-layout:fixed;font-family:Georgia,serif;font-size:17px;line-height:1.5">
<tr><td style="padding:16px 24px;background:#ffffff;border-top:4px solid ${brand.color};border-radius:8px 8px 0 0;color:#23211e;font-weight:bold">${renderHeader(brand)}</td></tr>
<tr><td class="card" bgcolor="#ffffff" style="padding:24px;overflow-wrap:anywhere">
${[heading, ...parts.map((part) => renderPart(part, brand))].filter(Boolean).join("\n")}
</td></tr>
<tr><td class="quiet" style="padding:16px 24px;font-size:14px;overflow-wrap:anywhere">
${[reason, ending].map((text) => `<p style="margin:0 0 12px">${lines(text)}</p>`).join("\n")}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

/** On white in dark schemes, too, because a logo has dark letters. */
function renderHeader({ name, logo }: Brand): string {
  if (!logo) return escapeMarkup(name);
  const width = Math.min(280, Math.round((logo.width / logo.height) * logoHeight));
  return `<img src="${escapeMarkup(logo.src)}" width="${width}" alt="${escapeMarkup(name)}" style="display:block;max-width:100%;height:auto">`;
}

function renderPart(part: Part, { color }: Brand): string {
  if (typeof part === "string") return `<p style="margin:0 0 16px">${lines(part)}</p>`;
  if ("words" in part) {
    return `<div dir="auto" style="margin:0 0 16px;padding-left:16px;border-left:3px solid #8a8378">${lines(part.words)}</div>`;
  }
  if ("rows" in part) {
    const cells = part.rows.map(
      ([label, value]) =>
        `<p style="margin:0 0 4px"><span class="quiet">${escapeMarkup(label)}:</span> <span dir="auto">${escapeMarkup(value)}</span></p>`,
    );
    return `<div style="margin:0 0 16px">\n${cells.join("\n")}\n</div>`;
  }
  const url = escapeMarkup(part.url);
  return `<p style="margin:0 0 8px"><a href="${url}" style="display:inline-block;padding:12px 24px;border-radius:6px;background:${color};color:${textOn(color)} !important;text-decoration:none;font-weight:bold">${escapeMarkup(part.button)}</a></p>
<p class="quiet" style="margin:0 0 16px;font-size:14px"><a href="${url}">${url}</a></p>`;
}

/** White, or black on a light color. */
function textOn(color: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) =>
    Number.parseInt(color.slice(start, start + 2), 16),
  );
  return red * 0.299 + green * 0.587 + blue * 0.114 > 150 ? "#000000" : "#ffffff";
}

function lines(text: string): string {
  return escapeMarkup(text).replace(/\r\n|\r|\n/g, "<br>\n");
}
