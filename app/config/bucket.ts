// The settings of a bucket for copies of the backups, for the form and the server.
import { z } from "zod";

/** Without TLS on this machine alone. */
const endpointPattern = /^(https:\/\/[^\s/?#@]+|http:\/\/(localhost|127\.\d+\.\d+\.\d+)(:\d+)?)$/;

const text = (max: number) => z.string().trim().max(max);

export const bucketSchema = z.object({
  endpoint: text(200)
    .overwrite((typed) => typed.replace(/\/+$/, ""))
    .regex(endpointPattern, "The address must look like https://s3.us-east-1.amazonaws.com."),
  region: text(60)
    .overwrite((typed) => typed || "us-east-1")
    .regex(/^[\w-]+$/, "A region looks like us-east-1."),
  bucket: text(63).regex(
    /^[a-z0-9][a-z0-9.-]+[a-z0-9]$/,
    "The name of a bucket has small letters, digits, dots and hyphens.",
  ),
  keyId: text(128).regex(/^\S+$/, "Please enter the access key ID."),
  /** Empty to keep the stored one, which is never shown. */
  secret: text(256).regex(/^\S*$/, "The secret access key has no blanks."),
});
export type BucketForm = z.output<typeof bucketSchema>;
