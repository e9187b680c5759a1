// `npm run check-live`: lists what prevents the site from going live, while it runs or not. The exit code is 1 when a
// problem is an error. `--offline` contacts no other machine. With SUPABASE_SECRET_KEY, it also looks into a hosted project.
import { join, resolve } from "node:path";
import { connect } from "embedded-supabase/database.ts";
import { StartError } from "embedded-supabase/errors.ts";
import { withDatabase } from "embedded-supabase/running-database.ts";
import { loadSecrets } from "embedded-supabase/secrets.ts";
import { isLoopbackUrl, listUnchecked, runChecks, withPage } from "../app/config/checks/checks.ts";
import type { Findings, SiteFacts } from "../app/config/checks/facts.ts";
import { readServerSettings } from "../app/config/read-settings.ts";
import { type ServerSettings, SettingsError } from "../app/config/server-settings.ts";
import { gatherFacts } from "../server/checks/gather-facts.ts";
import { inspectAddress } from "../server/checks/inspect-address.ts";
import { inspectInside, inspectServices, type Project } from "../server/checks/inspect-project.ts";
import { readLiveFacts } from "../server/embedded/live-facts.ts";
import { listExpectedFacts } from "./new-database.ts";
import { stop } from "./stop.ts";

const root = join(import.meta.dirname, "..");
const unknown = process.argv.slice(2).filter((argument) => argument !== "--offline");
if (unknown.length > 0) stop("Usage: npm run check-live [-- --offline]");
const online = !process.argv.includes("--offline");

try {
  const settings = readServerSettings(root, console.error);
  const { project } = settings;
  const facts = await (project ? gatherHosted(settings, project) : gatherEmbedded(settings));
  const checks = runChecks(facts);
  for (const check of checks) {
    console.log(`${check.severity === "error" ? "Error" : "Warning"}: ${withPage(check)}`);
  }
  const unchecked = listUnchecked(facts);
  if (unchecked.length > 0) console.log(`Not checked: ${unchecked.join(", ")}.`);
  if (checks.length === 0) console.log("Nothing is wrong: the site can go live.");
  // Open connections to Resend and SMTP must not delay the end.
  process.exit(checks.some(({ severity }) => severity === "error") ? 1 : 0);
} catch (error) {
  const kinds = [SettingsError, StartError];
  if (error instanceof Error && kinds.some((kind) => error instanceof kind)) stop(error.message);
  stop(`The site's database could not be read: ${error instanceof Error ? error.message : error}`);
}

async function gatherHosted(settings: ServerSettings, project: Project): Promise<SiteFacts> {
  const { anonKey, url } = project;
  const facts = await gatherFacts({ settings, anonKey, readBackend: null, online });
  if (!online) return facts;
  const services = await inspectServices(project, facts.address.siteUrl);
  const address = await inspectPublicAddress(settings, facts, anonKey);
  const secretKey = process.env.SUPABASE_SECRET_KEY?.trim();
  const expected = secretKey ? await listExpectedFacts(url).catch(() => null) : null;
  const inside = secretKey ? await inspectInside(project, secretKey, expected) : null;
  return { ...facts, ...inside, findings: { ...services, ...address, ...inside?.findings } };
}

async function inspectPublicAddress(
  { project, turnstile }: ServerSettings,
  { address: { siteUrl, source } }: SiteFacts,
  anonKey: string,
): Promise<Findings> {
  if (!online || source === null || isLoopbackUrl(siteUrl)) return {};
  const policy = {
    siteUrl: () => siteUrl,
    supabaseUrl: project?.url ?? null,
    turnstile: Boolean(turnstile.siteKey),
  };
  return inspectAddress(policy, anonKey);
}

async function gatherEmbedded(settings: ServerSettings): Promise<SiteFacts> {
  const dataDir = resolve(root, settings.dataDir);
  const secrets = loadSecrets(dataDir, { create: false });
  return withDatabase(dataDir, secrets.databasePassword, async (url) => {
    const sql = connect(url, 2);
    try {
      const readBackend = () => readLiveFacts(sql, dataDir);
      const anonKey = secrets.publishableKey;
      const facts = await gatherFacts({ settings, anonKey, readBackend, online });
      return { ...facts, findings: await inspectPublicAddress(settings, facts, anonKey) };
    } finally {
      await sql.end({ timeout: 1 });
    }
  });
}
