// A newer release of the site, as its server finds it and Home shows it.
import { z } from "zod";

/** Three numbers. A version with a suffix is no release. */
export const versionSchema = z.string().regex(/^(0|[1-9]\d{0,4})(\.(0|[1-9]\d{0,4})){2}$/);

const line = z.string().max(1000);

/** What a release changes, as the parts of its changelog; empty when it could not be read. */
export const changesSchema = z
  .array(z.object({ title: line, items: z.array(line).max(100) }))
  .max(20);
export type Changes = z.infer<typeof changesSchema>;

export const releaseSchema = z.object({
  version: versionSchema,
  changes: changesSchema,
  /** How it gets installed: by the machine in the coming night, or by a person with `adviser-site upgrade` or `git pull`. */
  install: z.enum(["tonight", "upgrade", "pull"]),
});
export type Release = z.infer<typeof releaseSchema>;

export function isNewer(version: string, than: string): boolean {
  const [a = [], b = []] = [version, than].map((each) => each.split(".").map(Number));
  const at = a.findIndex((number, index) => number !== b[index]);
  return at >= 0 && (a[at] ?? 0) > (b[at] ?? 0);
}
