// `npm run deploy`, after `npx supabase link`: brings the linked project to this version of the site, with its functions, secrets,
// configuration, schedules and owner, writes what the site needs into `.env`, and checks the project. Safe to repeat: each step sets
// what it is about, and keeps everything else. Reads SITE_URL, OWNER_EMAIL and the settings of mail from the environment or `.env`.
// `--sample-content` adds the sample posts and testimonials to a new project.
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { loadEnvironmentFile } from "../app/config/read-settings.ts";
import { SettingsError } from "../app/config/server-settings.ts";
import { stop } from "./stop.ts";

const usage = "Usage: npm run deploy [-- --sample-content]";
/** The folder of the project, in which npm runs commands. */
const root = process.cwd();

const environmentSchema = z.object({
  SITE_URL: z.url({
    protocol: /^https?$/,
    error: "Set SITE_URL to the public address of the site, such as https://www.example.com.",
  }),
  OWNER_EMAIL: z.email("Set OWNER_EMAIL to the address with which you will sign in."),
  SITE_KEY: z.string().optional(),
  SEND_EMAIL_HOOK_SECRET: z.string().optional(),
});
type Environment = z.output<typeof environmentSchema>;

/** Settings of the site that are secrets of its functions on a hosted project. */
const functionSettings = [
  ...["SMTP_URL", "RESEND_API_KEY", "CONTACT_TO", "CONTACT_FROM", "CONTACT_CONFIRMATION"],
  ...["DKIM_SELECTOR", "TURNSTILE_SECRET_KEY"],
] as const;

const keysSchema = z.array(z.looseObject({ name: z.string(), api_key: z.string().nullish() }));

interface Project {
  ref: string;
  url: string;
  anonKey: string;
  secretKey: string;
}

/** Holds files with secrets for the time of one run. */
const folder = mkdtempSync(join(tmpdir(), "deploy-"));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

const withSamples = readOptions();
const environment = readEnvironment();
const siteUrl = new URL(environment.SITE_URL).origin;

step("Reading the keys of the linked project");
const project = readProject();

step(`Applying the migrations to ${project.ref}`);
supabase("db", "push", "--yes", ...(withSamples ? ["--include-seed"] : []));

step("Deploying the functions");
const functions = readdirSync(join(root, "supabase/functions")).filter((name) => !/^_/.test(name));
supabase("functions", "deploy", "--use-api", ...functions);

step("Setting the secrets of the functions");
const settings = readFunctionSettings();
/** The same for Auth and the function that it calls. A new one for each run, because a secret cannot be read back. */
const hookSecret =
  environment.SEND_EMAIL_HOOK_SECRET ?? `v1,whsec_${randomBytes(32).toString("base64")}`;
const sendsMail = "SMTP_URL" in settings || "RESEND_API_KEY" in settings;
supabase(
  ...["secrets", "set", "--env-file"],
  writeSecretFile("secrets", {
    ...{ ALLOWED_ORIGINS: siteUrl, ...settings },
    ...(sendsMail && { SEND_EMAIL_HOOK_SECRET: hookSecret }),
  }),
);
if (!sendsMail) {
  console.log(
    "No mail is set here: messages wait at /messages until an owner sets it up (/manage/settings/mail).",
  );
}

step("Setting the configuration of Auth");
pushConfiguration();

step("Setting the schedules, and the key of the site");
const siteKey = environment.SITE_KEY ?? randomBytes(30).toString("base64url");
runSql();

step("Adding the owner");
const owner = [join(import.meta.dirname, "owner.ts"), environment.OWNER_EMAIL];
run(process.execPath, owner, keysOfProject());

step("Writing what the site needs into .env");
writeSiteSettings();

step("Checking the project");
const { status } = spawnSync(process.execPath, [join(import.meta.dirname, "check-live.ts")], {
  ...{ cwd: root, stdio: "inherit", env: { ...process.env, ...keysOfProject() } },
});
console.log(
  status === 0
    ? "\nThe project is complete. Start the site with npm start, wherever this .env is."
    : "\nThe project is deployed. Correct what the lines above name, then run npm run deploy again.",
);
process.exitCode = status ?? 1;

function readOptions(): boolean {
  try {
    const options = { "sample-content": { type: "boolean", default: false } } as const;
    return parseArgs({ options }).values["sample-content"];
  } catch {
    return stop(usage);
  }
}

function readEnvironment(): Environment {
  try {
    loadEnvironmentFile(root);
  } catch (error) {
    if (error instanceof SettingsError) stop(error.message);
    throw error;
  }
  const given = Object.entries(process.env).filter(([, value]) => value !== "");
  const { data, error } = environmentSchema.safeParse(Object.fromEntries(given));
  if (error) stop([...error.issues.map(({ message }) => message), usage].join("\n"));
  return data;
}

function readProject(): Project {
  const file = join(root, "supabase/.temp/project-ref");
  if (!existsSync(file)) stop("No project is linked. First run: npx supabase link");
  const ref = readFileSync(file, "utf8").trim();
  const printed = read("projects", "api-keys", "--reveal", "--output", "json", `--remote=${ref}`);
  const keys = keysSchema.parse(JSON.parse(printed));
  const find = (prefix: string, legacy: string) =>
    keys.find(({ api_key }) => api_key?.startsWith(prefix))?.api_key ??
    keys.find(({ name }) => name === legacy)?.api_key ??
    stop(`The project has no key that begins with ${prefix}.`);
  return {
    ref,
    url: process.env.SUPABASE_URL || `https://${ref}.supabase.co`,
    anonKey: find("sb_publishable_", "anon"),
    secretKey: find("sb_secret_", "service_role"),
  };
}

function readFunctionSettings(): Record<string, string> {
  return Object.fromEntries(
    functionSettings.flatMap((name) => {
      const value = process.env[name]?.trim();
      return value ? [[name, value]] : [];
    }),
  );
}

/** A copy with the addresses of this site, so that `git pull` finds no change in config.toml. */
function pushConfiguration(): void {
  cpSync(join(root, "supabase"), join(folder, "supabase"), { recursive: true });
  const file = join(folder, "supabase/config.toml");
  let text = readFileSync(file, "utf8");
  for (const [placeholder, value] of [
    [/^site_url = .*$/m, `site_url = ${JSON.stringify(siteUrl)}`],
    [
      /^(\[auth\.hook\.send_email\]\n)enabled = .*\nuri = .*$/m,
      `$1enabled = ${sendsMail}\nuri = "${project.url}/functions/v1/send-email/account"`,
    ],
  ] as const) {
    if (!placeholder.test(text)) stop(`supabase/config.toml lacks ${placeholder}`);
    text = text.replace(placeholder, value);
  }
  writeFileSync(file, text);
  const push = ["config", "push", "--yes", "--workdir", folder, `--remote=${project.ref}`];
  run("supabase", push, { SEND_EMAIL_HOOK_SECRET: hookSecret });
}

/** One statement, because the platform may run one at a time. */
function runSql(): void {
  const secrets = { project_url: project.url, secret_key: project.secretKey };
  const file = join(folder, "deploy.sql");
  const text = `do $deploy$
declare
  secret record;
  stored uuid;
begin
  for secret in select key as name, value from jsonb_each_text(${quote(JSON.stringify(secrets))}) loop
    select id into stored from vault.secrets where name = secret.name;
    if stored is null then
      perform vault.create_secret(secret.value, secret.name);
    else
      perform vault.update_secret(stored, secret.value);
    end if;
  end loop;
  perform private.schedule_jobs();
  insert into private.site_key (hash) values (sha256(convert_to(${quote(siteKey)}, 'UTF8')))
    on conflict (is_only) do update set hash = excluded.hash, created_at = now()
      where site_key.hash <> excluded.hash;
end;
$deploy$;`;
  writeFileSync(file, text, { mode: 0o600 });
  supabase("db", "query", "--yes", "--file", file);
}

/** Adds what is neither there nor in the environment. */
function writeSiteSettings(): void {
  const { SUPABASE_SECRET_KEY: _, ...wanted } = keysOfProject();
  const missing = Object.entries(wanted).filter(([name, value]) => process.env[name] !== value);
  const lines = missing.flatMap(([name, value]) => {
    if (!process.env[name]) return `${name}=${value}\n`;
    console.log(`${name} is set to another value, which was left.`);
    return [];
  });
  const file = join(root, ".env");
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const before = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  if (lines.length > 0) writeFileSync(file, before + lines.join(""), { mode: 0o600 });
}

function keysOfProject(): Record<string, string> {
  return {
    ...{ SUPABASE_URL: project.url, SUPABASE_ANON_KEY: project.anonKey, SITE_URL: siteUrl },
    ...{ SUPABASE_SECRET_KEY: project.secretKey, SITE_KEY: siteKey },
  };
}

/** Not on the command line, which other users of the machine can read. */
function writeSecretFile(name: string, secrets: Record<string, string>): string {
  const file = join(folder, name);
  const lines = Object.entries(secrets).map(([key, value]) => `${key}=${JSON.stringify(value)}\n`);
  writeFileSync(file, lines.join(""), { mode: 0o600 });
  return file;
}

function step(what: string): void {
  console.log(`\n${what} …`);
}

/** Runs the CLI on the linked project, and stops when it fails. */
function supabase(...args: string[]): void {
  run("supabase", [...args, `--remote=${project.ref}`]);
}

function read(...args: string[]): string {
  const { status, stdout } = spawnSync("supabase", args, {
    ...{ cwd: root, encoding: "utf8", stdio: ["inherit", "pipe", "inherit"] },
  });
  if (status !== 0)
    stop("The keys of the project could not be read. First run: npx supabase login");
  return stdout;
}

function run(program: string, args: string[], variables: Record<string, string> = {}): void {
  const { status } = spawnSync(program, args, {
    ...{ cwd: root, stdio: "inherit", env: { ...process.env, ...variables } },
  });
  if (status !== 0) {
    stop(`\nThis step failed. What was done before it stays; run npm run deploy again.`);
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
