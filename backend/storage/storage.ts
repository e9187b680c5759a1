// Storage of the embedded backend: /storage/v1 for an unmodified storage-js, with files on the local disk.
// Covers: upload, replace, read (public or under policies), list, move, remove, read buckets.
// Does not cover: signed URLs, resumable uploads, copy, image transformation, managing buckets.
import { Hono } from "hono";
import { z } from "zod";
import { type Authenticate, credentialsOf } from "../auth/authentication.ts";
import { type Identity, type Sql, withIdentity } from "../database.ts";
import { createFiles } from "./files.ts";
import { chunksOf, discard, limited } from "./incoming-file.ts";
import { listObjects, listOptionsSchema } from "./list-objects.ts";
import { type StoredObject, serveObject } from "./serve-object.ts";
import {
  invalidRequest,
  invalidToken,
  missingKey,
  noSuchBucket,
  noSuchObject,
  noSuchRoute,
  tooLarge,
  toStorageError,
} from "./storage-error.ts";
import { assertObjectName, type Upload, upload } from "./upload.ts";

export interface StorageOptions {
  sql: Sql;
  authenticate: Authenticate;
  /** Folder of the files. Nothing else may write there. */
  directory: string;
  /** Called when files were replaced, moved or removed. */
  onFilesChanged(): void;
}

const removeSchema = z.object({ prefixes: z.array(z.string().max(1024)).min(1).max(1000) });
const moveSchema = z.object({
  bucketId: z.string().max(100),
  sourceKey: z.string().max(1024),
  destinationKey: z.string().max(1024),
  destinationBucket: z.string().max(100).optional(),
});
const maxJsonBytes = 2 * 1024 * 1024;

/** Paths below /object/ that are other services, not buckets. */
const reservedNames = new Set([
  "public",
  "authenticated",
  "sign",
  "upload",
  "list",
  "info",
  "move",
]);

export function createStorage(options: StorageOptions) {
  const { sql, authenticate, directory, onFilesChanged } = options;
  const files = createFiles(directory);
  const prepared = files.prepare(async () => {
    const rows = await sql<{ version: string }[]>`
      select version from storage.objects where version is not null`;
    return new Set(rows.map(({ version }) => version));
  });
  // Requests report the failure. Without this line it would end the process.
  prepared.catch(() => {});

  const app = new Hono().basePath("/storage/v1");
  app.use(async (_context, next) => {
    await prepared;
    await next();
  });

  app.get("/object/public/:bucket/:name{.+}", (context) => {
    const { bucket, name } = context.req.param();
    return serveObject(context.req.raw, files, () => findPublic(bucket, name));
  });
  app.get("/object/authenticated/:bucket/:name{.+}", async (context) => {
    const { bucket, name } = context.req.param();
    return servePrivate(context.req.raw, bucket, name);
  });
  app.post("/object/list/:bucket", async (context) => {
    const identity = await identityOf(context.req.raw);
    const options = await readJson(context.req.raw, listOptionsSchema);
    return context.json(await listObjects(sql, identity, context.req.param("bucket"), options));
  });
  app.post("/object/move", async (context) => {
    const identity = await identityOf(context.req.raw);
    const id = await move(identity, await readJson(context.req.raw, moveSchema));
    return context.json({ message: "Successfully moved", Id: id });
  });

  app.use("/object/:bucket/*", async (context, next) => {
    const { method, path } = context.req;
    if (reservedNames.has(context.req.param("bucket"))) throw noSuchRoute(method, path);
    await next();
  });
  app.get("/object/:bucket/:name{.+}", async (context) => {
    const { bucket, name } = context.req.param();
    return servePrivate(context.req.raw, bucket, name);
  });
  app.post("/object/:bucket/:name{.+}", async (context) => {
    const { bucket, name } = context.req.param();
    const upsert = context.req.header("x-upsert") === "true";
    return receive(context.req.raw, { bucketId: bucket, name, upsert });
  });
  app.put("/object/:bucket/:name{.+}", async (context) => {
    const { bucket, name } = context.req.param();
    return receive(context.req.raw, { bucketId: bucket, name, upsert: true });
  });
  app.delete("/object/:bucket/:name{.+}", async (context) => {
    const identity = await identityOf(context.req.raw);
    const { bucket, name } = context.req.param();
    const removed = await remove(identity, bucket, [name]);
    if (removed.length === 0) throw noSuchObject();
    return context.json({ message: "Successfully deleted" });
  });
  app.delete("/object/:bucket", async (context) => {
    const identity = await identityOf(context.req.raw);
    const { prefixes } = await readJson(context.req.raw, removeSchema);
    return context.json(await remove(identity, context.req.param("bucket"), prefixes));
  });

  app.get("/bucket", async (context) => {
    return context.json(await findBuckets(await identityOf(context.req.raw), null));
  });
  app.get("/bucket/:id", async (context) => {
    const identity = await identityOf(context.req.raw);
    const [bucket] = await findBuckets(identity, context.req.param("id"));
    if (!bucket) throw noSuchBucket();
    return context.json(bucket);
  });

  app.notFound((context) => noSuchRoute(context.req.method, context.req.path).toResponse());
  app.onError(async (error, context) => {
    await discard(context.req.raw.body);
    return toStorageError(error).toResponse();
  });

  return async (request: Request): Promise<Response> => app.fetch(request);

  async function identityOf(request: Request): Promise<Identity> {
    const { apiKey, bearer } = credentialsOf(request);
    if (!apiKey && !bearer) throw missingKey();
    const identity = await authenticate(apiKey, bearer);
    if (!identity) throw invalidToken();
    return identity;
  }

  async function receive(request: Request, target: Upload): Promise<Response> {
    const identity = await identityOf(request);
    const stored = await upload(sql, files, identity, request, target);
    if (target.upsert) onFilesChanged();
    return Response.json(stored);
  }

  async function servePrivate(request: Request, bucket: string, name: string): Promise<Response> {
    const identity = await identityOf(request);
    return serveObject(request, files, () =>
      withIdentity(sql, identity, async (transaction) => {
        const [object] = await transaction<StoredObject[]>`
          select version, metadata from storage.objects
          where bucket_id = ${bucket} and name = ${name}`;
        return object;
      }),
    );
  }

  /** In a public bucket anyone may read an object by its address, whatever the policies say. */
  async function findPublic(bucket: string, name: string): Promise<StoredObject | undefined> {
    const [object] = await sql<StoredObject[]>`
      select objects.version, objects.metadata
      from storage.objects join storage.buckets on buckets.id = objects.bucket_id
      where buckets.public and bucket_id = ${bucket} and objects.name = ${name}`;
    return object;
  }

  /** Objects that the policies hide are skipped without an error. */
  async function remove(identity: Identity, bucket: string, names: string[]) {
    const removed = await withIdentity(
      sql,
      identity,
      (transaction) => transaction<{ version: string | null }[]>`
        delete from storage.objects where bucket_id = ${bucket} and name = any(${names})
        returning id, bucket_id, name, owner, owner_id, version, metadata, user_metadata,
          created_at, updated_at, last_accessed_at`,
    );
    if (removed.length > 0) onFilesChanged();
    // After the commit: if the process ends before this line, the next start removes the files.
    await files.remove(removed.flatMap(({ version }) => version ?? []));
    return removed;
  }

  /** Only the row changes: its version names the file on disk. */
  async function move(identity: Identity, target: z.output<typeof moveSchema>): Promise<string> {
    const { bucketId, sourceKey, destinationKey, destinationBucket = bucketId } = target;
    assertObjectName(destinationKey);
    const [moved] = await withIdentity(
      sql,
      identity,
      (transaction) => transaction<{ id: string }[]>`
        update storage.objects
        set bucket_id = ${destinationBucket}, name = ${destinationKey}, updated_at = now()
        where bucket_id = ${bucketId} and name = ${sourceKey}
        returning id`,
    );
    if (!moved) throw noSuchObject();
    onFilesChanged();
    return moved.id;
  }

  function findBuckets(identity: Identity, id: string | null) {
    return withIdentity(
      sql,
      identity,
      (transaction) => transaction`
        select id, name, owner, public, file_size_limit::float8, allowed_mime_types,
          created_at, updated_at
        from storage.buckets where ${id}::text is null or id = ${id} order by id`,
    );
  }
}

async function readJson<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
): Promise<z.output<Schema>> {
  const pieces: Buffer[] = [];
  for await (const piece of limited(chunksOf(request.body), maxJsonBytes, tooLarge)) {
    pieces.push(piece);
  }
  let body: unknown;
  try {
    body = JSON.parse(Buffer.concat(pieces).toString("utf8"));
  } catch {
    throw invalidRequest("The body is not JSON");
  }
  const result = schema.safeParse(body);
  if (!result.success) throw invalidRequest(`Invalid body: ${z.prettifyError(result.error)}`);
  return result.data;
}
