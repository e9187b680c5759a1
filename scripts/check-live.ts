// `npm run check-live`: says what keeps the site from going live, while it runs or not. The exit code is 1 when there
// is an error among it. `--offline` asks no other machine.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { createClient } from "@supabase/supabase-js";
import { runChecks } from "../app/config/checks/run-checks.ts";
import { readSettings } from "../app/config/read-settings.ts";
import { type Settings, SettingsError } from "../app/config/settings.ts";
import { DataDirInUse, lockDataDir } from "../backend/data-dir.ts";
import { connect, type Sql } from "../backend/database.ts";
import { StartError } from "../backend/errors.ts";
import { readLiveFacts } from "../backend/live-facts.ts";
import { findRunning, startPostgres } from "../backend/postgres/server.ts";
import { loadSecrets } from "../backend/secrets.ts";
import { type FactSources, gatherFacts } from "../server/checks/gather-facts.ts";
import {
  readStoredContent,
  type StoredContent,
  storedContentSchema,
} from "../server/checks/stored-content.ts";

const root = join(import.meta.dirname, "..");
const unknown = process.argv.slice(2).filter((argument) => argument !== "--offline");
if (unknown.length > 0) stop("Usage: npm run check-live [-- --offline]");
const online = !process.argv.includes("--offline");
const built = join(root, "build/client");
const clientDir = existsSync(built) ? built : join(root, "public");

try {
  const settings = readSettings(root, console.error);
  const checks = settings.project
    ? await check({
        ...common(settings, settings.project.anonKey),
        readContent: () => readHosted(settings.project),
        readBackendFacts: null,
      })
    : await checkEmbedded(settings);
  for (const { severity, text } of checks) {
    console.log(`${severity === "error" ? "Error" : "Warning"}: ${text}`);
  }
  if (checks.length === 0) console.log("Nothing is wrong: the site can go live.");
  // Resend and SMTP connections must not delay the end.
  process.exit(checks.some(({ severity }) => severity === "error") ? 1 : 0);
} catch (error) {
  const kinds = [SettingsError, StartError];
  if (error instanceof Error && kinds.some((kind) => error instanceof kind)) stop(error.message);
  stop(`The site's database could not be read: ${error instanceof Error ? error.message : error}`);
}

function common(settings: Settings, anonKey: string) {
  return { settings, anonKey, forwarded: null, clientDir, online };
}

async function check(sources: FactSources) {
  return runChecks(await gatherFacts(sources));
}

async function readHosted(project: Settings["project"]): Promise<StoredContent> {
  if (!project) throw new Error("No project is configured");
  return readStoredContent(
    createClient(project.url, project.anonKey, {
      auth: { persistSession: false, autoRefreshToken: false },
    }),
  );
}

/** Uses the running database, or starts it for as long as the checks take. */
async function checkEmbedded(settings: Settings) {
  const dataDir = resolve(root, settings.dataDir);
  const secrets = loadSecrets(dataDir, { create: false });
  const checkWith = async (url: string) => {
    const sql = connect(url, 2);
    try {
      return await check({
        ...common(settings, secrets.publishableKey),
        readContent: () => readEmbedded(sql),
        readBackendFacts: () => readLiveFacts(sql, dataDir),
      });
    } finally {
      await sql.end({ timeout: 1 });
    }
  };
  const lock = lockUnlessRunning(dataDir);
  if (!lock) {
    const url = findRunning(dataDir, secrets.databasePassword);
    if (!url) throw new DataDirInUse(dataDir);
    return checkWith(url);
  }
  try {
    const server = await startPostgres(dataDir, secrets.databasePassword);
    try {
      return await checkWith(server.url);
    } finally {
      await server.stop();
    }
  } finally {
    lock.release();
  }
}

function lockUnlessRunning(dataDir: string) {
  try {
    return lockDataDir(dataDir);
  } catch (error) {
    if (error instanceof DataDirInUse) return null;
    throw error;
  }
}

async function readEmbedded(sql: Sql): Promise<StoredContent> {
  return storedContentSchema.parse({
    settings: [...(await sql`select section, document from public.public_site_settings`)],
    posts: [
      ...(await sql`
        select id, title, author, tagline, content, image_url, is_sample from public.posts
        order by created_at desc limit 1000`),
    ],
    testimonials: [
      ...(await sql`
        select id, name, role, content, is_sample from public.testimonials
        where approved_at is not null order by created_at desc limit 1000`),
    ],
  });
}

function stop(message: string): never {
  console.error(message);
  process.exit(1);
}
