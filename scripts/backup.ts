// `npm run backup -- FILE`: everything of the embedded backend in one archive, while the site runs or not.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseSettings } from "../app/config/settings.ts";
import { BadArchive } from "../backend/backup/archive.ts";
import { backUp } from "../backend/backup/backup.ts";

const root = join(import.meta.dirname, "..");
if (existsSync(join(root, ".env"))) process.loadEnvFile(join(root, ".env"));
const [file, ...rest] = process.argv.slice(2);
if (!file || rest.length > 0) stop("Usage: npm run backup -- FILE");

try {
  const { dataDir } = parseSettings(process.env);
  const target = resolve(process.env.INIT_CWD ?? ".", file);
  const { rows, pictures, missing } = await backUp(resolve(root, dataDir), target);
  console.log(`${target}: ${rows} rows, ${pictures} pictures`);
  console.log(
    "It holds the keys of the site and hashes of passwords: keep it as safe as DATA_DIR.",
  );
  if (missing.length > 0) {
    stop(`Pictures that the database knows were not on the disk: ${missing.join(", ")}`);
  }
} catch (error) {
  if (error instanceof BadArchive) stop(error.message);
  throw error;
}

function stop(message: string): never {
  console.error(message);
  process.exit(1);
}
