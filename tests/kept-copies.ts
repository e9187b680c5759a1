// Copies in the archive, added as the site's capture does.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { connect, type Sql } from "embedded-supabase/database.ts";
import { runningDatabase } from "embedded-supabase/postgres/server.ts";
import { loadSecrets } from "embedded-supabase/secrets.ts";

const hashOf = (content: Buffer) => createHash("sha256").update(content).digest("hex");
const font = readFileSync(join(import.meta.dirname, "../app/fonts/figtree-basic.woff2"));
const pdf = Buffer.from("%PDF-1.7");
const image = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>');
const sheet = Buffer.from(
  `@font-face { font-family: Kept; src: url("${hashOf(font)}.woff2") } h1 { font-family: Kept; color: rgb(1, 2, 3) }`,
);

/** A step of a capture. */
export async function captureStep(sql: Sql, step: string, value: object) {
  const json = JSON.stringify(value);
  const [row] = await sql`select private.capture_site(${step}, ${json}::text::jsonb) as result`;
  return row?.result;
}

/** Adds a copy with an image, a style sheet, a font and a PDF, or with null for the words the end of the page. */
export async function keepCopy(
  sql: Sql,
  path: string,
  words: string | null,
  title = "A page",
): Promise<void> {
  const html = Buffer.from(
    `<!DOCTYPE html><html lang="en"><head><title>${title}</title><link rel="stylesheet" href="../files/${hashOf(sheet)}.css"></head>
<body><main><h1>${title}</h1><p>${words} <a href="/other?from=kept#top">Read the other page</a>
<a href="../files/${hashOf(pdf)}.pdf">Form CRS</a></p>
<img src="../files/${hashOf(image)}.svg" alt="A view"></main></body></html>`,
  );
  const shown = {
    "text/html": html,
    "text/css": sheet,
    "image/svg+xml": image,
    "font/woff2": font,
    "application/pdf": pdf,
  };
  const files = words === null ? [] : Object.entries(shown);
  for (const [type, content] of files) {
    const file = { hash: hashOf(content), type, bytes: content.toString("base64") };
    await captureStep(sql, "file", content === html ? { ...file, words } : file);
  }
  const hashes = files.map(([, content]) => hashOf(content));
  const page = { path, title, digest: hashes[0] ?? null, files: hashes, release: "1.0.0" };
  await captureStep(sql, "page", page);
}

/** Adds copies to the archive of a running site that captures nothing itself. */
export async function keepCopies(
  dataDir: string,
  copies: [path: string, words: string | null, title?: string][],
): Promise<void> {
  const sql = connect(await runningDatabase(dataDir, loadSecrets(dataDir).databasePassword), 1);
  await captureStep(sql, "begin", { holder: "test" });
  for (const copy of copies) await keepCopy(sql, ...copy);
  await captureStep(sql, "end", { holder: "test" });
  await sql.end();
}
