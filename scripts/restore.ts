// `npm run restore -- FILE [--replace]`: a backup in the place of DATA_DIR. The site must not run.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseSettings } from "../app/config/settings.ts";
import { BadArchive } from "../backend/backup/archive.ts";
import { RestoreRefused, restore } from "../backend/backup/restore.ts";

const root = join(import.meta.dirname, "..");
if (existsSync(join(root, ".env"))) process.loadEnvFile(join(root, ".env"));
const parameters = process.argv.slice(2);
const replace = parameters.includes("--replace");
const [file, ...rest] = parameters.filter((parameter) => parameter !== "--replace");
if (!file || rest.length > 0) stop("Usage: npm run restore -- FILE [--replace]");

try {
  const dataDir = resolve(root, parseSettings(process.env).dataDir);
  const source = resolve(process.env.INIT_CWD ?? ".", file);
  const onStep = (line: string) => console.log(`  ${line}`);
  const result = await restore({ file: source, dataDir, replace, onStep });
  console.log(`${dataDir}: ${result.rows} rows, ${result.pictures} pictures`);
  if (result.formerDir) console.log(`What was there before lies in ${result.formerDir}`);
} catch (error) {
  if (error instanceof BadArchive || error instanceof RestoreRefused) {
    stop(`${error.message}\nNothing was changed.`);
  }
  throw error;
}

function stop(message: string): never {
  console.error(message);
  process.exit(1);
}
