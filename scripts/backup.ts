// `npm run backup -- FILE`: saves the embedded backend to one archive, also while the site runs.
import { join, resolve } from "node:path";
import { backUp } from "embedded-supabase/backup/backup.ts";
import { BadArchive } from "embedded-supabase/backup/backup-file.ts";
import { StartError } from "embedded-supabase/errors.ts";
import { readServerSettings } from "../app/config/read-settings.ts";
import { SettingsError } from "../app/config/server-settings.ts";
import { embeddedConfig } from "../embedded.config.ts";
import { backupFactsSchema, markBackup } from "../server/embedded/live-facts.ts";
import { stop } from "./stop.ts";

const root = join(import.meta.dirname, "..");
const [file, ...rest] = process.argv.slice(2);
if (!file || rest.length > 0) stop("Usage: npm run backup -- FILE");

try {
  const { dataDir } = readServerSettings(root, console.error);
  const target = resolve(process.env.INIT_CWD ?? ".", file);
  const folder = resolve(root, dataDir);
  const { rows, images, missing, facts } = await backUp(embeddedConfig, folder, target);
  const { archiveHead, isArchiveChanged } = backupFactsSchema.parse(facts);
  markBackup(folder, { archiveHead, isArchiveChanged });
  console.log(`${target}: ${rows} rows, ${images} images`);
  if (archiveHead) console.log(`The last row of the archive: ${archiveHead}`);
  console.log(
    "It holds the keys of the site and hashes of passwords: keep it as safe as DATA_DIR.",
  );
  if (isArchiveChanged) {
    stop("The archive is not what the backup before has (docs/operations.md, 'The archive').");
  }
  if (missing.length > 0) {
    stop(`Images of the database are missing on the disk: ${missing.join(", ")}`);
  }
} catch (error) {
  const kinds = [BadArchive, SettingsError, StartError];
  if (error instanceof Error && kinds.some((kind) => error instanceof kind)) stop(error.message);
  if (error instanceof Error && error.name === "PostgresError") {
    stop(`The backup cannot be read back: ${error.message}`);
  }
  throw error;
}
