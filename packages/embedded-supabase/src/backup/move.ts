// Copies everything of a site to an empty one: from a data folder to a hosted project, or back.
// Covers: people, images, then all rows in one transaction; continuing after an interruption; comparing every image and row.
// Only reads from the source. Does not cover: passwords, sessions, the Vault, functions and their secrets.
import { createHash } from "node:crypto";
import pLimit from "p-limit";
import type { MoveConfig } from "../config.ts";
import type { Sql, Transaction } from "../database.ts";
import { listMigrations } from "./backup.ts";
import {
  beginLoad,
  describeRows,
  dumpRows,
  listSequences,
  listTables,
  loadRows,
  nameOf,
  setSequence,
  type Table,
} from "./tables.ts";

type Image = Record<"bucket" | "name" | "type", string>;
type Account = { id: string; email: string };

/** A data folder or a hosted project. */
export interface Site {
  name: string;
  sql: Sql;
  /** @returns null when the database has the image but its file is missing */
  readImage(image: Image): Promise<Buffer | null>;
  /** Replaces an image of this name. */
  writeImage(image: Image, content: Buffer): Promise<void>;
  /** Creates an account that has no password, or one that nobody knows. Sends no mail. */
  createAccount(account: Account): Promise<void>;
}

const schemas = ["public", "private"];
/** The number of images in memory. */
const IMAGES_AT_ONCE = 4;

/**
 * Continues when an interrupted run has left people and images of the source at the target.
 * @returns images without a file at the source
 */
export async function move(
  config: MoveConfig,
  source: Pick<Site, "name" | "sql" | "readImage">,
  target: Site,
  onStep: (line: string) => void,
): Promise<string[]> {
  return source.sql.begin("isolation level repeatable read read only", async (from) => {
    await prepareSession(from);
    if (String(await listMigrations(from)) !== String(await listMigrations(target.sql))) {
      throw new Error(`${source.name} and ${target.name} differ in their migrations. Apply all of them:
start the site once, or run npx supabase db push for a hosted project.`);
    }
    const tables = (await listTables(from, schemas)).filter(
      ({ name }) => !config.skippedTables.includes(name),
    );
    const people = await config.listAccounts(from);
    const images = await listImages(from);
    const listAccounts = () => target.sql<Account[]>`select id, email from auth.users`;
    const accounts = await listAccounts();
    const copies = await listImages(target.sql);
    assertEmpty([
      ...(await listContent(config, target.sql, tables)),
      ...accounts.filter(isNotIn(people)).map(({ email }) => `the account ${email}`),
      // An interrupted move has copied people first. An image that the source has removed since is unused.
      ...(accounts.length === 0 ? copies.map((image) => `the image ${pathOf(image)}`) : []),
    ]);

    for (const person of people.filter(isNotIn(accounts))) await target.createAccount(person);
    if (people.some(isNotIn(await listAccounts()))) {
      throw new Error(
        `The new accounts of ${target.name} are not in its database. Is it another one?`,
      );
    }
    onStep(`${people.length} people`);
    const missing = await copyImages(images, isNotIn(copies));
    await target.sql.begin(async (to) => {
      await prepareSession(to);
      for (const table of tables) await to`lock table ${nameOf(to, table)} in exclusive mode`;
      assertEmpty(await listContent(config, to, tables));
      await beginLoad(to, tables);
      for (const table of tables) {
        for await (const rows of dumpRows(from, table)) await loadRows(to, table, rows);
        const [original, copy] = [await describeRows(from, table), await describeRows(to, table)];
        onStep(`${table.schema}.${table.name}: ${copy}`);
        if (original !== copy) throw new Error(`This copy is wrong. The original has ${original}.`);
      }
      for (const sequence of await listSequences(from)) {
        if (schemas.includes(sequence.schema)) await setSequence(to, sequence);
      }
    });
    return missing;
  });

  function assertEmpty(content: string[]): void {
    if (content.length === 0) return;
    throw new Error(`${target.name} is not empty: it has ${content.join(", ")}.
Only samples, and what an interrupted move from ${source.name} copied, may be there.`);
  }

  async function copyImages(images: Image[], isNew: (image: Image) => boolean): Promise<string[]> {
    let done = 0;
    const hashes = await pLimit(IMAGES_AT_ONCE).map(images, async (image) => {
      const content = await source.readImage(image);
      if (!content) return null;
      const isCopied = async () => (await target.readImage(image))?.equals(content);
      if (isNew(image) || !(await isCopied())) {
        await target.writeImage(image, content);
        if (!(await isCopied())) throw new Error(`The copy of ${pathOf(image)} is wrong.`);
      }
      done += 1;
      if (done % 20 === 0) onStep(`${done} of ${images.length} images`);
      return createHash("sha256").update(content).digest("hex");
    });
    const hash = createHash("sha256").update(hashes.join()).digest("hex");
    onStep(`${done} images, hash ${hash.slice(0, 32)}`);
    return images.filter((_, index) => !hashes[index]).map(pathOf);
  }
}

/** Gives times the same text at both sites, and statements all the time that they need. */
async function prepareSession(sql: Transaction): Promise<void> {
  await sql`
    select set_config('TimeZone', 'UTC', true), set_config('statement_timeout', '0', true)`;
}

/** What the tables have apart from expendable rows that nobody has edited. */
async function listContent(
  { isDerived, expendableRows }: MoveConfig,
  sql: Sql | Transaction,
  tables: Table[],
): Promise<string[]> {
  const content: string[] = [];
  for (const table of tables) {
    if (isDerived(table.name)) continue;
    // JSON escapes the quotation marks inside a text.
    const [{ rows } = { rows: 0 }] = await sql<{ rows: number }[]>`
      select count(*)::int as rows
      from ${nameOf(sql, table)} as stored, to_jsonb(stored) as row
      where row::text not like all (${expendableRows})
        or row ->> 'updated_at' <> row ->> 'created_at'`;
    if (rows > 0) content.push(`${rows} rows in ${table.schema}.${table.name}`);
  }
  return content;
}

async function listImages(sql: Sql | Transaction): Promise<Image[]> {
  return sql<Image[]>`
    select bucket_id as bucket, name, metadata ->> 'mimetype' as type
    from storage.objects order by 1, 2`;
}

function isNotIn<Item>(items: Item[]): (item: Item) => boolean {
  const known = new Set(items.map((item) => JSON.stringify(item)));
  return (item) => !known.has(JSON.stringify(item));
}

function pathOf({ bucket, name }: Image): string {
  return `${bucket}/${name}`;
}
