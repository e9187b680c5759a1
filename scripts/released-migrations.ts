// The migrations of released versions, which nobody edits: databases that applied them would differ from new ones.
// supabase/migrations.sha256 has their hashes, by the version that brought them; `npm run release` adds those of a new version.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "../supabase");
export const listFile = join(folder, "migrations.sha256");

/** The hashes of migrations by their names. */
type Hashes = ReadonlyMap<string, string>;

/** @returns by version, oldest first */
export function parseList(text: string): Map<string, Map<string, string>> {
  const releases = new Map<string, Map<string, string>>();
  let hashes = new Map<string, string>();
  for (const line of text.split("\n").filter(Boolean)) {
    const version = /^# (\d+\.\d+\.\d+)$/.exec(line)?.[1];
    const [, hash, name] = /^([0-9a-f]{64}) {2}migrations\/(\w+\.sql)$/.exec(line) ?? [];
    if (version) {
      hashes = new Map();
      releases.set(version, hashes);
    } else if (hash && name && releases.size > 0) hashes.set(name, hash);
    else throw new Error(`${listFile} has a line that is not a version or a hash: ${line}`);
  }
  return releases;
}

/** As `sha256sum` writes and checks it, in the folder `supabase`. */
export function formatList(releases: ReadonlyMap<string, Hashes>): string {
  return [...releases]
    .flatMap(([version, hashes]) => [
      `# ${version}`,
      ...[...hashes].map(([name, hash]) => `${hash}  migrations/${name}`),
    ])
    .map((line) => `${line}\n`)
    .join("");
}

export function readReleases() {
  return parseList(readFileSync(listFile, "utf8"));
}

/** The migrations of all releases. */
export function released(releases = readReleases()): Hashes {
  return new Map([...releases.values()].flatMap((hashes) => [...hashes]));
}

export function hashMigrations(): Hashes {
  const names = readdirSync(join(folder, "migrations")).filter((name) => name.endsWith(".sql"));
  return new Map(
    names.toSorted().map((name) => [
      name,
      createHash("sha256")
        .update(readFileSync(join(folder, "migrations", name)))
        .digest("hex"),
    ]),
  );
}

/** What an installed site could not follow, as sentences; nothing when all is well. */
export function findProblems(former: Hashes, present: Hashes): string[] {
  const last = [...former.keys()].toSorted().at(-1) ?? "";
  return [
    ...[...former].flatMap(([name, hash]) => {
      if (!present.has(name)) return [`${name} is released and must stay.`];
      return present.get(name) === hash
        ? []
        : [`${name} is released and must not be edited. Add a migration.`];
    }),
    ...[...present.keys()]
      .filter((name) => !former.has(name) && name < last)
      .map((name) => `${name} must have a later time than the released ${last}.`),
  ];
}
