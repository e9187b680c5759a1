// Storage of the embedded backend: /storage/v1 for storage-js, with files on the local disk.
// Covers: uploading and replacing images and PDFs, reading (publicly or under policies), moving, removing.
// Does not cover: forms (multipart), lists, ranges, signed URLs, resumable uploads, copies, managing buckets.
import { Hono } from "hono";
import { z } from "zod";
import { type Authenticate, credentialsOf } from "../auth/authentication.ts";
import type { EmbeddedConfig } from "../config.ts";
import { type Identity, type Sql, withIdentity } from "../database.ts";
import { databaseUnavailable, diskFull, isDiskFull, isUnavailable } from "../database-outage.ts";
import { codeOf, HttpError } from "../errors.ts";
import { createFiles } from "./files.ts";
import { noSuchObject, type StoredObject, serveObject } from "./serve-object.ts";
import { assertObjectName, discardBody, type Upload, upload } from "./upload.ts";

interface StorageOptions {
  sql: Sql;
  authenticate: Authenticate;
  /** The folder of the files, which only this module may write to. */
  directory: string;
  findImageProblem: EmbeddedConfig["findImageProblem"];
  /** Called when a file was stored, with its bucket and name, and when files were moved or removed. */
  onFilesChanged(stored?: string): void;
}

/** PostgreSQL stores no null character. */
const nameSchema = z
  .string()
  .max(1024)
  .refine((name) => !name.includes("\0"));
const removeSchema = z.object({ prefixes: z.array(nameSchema).min(1).max(1000) });
const moveSchema = z.object({
  bucketId: nameSchema,
  sourceKey: nameSchema,
  destinationKey: nameSchema,
  destinationBucket: nameSchema.optional(),
});

export function createStorage(options: StorageOptions) {
  const { sql, authenticate, directory, findImageProblem, onFilesChanged } = options;
  const files = createFiles(directory);
  const prepared = files.prepare(async () => {
    const rows = await sql<{ version: string }[]>`
      select version from storage.objects where version is not null`;
    return new Set(rows.map(({ version }) => version));
  });
  // Requests report the failure. Without this handler, the rejection would end the process.
  prepared.catch(() => {});

  const app = new Hono().basePath("/storage/v1/object");
  app.get("/public/:bucket/:name{.+}", (context) => {
    const { bucket, name } = context.req.param();
    return serveObject(context.req.raw, files, () => findPublic(bucket, name));
  });
  app.get("/:bucket/:name{.+}", async (context) => {
    const identity = await identityOf(context.req.raw);
    const { bucket, name } = context.req.param();
    return serveObject(
      context.req.raw,
      files,
      async () => (await findPublic(bucket, name)) ?? findReadable(identity, bucket, name),
    );
  });
  app.post("/:bucket/:name{.+}", (context) => {
    const upsert = context.req.header("x-upsert") === "true";
    const { bucket, name } = context.req.param();
    return receive(context.req.raw, { bucketId: bucket, name, upsert });
  });
  app.put("/:bucket/:name{.+}", (context) => {
    const { bucket, name } = context.req.param();
    return receive(context.req.raw, { bucketId: bucket, name, upsert: true });
  });
  app.post("/move", async (context) => {
    const identity = await identityOf(context.req.raw);
    await move(identity, await readJson(context.req.raw, moveSchema));
    return context.json({ message: "Successfully moved" });
  });
  app.delete("/:bucket", async (context) => {
    const identity = await identityOf(context.req.raw);
    const { prefixes } = await readJson(context.req.raw, removeSchema);
    return context.json(await remove(identity, context.req.param("bucket"), prefixes));
  });
  app.notFound(({ req }) =>
    new HttpError(404, "Not Found", `Route ${req.method}:${req.path} not found`).toResponse(
      req.path,
    ),
  );
  app.onError(async (error, { req }) => {
    await discardBody(req.raw.body);
    return errorResponse(error, req.path);
  });

  return async (request: Request): Promise<Response> => {
    await prepared;
    return app.fetch(request);
  };

  async function identityOf(request: Request): Promise<Identity> {
    const { apiKey, bearer } = credentialsOf(request);
    if (!apiKey && !bearer) throw new HttpError(401, "Unauthorized", "The API key is missing");
    const identity = await authenticate(apiKey, bearer);
    if (!identity) throw new HttpError(403, "Unauthorized", "Invalid API key or token");
    return identity;
  }

  async function receive(request: Request, target: Upload): Promise<Response> {
    const identity = await identityOf(request);
    const stored = await upload(sql, files, identity, request, target, findImageProblem);
    onFilesChanged(stored.Key);
    return Response.json(stored);
  }

  function findReadable(identity: Identity, bucket: string, name: string) {
    return withIdentity(sql, identity, async (transaction) => {
      const [object] = await transaction<StoredObject[]>`
        select version, metadata from storage.objects
        where bucket_id = ${bucket} and name = ${name}`;
      return object;
    });
  }

  /** Anyone may read an object of a public bucket, whatever the policies say. */
  async function findPublic(bucket: string, name: string): Promise<StoredObject | undefined> {
    const [object] = await sql<StoredObject[]>`
      select objects.version, objects.metadata
      from storage.objects join storage.buckets on buckets.id = objects.bucket_id
      where buckets.public and bucket_id = ${bucket} and objects.name = ${name}`;
    return object;
  }

  /** Skips objects that the policies hide, without an error. */
  async function remove(identity: Identity, bucket: string, names: string[]) {
    const removed = await withIdentity(
      sql,
      identity,
      (transaction) => transaction<{ version: string | null }[]>`
        delete from storage.objects where bucket_id = ${bucket} and name = any(${names})
        returning id, bucket_id, name, owner_id, version, metadata, created_at, updated_at`,
    );
    if (removed.length > 0) onFilesChanged();
    // Runs after the commit: if the process ends before this line, the next start removes the files.
    await files.remove(removed.flatMap(({ version }) => version ?? []));
    return removed;
  }

  /** Changes only the row, because the version names the file on disk. */
  async function move(identity: Identity, target: z.output<typeof moveSchema>): Promise<void> {
    const { bucketId, sourceKey, destinationKey, destinationBucket = bucketId } = target;
    assertObjectName(destinationKey);
    const moved = await withIdentity(
      sql,
      identity,
      (transaction) => transaction`
        update storage.objects
        set bucket_id = ${destinationBucket}, name = ${destinationKey}, updated_at = now()
        where bucket_id = ${bucketId} and name = ${sourceKey}
        returning id`,
    );
    if (moved.length === 0) throw noSuchObject();
    onFilesChanged();
  }
}

/** The body is in memory (request-bounds.ts). */
async function readJson<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
): Promise<z.output<Schema>> {
  const body = await request.json().catch(() => null);
  const { data, error } = schema.safeParse(body);
  if (error) throw new HttpError(400, "InvalidRequest", z.prettifyError(error));
  return data;
}

/** Logs errors that the client cannot fix. */
function errorResponse(error: unknown, path: string): Response {
  if (error instanceof HttpError) return rejection(error, path);
  if (isUnavailable(error)) return databaseUnavailable();
  if (isDiskFull(error)) return diskFull();
  const code = codeOf(error);
  if (code === "42501") {
    const message = "new row violates row-level security policy";
    return rejection(new HttpError(403, "Unauthorized", message), path);
  }
  if (code === "23505") {
    return rejection(new HttpError(409, "Duplicate", "The resource already exists"), path);
  }
  console.error("storage:", error);
  return new HttpError(500, "Internal", "Internal Server Error").toResponse(path);
}

/** Responds with 400, as a hosted project does; the body has the actual status. Only its gateway responds with 401. */
function rejection(error: HttpError, path: string): Response {
  const { status, headers, body } = error.toResponse(path);
  return new Response(body, { status: status === 401 ? 401 : 400, headers });
}
