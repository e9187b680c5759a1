// The errors of Storage in the format that storage-js reads.
// Covers: the errors of this handler. Does not cover: other error codes of the hosted service.
import postgres from "postgres";
import { isDiskFull, isUnavailable } from "../database-outage.ts";

interface ResponseOptions {
  /** By default 400, as on a hosted project, with the actual status in the body's `statusCode`. */
  httpStatus?: number;
  headers?: Record<string, string>;
}

export class StorageError extends Error {
  readonly statusCode: number;
  readonly error: string;
  readonly options: ResponseOptions;

  constructor(statusCode: number, error: string, message: string, options: ResponseOptions = {}) {
    super(message);
    this.statusCode = statusCode;
    this.error = error;
    this.options = options;
  }

  toResponse(): Response {
    const { error, message } = this;
    const { httpStatus = this.statusCode >= 500 ? this.statusCode : 400, headers } = this.options;
    return Response.json(
      { statusCode: String(this.statusCode), error, message },
      { status: httpStatus, headers: { "cache-control": "no-store", ...headers } },
    );
  }
}

export function missingKey(): StorageError {
  return new StorageError(401, "Unauthorized", "No API key found in request", { httpStatus: 401 });
}

export function invalidToken(): StorageError {
  return new StorageError(403, "Unauthorized", "Invalid API key or token");
}

export function noSuchRoute(method: string, path: string): StorageError {
  return new StorageError(404, "Not Found", `Route ${method}:${path} not found`, {
    httpStatus: 404,
  });
}

export function noSuchBucket(): StorageError {
  return new StorageError(404, "Bucket not found", "Bucket not found");
}

export function noSuchObject(options?: ResponseOptions): StorageError {
  return new StorageError(404, "not_found", "Object not found", options);
}

export function invalidKey(name: string): StorageError {
  return new StorageError(400, "InvalidKey", `Invalid key: ${name}`);
}

export function invalidRequest(message: string): StorageError {
  return new StorageError(400, "InvalidRequest", message);
}

export function tooLarge(): StorageError {
  return new StorageError(413, "Payload too large", "The object exceeded the maximum allowed size");
}

export function wrongType(message: string): StorageError {
  return new StorageError(415, "invalid_mime_type", message);
}

export function invalidImage(message: string): StorageError {
  return new StorageError(400, "InvalidImage", message);
}

/** Converts any error. Errors that the client cannot act on are logged. */
export function toStorageError(thrown: unknown): StorageError {
  if (thrown instanceof StorageError) return thrown;
  if (thrown instanceof postgres.PostgresError) {
    if (thrown.code === "42501") {
      return new StorageError(403, "Unauthorized", "new row violates row-level security policy");
    }
    if (thrown.code === "23505") {
      return new StorageError(409, "Duplicate", "The resource already exists");
    }
  }
  if (isUnavailable(thrown)) {
    return new StorageError(503, "Unavailable", "Storage is not available right now", {
      headers: { "retry-after": "2" },
    });
  }
  if (isDiskFull(thrown)) {
    return new StorageError(507, "DiskFull", "The server has no room left for this file");
  }
  console.error("storage:", thrown);
  return new StorageError(500, "Internal", "Internal Server Error");
}
