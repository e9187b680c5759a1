// `npm run restore -- FILE [--replace]`: restores a backup to DATA_DIR. The site must be stopped.
// `npm run restore -- --live`: declares the restored site in DATA_DIR the live one, which sends
// mail.
import { existsSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { BadArchive } from "embedded-supabase/backup/backup-file.ts";
import { RestoreRefused, restore } from "embedded-supabase/backup/restore.ts";
import { isDataDirInUse, releaseOutgoingMail } from "embedded-supabase/data-dir.ts";
import { StartError } from "embedded-supabase/errors.ts";
import { readServerSettings } from "../app/config/read-settings.ts";
import { SettingsError } from "../app/config/server-settings.ts";
import { embeddedConfig } from "../embedded.config.ts";
import { stop } from "./stop.ts";

const root = join(import.meta.dirname, "..");
const parameters = process.argv.slice(2);
const replace = parameters.includes("--replace");
const [file, ...rest] = parameters.filter((parameter) => parameter !== "--replace");
if (!file || rest.length > 0) {
  stop("Usage: npm run restore -- FILE [--replace]\n       npm run restore -- --live");
}

try {
  const path = resolve(root, readServerSettings(root, console.error).dataDir);
  // Replaces the folder behind a link, not the link.
  const dataDir = existsSync(path) ? realpathSync(path) : path;
  if (file === "--live") {
    goLive(dataDir);
    process.exit(0);
  }
  const source = resolve(process.env.INIT_CWD ?? ".", file);
  const onStep = (line: string) => console.log(`  ${line}`);
  const result = await restore({ config: embeddedConfig, file: source, dataDir, replace, onStep });
  console.log(`${dataDir}: ${result.rows} rows, ${result.images} images`);
  console.log(
    "Outgoing mail is held. When this is the live site: npm run restore -- --live (docs/operations.md).",
  );
  if (result.formerDir) {
    console.log(`What was there before lies in ${result.formerDir}`);
    console.log(
      `Keep it as long as the archive (docs/operations.md): the backup lacks the pages since ${result.madeAt}.`,
    );
  }
} catch (error) {
  const kinds = [BadArchive, RestoreRefused, SettingsError, StartError];
  const isExpected = kinds.some((kind) => error instanceof kind);
  if (error instanceof Error && (isExpected || error.name === "PostgresError")) {
    stop(`${error.message}\nNothing was changed.`);
  }
  throw error;
}

function goLive(dataDir: string): void {
  if (!releaseOutgoingMail(dataDir)) {
    console.log(`${dataDir}: outgoing mail is not held.`);
  } else if (isDataDirInUse(dataDir)) {
    console.log(`${dataDir}: outgoing mail is sent from the next start on. Restart the site.`);
  } else {
    console.log(`${dataDir}: outgoing mail is sent from the next start on.`);
  }
}
