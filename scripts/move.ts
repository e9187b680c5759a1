// `npm run move -- --to URL` copies the site in DATA_DIR to the hosted project at URL, `--from URL` the project to DATA_DIR.
// The keys of the project come from the environment or `.env`: other users of the machine can read a command line.
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createClient } from "@supabase/supabase-js";
import { insertAccount } from "embedded-supabase/auth/new-accounts.ts";
import { move, type Site } from "embedded-supabase/backup/move.ts";
import { holdOutgoingMail, isOutgoingMailHeld } from "embedded-supabase/data-dir.ts";
import { connect, connectToProject, type Sql } from "embedded-supabase/database.ts";
import { withDatabase } from "embedded-supabase/running-database.ts";
import { loadSecrets } from "embedded-supabase/secrets.ts";
import { startDatabase } from "embedded-supabase/start-database.ts";
import { loadEnvironmentFile } from "../app/config/read-settings.ts";
import { embeddedConfig } from "../embedded.config.ts";
import { withoutSession } from "../supabase/functions/_shared/without-session.ts";

const usage = `Usage: npm run move -- --to URL      copies the site in DATA_DIR to the hosted project at URL
       npm run move -- --from URL    copies the hosted project at URL to DATA_DIR
SUPABASE_SECRET_KEY and SUPABASE_DB_URL must be those of the project (docs/hosted.md).`;

// The driver throws here when a connection breaks during a transaction.
process.on("uncaughtException", () => end("The connection to the database broke."));
try {
  const root = join(import.meta.dirname, "..");
  loadEnvironmentFile(root);
  const [direction, url = "", ...rest] = process.argv.slice(2);
  const run = direction === "--to" ? moveTo : direction === "--from" ? moveFrom : null;
  const { SUPABASE_SECRET_KEY: key, SUPABASE_DB_URL: databaseUrl, DATA_DIR } = process.env;
  if (!run || !URL.canParse(url) || rest.length > 0 || !key || !databaseUrl) throw new Error(usage);
  const project = openProject(new URL(url).origin, key, databaseUrl);
  const dataDir = resolve(root, DATA_DIR || ".data");
  const missing = await run(project, dataDir);
  console.log(`Complete: every row and image is the same at both sites. Passwords are not moved: each person sets
a new one with 'Forgot password?', or gets one from npm run owner -- password EMAIL. Both sites send
the mails that wait in their queues, so only one of them may have a mail service.`);
  if (missing.length > 0) console.error(`Left out, without a file: ${missing.join(", ")}.`);
  process.exit(missing.length > 0 ? 1 : 0);
} catch (error) {
  end(error);
}

function moveTo(project: Site, dataDir: string): Promise<string[]> {
  const { databasePassword } = loadSecrets(dataDir, { create: false });
  return withDatabase(dataDir, databasePassword, (url) =>
    move(embeddedConfig.move, openFolder(dataDir, connect(url, 5)), project, console.log),
  );
}

async function moveFrom(project: Site, dataDir: string): Promise<string[]> {
  if (existsSync(join(dataDir, "secrets.json")) && !isOutgoingMailHeld(dataDir)) {
    throw new Error(`${dataDir} has a site. Name a new folder in DATA_DIR.`);
  }
  await mkdir(join(dataDir, "storage/objects"), { recursive: true, mode: 0o700 });
  holdOutgoingMail(dataDir);
  const { sql, stop } = await startDatabase({
    ...{ config: embeddedConfig, dataDir, siteUrl: "" },
    onStep: console.log,
  });
  try {
    return await move(embeddedConfig.move, project, openFolder(dataDir, sql), console.log);
  } finally {
    await stop();
  }
}

function openFolder(dataDir: string, sql: Sql): Site {
  const fileOf = (version: string) => join(dataDir, "storage/objects", version);
  return {
    name: dataDir,
    sql,
    async readImage({ bucket, name }) {
      const [image] = await sql<{ version: string }[]>`
        select version from storage.objects where bucket_id = ${bucket} and name = ${name}`;
      if (!image) throw new Error(`${name} was moved or removed meanwhile. Run the command again.`);
      return readFile(fileOf(image.version)).catch((error) => {
        if (error.code === "ENOENT") return null;
        throw error;
      });
    },
    // The next start of the site removes a file that was replaced.
    async writeImage({ bucket, name, type }, content) {
      const version = randomUUID();
      await writeFile(fileOf(version), content, { mode: 0o600, flush: true });
      const metadata = {
        ...{ eTag: `"${version}"`, size: content.length, mimetype: type },
        ...{ cacheControl: "max-age=3600", lastModified: new Date().toISOString() },
      };
      await sql`
        insert into storage.objects (bucket_id, name, version, metadata)
        values (${bucket}, ${name}, ${version}, ${sql.json(metadata)})
        on conflict (bucket_id, name) do update
          set version = excluded.version, metadata = excluded.metadata`;
    },
    async createAccount({ id, email }) {
      await insertAccount(sql, email, id);
    },
  };
}

function openProject(name: string, secretKey: string, databaseUrl: string): Site {
  const { auth, storage } = createClient(name, secretKey, { auth: withoutSession });
  const fail = ({ message }: Error) => new Error(`${name}: ${message}`);
  return {
    name,
    sql: connectToProject(databaseUrl, 5),
    async readImage({ bucket, name: path }) {
      const { data, error } = await storage.from(bucket).download(path);
      if (data) return Buffer.from(await data.arrayBuffer());
      if ("statusCode" in error && error.statusCode === "404") return null;
      throw fail(error);
    },
    async writeImage({ bucket, name: path, type }, content) {
      const settings = { contentType: type, upsert: true };
      const { error } = await storage.from(bucket).upload(path, content, settings);
      if (error) throw fail(error);
    },
    async createAccount({ id, email }) {
      const { error } = await auth.admin.createUser({ id, email, email_confirm: true });
      if (error) throw fail(error);
    },
  };
}

function end(error: unknown): never {
  console.error(error instanceof Error ? error.message : error);
  console.error("The source is unchanged. The same command continues an interrupted move.");
  process.exit(1);
}
