// `npm run restore -- FILE [--replace]`: a backup in the place of DATA_DIR. The site must not run.
import { join, resolve } from "node:path";
import { readSettings } from "../app/config/read-settings.ts";
import { SettingsError } from "../app/config/settings.ts";
import { BadArchive } from "../backend/backup/archive.ts";
import { RestoreRefused, restore } from "../backend/backup/restore.ts";
import { StartError } from "../backend/start-error.ts";

const root = join(import.meta.dirname, "..");
const parameters = process.argv.slice(2);
const replace = parameters.includes("--replace");
const [file, ...rest] = parameters.filter((parameter) => parameter !== "--replace");
if (!file || rest.length > 0) stop("Usage: npm run restore -- FILE [--replace]");

try {
  const dataDir = resolve(root, readSettings(root, console.error).dataDir);
  const source = resolve(process.env.INIT_CWD ?? ".", file);
  const onStep = (line: string) => console.log(`  ${line}`);
  const result = await restore({ file: source, dataDir, replace, onStep });
  console.log(`${dataDir}: ${result.rows} rows, ${result.pictures} pictures`);
  if (result.formerDir) console.log(`What was there before lies in ${result.formerDir}`);
} catch (error) {
  const kinds = [BadArchive, RestoreRefused, SettingsError, StartError];
  if (error instanceof Error && kinds.some((kind) => error instanceof kind)) {
    stop(`${error.message}\nNothing was changed.`);
  }
  throw error;
}

function stop(message: string): never {
  console.error(message);
  process.exit(1);
}
