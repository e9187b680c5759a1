// `npm run check-live`: lists what prevents the site from going live, while it runs or not. The exit code is 1 when a
// problem is an error. `--offline` contacts no other machine.
import { join, resolve } from "node:path";
import { runChecks, withPage } from "../app/config/checks/checks.ts";
import { readSettings } from "../app/config/read-settings.ts";
import { type Settings, SettingsError } from "../app/config/settings.ts";
import { connect } from "../backend/database.ts";
import { StartError } from "../backend/errors.ts";
import { readLiveFacts } from "../backend/live-facts.ts";
import { withDatabase } from "../backend/running-database.ts";
import { loadSecrets } from "../backend/secrets.ts";
import { gatherFacts } from "../server/checks/gather-facts.ts";

const root = join(import.meta.dirname, "..");
const unknown = process.argv.slice(2).filter((argument) => argument !== "--offline");
if (unknown.length > 0) stop("Usage: npm run check-live [-- --offline]");
const online = !process.argv.includes("--offline");

try {
  const settings = readSettings(root, console.error);
  const facts = settings.project
    ? await gatherFacts({
        ...{ settings, anonKey: settings.project.anonKey, readBackend: null, online },
      })
    : await gatherEmbedded(settings);
  const checks = runChecks(facts);
  for (const check of checks) {
    console.log(`${check.severity === "error" ? "Error" : "Warning"}: ${withPage(check)}`);
  }
  if (checks.length === 0) console.log("Nothing is wrong: the site can go live.");
  // Open connections to Resend and SMTP must not delay the end.
  process.exit(checks.some(({ severity }) => severity === "error") ? 1 : 0);
} catch (error) {
  const kinds = [SettingsError, StartError];
  if (error instanceof Error && kinds.some((kind) => error instanceof kind)) stop(error.message);
  stop(`The site's database could not be read: ${error instanceof Error ? error.message : error}`);
}

async function gatherEmbedded(settings: Settings) {
  const dataDir = resolve(root, settings.dataDir);
  const secrets = loadSecrets(dataDir, { create: false });
  return withDatabase(dataDir, secrets.databasePassword, async (url) => {
    const sql = connect(url, 2);
    try {
      const readBackend = () => readLiveFacts(sql, dataDir);
      return await gatherFacts({
        ...{ settings, anonKey: secrets.publishableKey, readBackend, online },
      });
    } finally {
      await sql.end({ timeout: 1 });
    }
  });
}

function stop(message: string): never {
  console.error(message);
  process.exit(1);
}
