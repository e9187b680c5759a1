// Which names an object may have. The name is only ever a value in the database, never a path on
// disk; it still is checked, because it ends up in addresses.
import { invalidKey } from "./storage-error.ts";

/** What the hosted service allows: characters that are safe in S3 keys. */
const allowedCharacters = /^[\w/!\-.*'() &$@=;:+,?]+$/;
const longestName = 1024;

export function assertObjectName(name: string): void {
  const allowed =
    name.length <= longestName &&
    allowedCharacters.test(name) &&
    name.split("/").every((segment) => segment !== "" && segment !== "." && segment !== "..");
  if (!allowed) throw invalidKey(name);
}
