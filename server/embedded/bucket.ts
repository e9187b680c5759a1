// A bucket with copies of the backups, in any service with the API of S3.
// Covers: its settings with the encrypted secret key, a test, copying a backup, deleting expired copies.
// Does not cover: encrypting the copies, which are as readable as the backups; files above 5 GB, which S3 takes in parts only.
import { createHash, randomUUID } from "node:crypto";
import { createReadStream, existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { basename } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { AwsClient } from "aws4fetch";
import { z } from "zod";
import { type BucketForm, bucketSchema } from "../../app/config/bucket.ts";
import { bucketFile, bucketName, replaceInFolder, timeOf } from "./backup-folder.ts";
import { listExpired } from "./backup-plan.ts";
import { decryptSecret, encryptSecret } from "./stored-secrets.ts";

const storedSchema = bucketSchema.extend({ secret: z.string() });
const purpose = "bucket of backups";
const timeout = 15_000;
const copyTimeout = 2 * 60 * 60_000;

/** What the service answered, as a sentence for the owner. */
export class BucketProblem extends Error {}

/** The settings without the secret key; null without a bucket. */
export function readBucket(dataDir: string): Omit<BucketForm, "secret"> | null {
  const stored = readStored(dataDir);
  if (!stored) return null;
  const { secret: _, ...settings } = stored;
  return settings;
}

/** @param form an empty secret keeps the stored one. @throws {BucketProblem} */
export function storeBucket(dataDir: string, form: BucketForm): void {
  const former = readStored(dataDir);
  if (!form.secret && !former) throw new BucketProblem("Please enter the secret access key.");
  const secret = form.secret ? encryptSecret(dataDir, purpose, form.secret) : former?.secret;
  replaceInFolder(dataDir, bucketName, JSON.stringify({ ...form, secret }, null, 2));
}

export function forgetBucket(dataDir: string): void {
  rmSync(bucketFile(dataDir), { force: true });
}

/** Writes, reads and deletes a small file. @throws {BucketProblem} */
export async function testBucket(dataDir: string): Promise<void> {
  const call = openBucket(dataDir);
  const key = `test-${randomUUID()}.txt`;
  const said = "A test of the backups. It can be deleted.\n";
  await call("PUT", key, { hash: hashOf(said), body: said });
  const found = await call("GET", key);
  if (found !== said) throw new BucketProblem("The bucket did not return what was stored in it");
  await call("DELETE", key);
}

/** Copies a backup, and deletes the copies that have expired. @throws {BucketProblem} */
export async function copyToBucket(dataDir: string, file: string, timeZone: string): Promise<void> {
  const call = openBucket(dataDir);
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  await call("PUT", basename(file), {
    hash: hash.digest("hex"),
    body: Readable.toWeb(createReadStream(file)) as BodyInit,
    length: statSync(file).size,
  });
  // Names begin with the year. Of all files of the bucket, only the first thousand would be listed.
  const list = await call("GET", "", { query: "?list-type=2&prefix=20" });
  const keys = [...list.matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key = ""]) => key);
  const copies = keys.flatMap((key) => {
    const time = timeOf(key);
    return time ? [{ key, time }] : [];
  });
  const expired = listExpired(
    copies.map(({ time }) => time),
    timeZone,
  );
  for (const { key, time } of copies) if (expired.includes(time)) await call("DELETE", key);
}

interface Content {
  /** SHA-256 of the body, which the signature covers. */
  hash?: string;
  body?: BodyInit;
  length?: number;
  query?: string;
}

function openBucket(dataDir: string) {
  const stored = readStored(dataDir);
  const secretAccessKey = stored && decryptSecret(dataDir, purpose, stored.secret);
  if (!stored || !secretAccessKey) {
    throw new BucketProblem("The secret access key cannot be read. Please enter it again");
  }
  const { endpoint, region, bucket, keyId: accessKeyId } = stored;
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3" });

  /** @returns the body of the response */
  return async (method: string, key: string, content: Content = {}): Promise<string> => {
    const { hash = hashOf(""), body, length, query = "" } = content;
    const address = `${endpoint}/${bucket}/${key}${query}`;
    const { headers } = await client.sign(address, {
      method,
      headers: { "x-amz-content-sha256": hash },
    });
    if (length !== undefined) headers.set("content-length", String(length));
    const response = await fetch(address, {
      ...{ method, headers, redirect: "manual", ...(body && { body, duplex: "half" }) },
      signal: AbortSignal.timeout(length === undefined ? timeout : copyTimeout),
    }).catch((error) => {
      const { cause, name } = Object(error);
      const reason = cause?.code ?? (name === "TimeoutError" ? "no response" : "no connection");
      throw new BucketProblem(`The service cannot be reached (${reason})`);
    });
    const text = await response.text();
    if (response.ok) return text;
    const [, code = ""] = /<Code>(\w{1,60})<\/Code>/.exec(text) ?? [];
    throw new BucketProblem(explain(code, response.status));
  };
}

function explain(code: string, status: number): string {
  const known: Record<string, string> = {
    NoSuchBucket: "There is no bucket of this name",
    InvalidAccessKeyId: "The service does not know the access key ID",
    SignatureDoesNotMatch: "The secret access key is wrong",
    AccessDenied: "The key may not write, read, list and delete in this bucket",
    AuthorizationHeaderMalformed: "The region is wrong",
  };
  return known[code] ?? `The service answered with ${code || `status ${status}`}`;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function readStored(dataDir: string): z.output<typeof storedSchema> | null {
  const file = bucketFile(dataDir);
  return existsSync(file) ? storedSchema.parse(JSON.parse(readFileSync(file, "utf8"))) : null;
}
