// Whether a site may send mail. A restored copy may not: its queue holds messages that the live site sends.
// Covers: what a restore writes and `npm run restore -- --live` removes. Does not cover: folders copied by hand.
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const fileName = "outgoing-mail-held";

export function holdMail(dataDir: string): void {
  const explanation = `Restored from a backup at ${new Date().toISOString()}. See docs/operations.md.\n`;
  writeFileSync(join(dataDir, fileName), explanation, { mode: 0o600, flush: true });
}

/** Read at the start of the site. */
export function isMailHeld(dataDir: string): boolean {
  return existsSync(join(dataDir, fileName));
}

/** @returns false when it was not held. */
export function releaseMail(dataDir: string): boolean {
  const wasHeld = isMailHeld(dataDir);
  rmSync(join(dataDir, fileName), { force: true });
  return wasHeld;
}
