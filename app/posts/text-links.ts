import { LinkifyIt } from "linkify-it";

export interface TextPiece {
  text: string;
  /** Where the piece links to; absent for plain text. */
  href?: string;
}

const www = "www.";

// Only what is certainly meant as a web address: 'file.md' and 'ada@example.com' stay text.
const addresses = new LinkifyIt({ fuzzyLink: false, fuzzyEmail: false })
  .add("ftp:", null)
  .add("mailto:", null)
  .add("//", null)
  .add(www, {
    validate(text, end, { re }) {
      // Not in the middle of an e-mail address, a path or a longer host name.
      if (/[@./\\-]/.test(text[end - www.length - 1] ?? "")) return 0;
      const rest = re.get_relative_proto_validator();
      rest.lastIndex = end;
      return rest.exec(text)?.[0].length ?? 0;
    },
    normalize(match) {
      match.url = `https://${match.url}`;
    },
  });

/** Splits text into plain pieces and web addresses: those with http or https, and 'www.'. */
export function splitLinks(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let end = 0;
  for (const { index, lastIndex, raw, url } of addresses.match(text) ?? []) {
    if (!URL.canParse(url)) continue;
    if (index > end) pieces.push({ text: text.slice(end, index) });
    pieces.push({ text: raw, href: url });
    end = lastIndex;
  }
  if (end < text.length) pieces.push({ text: text.slice(end) });
  return pieces;
}
