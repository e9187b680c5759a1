// Stores a file in a bucket: its row under the caller's policies and its bytes on disk, or neither.
// Covers: new objects, replacing (x-upsert, PUT), size and type limits, images that cannot be decoded.
// Does not cover: signed and resumable uploads.
import { randomUUID } from "node:crypto";
import { type Identity, type Sql, type Transaction, withIdentity } from "../database.ts";
import { assertDecodable, headLength, matchesDeclaredType } from "./check-image.ts";
import type { Files, ReceivedFile } from "./files.ts";
import { type IncomingFile, limited, readIncomingFile, withCheckedHead } from "./incoming-file.ts";
import { invalidKey, noSuchBucket, tooLarge, wrongType } from "./storage-error.ts";

export interface Upload {
  bucketId: string;
  name: string;
  /** Whether to replace an object of this name. */
  upsert: boolean;
}

interface Limits {
  fileSize: number;
  /** Null allows every type. */
  types: string[] | null;
}

/** For a bucket without a limit, as on a hosted project with the free plan. */
const defaultFileSize = 50 * 1024 * 1024;
/** The hosted service allows the characters that are safe in S3 keys. */
const objectName = /^[\w/!\-.*'() &$@=;:+,?]{1,1024}$/;
/** Thrown to roll back a transaction that the policies allow. */
const rollback = Symbol("rollback");

export async function upload(
  sql: Sql,
  files: Files,
  identity: Identity,
  request: Request,
  target: Upload,
): Promise<{ Id: string; Key: string }> {
  assertObjectName(target.name);
  const limits = await readLimits(sql, target.bucketId);
  const version = randomUUID();
  await assertAllowed(sql, identity, target, version);

  try {
    const incoming = await readIncomingFile(request, (contentType, content) =>
      receiveWithin(limits, files, version, contentType, content),
    );
    await assertDecodable(files.receivedPath(version), incoming.contentType);
    const metadata = metadataOf(incoming);
    const { id, replaced } = await withIdentity(sql, identity, async (transaction) => {
      const row = await writeRow(transaction, identity, target, version, metadata);
      await files.commit(version);
      return row;
    });
    // After the commit: if the process ends before this line, the next start removes the file.
    if (replaced) await files.remove([replaced]);
    return { Id: id, Key: `${target.bucketId}/${target.name}` };
  } finally {
    await files.discard(version);
  }
}

/** Reads without the caller's policies, as on a hosted project: an upload needs no policy on buckets. */
async function readLimits(sql: Sql, bucketId: string): Promise<Limits> {
  const [bucket] = await sql<{ file_size_limit: string | null; types: string[] | null }[]>`
    select file_size_limit, allowed_mime_types as types from storage.buckets where id = ${bucketId}`;
  if (!bucket) throw noSuchBucket();
  return {
    fileSize: Number(bucket.file_size_limit ?? defaultFileSize),
    types: bucket.types?.length ? bucket.types : null,
  };
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
): Promise<void> {
  try {
    await withIdentity(sql, identity, async (transaction) => {
      await writeRow(transaction, identity, target, version, {});
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

/** Names never become paths on disk, but they are part of public addresses. */
export function assertObjectName(name: string): void {
  const isRelative = (segment: string) => ["", ".", ".."].includes(segment);
  if (!objectName.test(name) || name.split("/").some(isRelative)) throw invalidKey(name);
}

async function receiveWithin(
  limits: Limits,
  files: Files,
  version: string,
  contentType: string,
  content: AsyncIterable<Buffer>,
): Promise<ReceivedFile> {
  if (limits.types && !limits.types.some((allowed) => covers(allowed, contentType))) {
    throw wrongType(`mime type ${contentType} is not supported`);
  }
  const checked = withCheckedHead(content, headLength, (head) => {
    if (!matchesDeclaredType(contentType, head)) {
      throw wrongType(`mime type ${contentType} is not supported: the file is of another type`);
    }
  });
  return files.receive(version, limited(checked, limits.fileSize, tooLarge));
}

/** `image/*` covers `image/png`. */
function covers(allowed: string, contentType: string): boolean {
  return allowed.endsWith("/*")
    ? contentType.startsWith(allowed.slice(0, -1))
    : allowed === contentType;
}

/** The same keys as on a hosted project. */
function metadataOf({ received, contentType, cacheControl }: IncomingFile<ReceivedFile>) {
  return {
    eTag: `"${received.md5}"`,
    size: received.size,
    contentLength: received.size,
    mimetype: contentType,
    cacheControl,
    lastModified: new Date().toISOString(),
    httpStatusCode: 200,
  };
}
