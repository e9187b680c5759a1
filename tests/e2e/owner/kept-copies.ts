// Copies in the archive, added as the site's capture does.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "../../../backend/database.ts";
import { runningDatabase } from "../../../backend/postgres/server.ts";
import { loadSecrets } from "../../../backend/secrets.ts";
import { imageFile } from "./owner.ts";

const hashOf = (content: Buffer) => createHash("sha256").update(content).digest("hex");
const font = readFileSync(join(import.meta.dirname, "../../../app/fonts/figtree-basic.woff2"));
const image = imageFile().buffer;
const sheet = Buffer.from(
  `@font-face { font-family: Kept; src: url("${hashOf(font)}.woff2") } h1 { font-family: Kept; color: rgb(1, 2, 3) }`,
);

/** A copy with an image, a style sheet and a font; without words the end of the page. */
export interface KeptCopy {
  path: string;
  title: string;
  words: string | null;
}

/** Adds copies to the archive of a running site, which then captures nothing itself for an hour. */
export async function keepCopies(dataDir: string, copies: readonly KeptCopy[]): Promise<void> {
  const { databasePassword } = loadSecrets(dataDir);
  const sql = connect(await runningDatabase(dataDir, databasePassword), 1);
  const step = (name: string, value: object) =>
    sql`select private.capture_site(${name}, ${JSON.stringify(value)}::text::jsonb)`;
  await sql`
    insert into private.archive_capture values (true, 'test', now() + interval '1 hour', now())
      on conflict (is_only) do update
        set holder = 'test', held_until = excluded.held_until, captured_at = now()`;
  for (const { path, title, words } of copies) {
    const html = Buffer.from(
      `<!DOCTYPE html><html lang="en"><head><title>${title}</title><link rel="stylesheet" href="../files/${hashOf(sheet)}.css"></head>
<body><main><h1>${title}</h1><p>${words} <a href="/other?from=kept#top">Read the other page</a></p>
<img src="../files/${hashOf(image)}.png" alt="A view"></main></body></html>`,
    );
    const files = Object.entries({
      "text/html": html,
      "text/css": sheet,
      "image/png": image,
      "font/woff2": font,
    });
    for (const [type, content] of words === null ? [] : files) {
      const bytes = content.toString("base64");
      await step("file", {
        hash: hashOf(content),
        type,
        bytes,
        words: content === html ? words : null,
      });
    }
    const hashes = words === null ? [] : files.map(([, content]) => hashOf(content));
    await step("page", { path, title, digest: hashes[0] ?? null, files: hashes, release: "1.0.0" });
  }
  await sql.end();
}
