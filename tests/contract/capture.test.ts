// Two sites on one project keep the pages that they serve, as a visitor gets them.
import { createHash, randomUUID } from "node:crypto";
import postgres from "postgres";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../free-port.ts";
import { openClient, type Project, startProject } from "../start-project.ts";
import { startSite, stopSite } from "../start-site.ts";

let project: Project;
let owner: ReturnType<typeof openClient>;
let sql: postgres.Sql;

beforeAll(async () => {
  project = await startProject();
  if (!project.backend) throw new Error("These tests need the embedded backend");
  sql = postgres(project.backend.databaseUrl, { max: 2 });
  owner = openClient(project);
  await owner.auth.signInWithPassword(project.owner);
});

afterAll(async () => {
  await sql.end();
  await project.stop();
});

interface Copy {
  number: number;
  path: string;
  title: string;
  digest: string | null;
  files: string[];
  release: string;
}

async function copiesOf(path: string): Promise<Copy[]> {
  return sql<Copy[]>`
    select number::int, path, title, digest, files, release from private.archive_pages
    where path = ${path} order by number`;
}

async function htmlOf(digest: string | null | undefined): Promise<string> {
  const [file] = await sql<{ text: string }[]>`
    select convert_from(bytes, 'UTF8') as text from private.archive_files where hash = ${digest ?? ""}`;
  return file?.text ?? "";
}

test("two sites keep each page once, with its files, and its end when it leaves the site", async () => {
  const { data: key } = await owner.rpc("create_site_key").throwOnError();
  const siteUrl = `http://127.0.0.1:${await freePort()}`;
  const start = async () => {
    const port = await freePort();
    const environment = {
      ...{ SUPABASE_URL: project.url, SUPABASE_ANON_KEY: project.anonKey, SITE_KEY: key },
      // Behind one address, as the pages name it.
      ...{ SITE_URL: siteUrl, ARCHIVE_INTERVAL: "1" },
    };
    return startSite(port, environment);
  };
  const image = `public/${randomUUID()}.png`;
  const drawn = sharp({ create: { width: 900, height: 600, channels: 3, background: "#1e4a40" } });
  const { error } = await owner.storage
    .from("images")
    .upload(image, await drawn.png().toBuffer(), { contentType: "image/png" });
  expect(error).toBeNull();
  const pdf = Buffer.from("%PDF-1.7");
  const pdfHash = createHash("sha256").update(pdf).digest("hex");
  const pdfName = `files/${randomUUID()}.pdf`;
  const stored = await owner.storage
    .from("files")
    .upload(pdfName, pdf, { contentType: "application/pdf" });
  expect(stored.error).toBeNull();
  const marks = [{ type: "link", start: 0, end: 5, href: `/${pdfName}` }];
  const post = {
    id: randomUUID(),
    ...{ slug: `kept-${randomUUID()}`, title: "A title that was changed", tagline: "A tagline" },
    ...{
      category: "Taxes",
      author: "Ada",
      content: [{ type: "paragraph", text: "First words.", marks }],
    },
    ...{ image_url: `images/${image}`, alt: "An image" },
  };
  await owner.from("posts").insert(post).throwOnError();
  const path = `/blog/${post.slug}`;
  const sites = await Promise.all([start(), start()]);
  try {
    await expect.poll(() => copiesOf(path), { timeout: 60_000 }).toHaveLength(1);
    await expect.poll(() => copiesOf("/savings-calculator?calculator=retirement")).toHaveLength(1);
    const [first] = await copiesOf(path);
    const html = await htmlOf(first?.digest);
    expect(html).toContain(`href="../files/${pdfHash}.pdf"`);
    expect(html).toContain("First</a> words.");
    expect(first?.files).toContain(pdfHash);
    const [scaled] = await sql<{ hash: string; type: string; bytes: Buffer }[]>`
      select hash, type, bytes from private.archive_files
      where hash = any (${first?.files ?? []}) and type = 'image/webp'`;
    expect(html).toContain(`src="../files/${scaled?.hash}.webp"`);
    expect(
      createHash("sha256")
        .update(scaled?.bytes ?? "")
        .digest("hex"),
    ).toBe(scaled?.hash);
    const [result] = await copiesOf("/savings-calculator?calculator=retirement");
    expect(await htmlOf(result?.digest)).toContain("$1,193,434");

    await owner.from("posts").update({ title: "The new title" }).eq("id", post.id).throwOnError();
    await expect
      .poll(async () => (await copiesOf(path)).map(({ title }) => title), { timeout: 60_000 })
      .toEqual([expect.stringContaining("that was changed"), expect.stringContaining("new title")]);
    await owner.from("posts").delete().eq("id", post.id).throwOnError();
    await expect
      .poll(async () => (await copiesOf(path)).at(-1)?.digest, { timeout: 60_000 })
      .toBeNull();
    expect(await copiesOf("/contact")).toHaveLength(1);
    expect(await sql`select private.verify_archive()`).toEqual([]);
  } finally {
    await Promise.all(sites.map(stopSite));
  }
  // Two sites render every page several times.
}, 300_000);
