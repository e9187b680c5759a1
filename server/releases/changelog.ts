// Reads what releases changed from the text of a changelog (keepachangelog.com). Covers headings and lists; other text is left out.
import { type Changes, isNewer, versionSchema } from "../../app/config/checks/release.ts";

const bounds = { parts: 20, items: 100, characters: 1000 };

/** @returns the parts of all versions after one and up to another, together */
export function readChanges(changelog: string, after: string, upTo: string): Changes {
  const parts = new Map<string, string[]>();
  let items: string[] = [];
  let isWanted = false;
  for (const line of changelog.split(/\r?\n/)) {
    const version = /^## \[?v?([\d.]+)/.exec(line)?.[1];
    const title = /^### (.*)/.exec(line)?.[1];
    const item = /^[-*] (.*)/.exec(line)?.[1];
    const continuation = /^ {2,}(\S.*)/.exec(line)?.[1];
    if (line.startsWith("## ")) {
      items = [];
      isWanted =
        versionSchema.safeParse(version).success &&
        isNewer(version ?? "", after) &&
        !isNewer(version ?? "", upTo);
    }
    if (!isWanted) continue;
    if (title !== undefined) {
      items = parts.get(plain(title)) ?? [];
      parts.set(plain(title), items);
    } else if (item !== undefined) items.push(item);
    else if (continuation !== undefined && items.length > 0) {
      items.push(`${items.pop()} ${continuation}`);
    }
  }
  return [...parts]
    .filter(([, items]) => items.length > 0)
    .slice(0, bounds.parts)
    .map(([title, items]) => ({
      title,
      items: [...new Set(items.slice(0, bounds.items).map(plain))],
    }));
}

/** Without Markdown, control characters, and marks that change the direction of text. */
function plain(text: string): string {
  return text
    .replace(/\[([^[\]]*)\]\([^()]*\)/g, "$1")
    .replace(/`|\*\*/g, "")
    .replace(/[\p{Cc}\p{Cf}]/gu, "")
    .trim()
    .slice(0, bounds.characters);
}
