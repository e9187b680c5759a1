import { escapeXml } from "../seo/xml.ts";
import type { Block } from "./blocks.ts";
import { splitLinks } from "./text-links.ts";

/** Blocks as HTML for feed readers. Stored text stays text. */
export function blocksToHtml(blocks: readonly Block[]): string {
  return blocks.map(blockToHtml).join("\n");
}

function blockToHtml(block: Block): string {
  switch (block.type) {
    case "heading":
      return `<h2>${escapeXml(block.text)}</h2>`;
    case "paragraph":
      return `<p>${linkedText(block.text).replace(/\r?\n/g, "<br>")}</p>`;
    case "list":
      return `<ul>${block.items.map((item) => `<li>${linkedText(item)}</li>`).join("")}</ul>`;
    case "quote":
      return `<blockquote><p>${escapeXml(block.text)}</p></blockquote>`;
  }
}

function linkedText(text: string): string {
  return splitLinks(text)
    .map(({ text: piece, href }) =>
      href ? `<a href="${escapeXml(href)}">${escapeXml(piece)}</a>` : escapeXml(piece),
    )
    .join("");
}
