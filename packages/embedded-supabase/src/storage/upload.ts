// Stores an image or PDF in a bucket: its row under the caller's policies and its bytes on disk, or neither.
// Covers: new objects, replacing (x-upsert, PUT), size and type limits, images that the project rejects.
import { randomUUID } from "node:crypto";
import type { ReadableStream as NodeStream } from "node:stream/web";
import type { EmbeddedConfig } from "../config.ts";
import { type Identity, type Sql, type Transaction, withIdentity } from "../database.ts";
import { HttpError } from "../errors.ts";
import { matchesType, wrongType } from "./check-type.ts";
import type { Files } from "./files.ts";

export interface Upload {
  bucketId: string;
  name: string;
  /** Whether an existing object of this name is replaced. */
  upsert: boolean;
}

interface Limits {
  bytes: number;
  types: string[];
}

/** The characters that the hosted service allows, which are safe in S3 keys. */
const objectName = /^[\w/!\-.*'() &$@=;:+,?]{1,1024}$/;
/** Thrown to roll back a transaction that the policies allow. */
const rollback = Symbol("rollback");
const MAX_DISCARDED_BYTES = 128 * 1024 * 1024;

export async function upload(
  sql: Sql,
  files: Files,
  identity: Identity,
  request: Request,
  target: Upload,
  findImageProblem: EmbeddedConfig["findImageProblem"],
): Promise<{ Id: string; Key: string }> {
  assertObjectName(target.name);
  const limits = await readLimits(sql, target.bucketId);
  const type = request.headers.get("content-type") ?? "";
  if (!limits.types.includes(type)) throw wrongType(type);
  const version = randomUUID();
  await assertAllowed(sql, identity, target, version, type);

  try {
    const { size, md5, head } = await files.receive(version, chunksOf(request.body), limits.bytes);
    if (!matchesType(type, head)) throw wrongType(type);
    if (type.startsWith("image/")) {
      const problem = await findImageProblem(files.receivedPath(version));
      if (problem) throw new HttpError(400, "InvalidImage", problem);
    }
    // These keys are the ones that a hosted project stores and the site reads.
    const metadata = {
      ...{ eTag: `"${md5}"`, size, mimetype: type, lastModified: new Date().toISOString() },
      cacheControl: validCacheControl(request.headers.get("cache-control")),
    };
    const { id, replaced } = await withIdentity(sql, identity, async (transaction) => {
      const row = await writeRow(transaction, identity, target, version, metadata);
      await files.commit(version);
      return row;
    });
    // Runs after the commit: if the process ends before this line, the next start removes the file.
    if (replaced) await files.remove([replaced]);
    return { Id: id, Key: `${target.bucketId}/${target.name}` };
  } finally {
    await files.discard(version);
  }
}

/** Reads without the caller's policies, as on a hosted project: an upload needs no policy on buckets. */
async function readLimits(sql: Sql, bucketId: string): Promise<Limits> {
  const [bucket] = await sql<Limits[]>`
    select file_size_limit::float8 as bytes, coalesce(allowed_mime_types, '{}') as types
    from storage.buckets where id = ${bucketId}`;
  if (!bucket) throw new HttpError(404, "Bucket not found", "Bucket not found");
  return bucket;
}

/**
 * Writes the row and rolls back, so that a rejected upload writes no file. The row is written again after the bytes have
 * arrived, because a slow client must not occupy a database connection.
 */
async function assertAllowed(
  sql: Sql,
  identity: Identity,
  target: Upload,
  version: string,
  mimetype: string,
): Promise<void> {
  try {
    await withIdentity(sql, identity, async (transaction) => {
      await writeRow(transaction, identity, target, version, { mimetype });
      throw rollback;
    });
  } catch (thrown) {
    if (thrown !== rollback) throw thrown;
  }
}

async function writeRow(
  transaction: Transaction,
  identity: Identity,
  { bucketId, name, upsert }: Upload,
  version: string,
  metadata: Record<string, string | number>,
): Promise<{ id: string; replaced: string | null }> {
  const id = randomUUID();
  const subject = typeof identity.claims.sub === "string" ? identity.claims.sub : null;
  const row = {
    ...{ id, bucket_id: bucketId, name, version },
    ...{ owner: subject, owner_id: subject, metadata: transaction.json(metadata) },
  };
  if (!upsert) {
    // `returning` would require a select policy.
    await transaction`insert into storage.objects ${transaction(row)}`;
    return { id, replaced: null };
  }
  const [written] = await transaction<{ id: string; replaced: string | null }[]>`
    insert into storage.objects ${transaction(row)}
    on conflict (bucket_id, name) do update set
      version = excluded.version, metadata = excluded.metadata,
      owner = excluded.owner, owner_id = excluded.owner_id, updated_at = now()
    returning new.id, old.version as replaced`;
  return written ?? { id, replaced: null };
}

/** Checks an object's name. Names are part of public addresses, but never become paths on disk. */
export function assertObjectName(name: string): void {
  const isRelative = (segment: string) => ["", ".", ".."].includes(segment);
  if (objectName.test(name) && !name.split("/").some(isRelative)) return;
  throw new HttpError(400, "InvalidKey", `Invalid key: ${name}`);
}

/** Responses send the value as a header, so it must be valid in one. */
function validCacheControl(value: string | null): string {
  return value && /^[\w ,=-]{1,100}$/.test(value) ? value : "no-cache";
}

/** Ending the iteration early leaves the rest of the body for `discardBody`. */
async function* chunksOf(body: Request["body"]): AsyncGenerator<Uint8Array> {
  try {
    // Node declares its web streams separately from the global ones, although the classes are the same.
    if (body) yield* (body as NodeStream<Uint8Array>).values({ preventCancel: true });
  } catch {
    throw new HttpError(400, "InvalidRequest", "The request was cut off");
  }
}

/**
 * Reads the rest of a rejected body: a browser that is still sending reports a broken connection instead of reading the
 * response.
 */
export async function discardBody(body: Request["body"]): Promise<void> {
  if (!body || body.locked) return;
  let size = 0;
  try {
    for await (const chunk of chunksOf(body)) {
      size += chunk.length;
      if (size > MAX_DISCARDED_BYTES) return;
    }
  } catch {
    // The client disconnected, so it reads no response.
  }
}
