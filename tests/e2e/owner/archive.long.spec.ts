// The archive of a site that captures its own pages, before and after a release.
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "@playwright/test";
import sharp from "sharp";
import { readRows } from "../../../app/manage/archive/archive.ts";
import type { Json } from "../../../app/supabase/database.ts";
import { startNewSite } from "../../start-site.ts";
import { createTemporaryFolder } from "../../temporary-folder.ts";
import { findingsOf } from "../access/axe.ts";
import { test as base, openPage } from "../test.ts";
import { expect, imageExists, logIn, referenceOf, storeImage } from "./owner.ts";

const root = join(import.meta.dirname, "../../..");
const viewport = { width: 1280, height: 2000 };

const test = base.extend<object, { folder: string }>({
  /** The site's program, with a build of its own, which the test changes. */
  folder: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright requires an object pattern as the first parameter.
    async ({}, use) => {
      const folder = await createTemporaryFolder("release");
      for (const name of readdirSync(root)) {
        const [from, to] = [realpathSync(join(root, name)), join(folder, name)];
        if (name === "server" || name === "build") await cp(from, to, { recursive: true });
        else symlinkSync(from, to);
      }
      await use(folder);
      rmSync(folder, { recursive: true });
    },
    { scope: "worker" },
  ],
  site: [
    async ({ folder }, use) => {
      const command = [process.execPath, join(folder, "server/main.ts")];
      const site = await startNewSite({ ARCHIVE_INTERVAL: "1" }, { command });
      await use(site);
      await site.stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],
});

// The frame runs no scripts, not even those of the test.
test.use({
  expectedErrors: /Blocked script execution in 'about:srcdoc'/,
  viewport,
  reducedMotion: "reduce",
});

/** Changes the style sheet and the words of the pages. */
function release(folder: string): void {
  const build = join(folder, "build");
  for (const name of readdirSync(build, { recursive: true, encoding: "utf8" })) {
    if (!/\.(css|js)$/.test(name)) continue;
    const path = join(build, name);
    const before = readFileSync(path, "utf8");
    const after = name.endsWith(".css")
      ? `${before}h1{letter-spacing:9px!important}`
      : before.replaceAll("Back to Blog", "All articles of the blog");
    if (after === before) continue;
    writeFileSync(path, after);
    for (const compressed of [".br", ".gz"]) rmSync(path + compressed, { force: true });
  }
}

async function screenshotOf(page: Page): Promise<Buffer> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    await Promise.all([...document.images].map((image) => image.decode()));
  });
  return page.screenshot({ animations: "disabled" });
}

/** The share of the pixels that differ visibly. */
async function differenceOf(one: Buffer, other: Buffer): Promise<number> {
  const pixelsOf = (shot: Buffer) => sharp(shot).greyscale().raw().toBuffer();
  const [pixels, others] = [await pixelsOf(one), await pixelsOf(other)];
  const isOther = (value: number, index: number) => Math.abs(value - (others[index] ?? 0)) > 24;
  return pixels.filter(isOther).length / pixels.length;
}

test("the archive and an export show pages as visitors saw them, without the site and after a release", async ({
  page,
  browser,
  baseURL,
  site,
  folder,
  owner,
}) => {
  test.slow();
  // Each pass renders every page.
  await owner.from("posts").delete().not("id", "is", null).throwOnError();
  const main = page.getByRole("main");
  const frame = page.frameLocator("iframe");
  const image = await storeImage(owner);
  const pdf = `files/${randomUUID()}.pdf`;
  await owner.storage.from("files").upload(pdf, "%PDF-1.7", { contentType: "application/pdf" });
  const oak = "/images/posts/old-oak.svg";
  const [kept, other] = [`kept-${"a".repeat(585)}`, "other"];
  const post = (slug: string, title: string, content: Json, image_url: string) => ({
    ...{ id: randomUUID(), slug, title, content, image_url, alt: "", tagline: "Kept" },
    ...{ category: "Taxes", author: "Ada", related_services: [] },
  });
  const link = (start: number, end: number, href: string) => ({ type: "link", start, end, href });
  const marks = [link(0, 10, `/blog/${other}`), link(12, 20, `/${pdf}`)];
  const words = (text: string) => [
    { type: "paragraph", text },
    { type: "paragraph", text: "Other page, Form CRS", marks },
  ];
  await owner
    .from("posts")
    .insert([
      post(kept, "Kept page", words("Formerly quibbled."), referenceOf(image)),
      post(other, "Other page", words("Only for a while."), oak),
    ])
    .throwOnError();

  /** A screenshot of what visitors get, once the archive has so many copies of it. */
  async function look(copies: number): Promise<Buffer> {
    const count = async () => (await readRows(owner, { path: `/blog/${kept}` }, 0)).total;
    await expect.poll(count, { timeout: 120_000 }).toBe(copies);
    // Without what another visit has in its cache.
    const other = await browser.newPage({ baseURL, viewport });
    await other.goto(`/blog/${kept}`);
    const shot = await screenshotOf(other);
    await other.close();
    return shot;
  }

  const first = await look(1);
  const changed = { content: words("Now agreed."), image_url: oak };
  await owner.from("posts").update(changed).eq("slug", kept).throwOnError();
  await look(2);
  const name = referenceOf(image).replace("images/", "");
  await owner.storage.from("images").move(name, name, { destinationBucket: "deleted-images" });
  await owner.from("posts").delete().eq("slug", other).throwOnError();
  await look(3);
  release(folder);
  await site.restart();
  const last = await look(4);
  expect(await differenceOf(first, last)).toBeGreaterThan(0.01);
  expect(await imageExists(image)).toBe(false);

  await test.step("the owner reads a page as it was, and follows its links", async () => {
    await logIn(page, "/manage/archive");
    await expect(main.getByText(/^\d+ versions of pages since .*Last checked/)).toBeVisible();
    await expect(main.getByRole("note")).toHaveCount(0);
    await main.getByRole("button", { name: "Show the site" }).click();
    await main.getByRole("link", { name: "Kept page" }).click();
    await expect(frame.getByText("Now agreed.")).toBeVisible();
    const heading = frame.getByRole("heading", { name: "Kept page" });
    await expect(heading).toHaveCSS("letter-spacing", "9px");
    const file = page.waitForEvent("download");
    await frame.getByRole("link", { name: "Form CRS" }).click();
    expect(await readFile(await (await file).path(), "utf8")).toBe("%PDF-1.7");
    await frame.getByRole("link", { name: "Other page" }).click();
    await expect(main.getByText("There was no such page then")).toBeVisible();
    await page.goBack();
    const earlier = main.getByRole("link", { name: "Earlier copy", exact: true });
    await earlier.click();
    await expect(frame.getByText("Back to Blog")).toBeVisible();
    await expect(heading).not.toHaveCSS("letter-spacing", "9px");
    await earlier.click();
    // With the link to the neighbor that was deleted later.
    await expect(frame.getByRole("link", { name: "Other page" }).nth(1)).toBeVisible();
    await earlier.click();
    await expect(frame.getByText("Formerly quibbled.")).toBeVisible();
    await frame.getByRole("link", { name: "Other page" }).first().click();
    await expect(main.getByRole("heading", { name: "Other page" })).toBeVisible();
    await expect(frame.getByText("Only for a while.")).toBeVisible();
    await openPage(page, "/manage/archive");
  });

  await test.step("an exported page looks as it did, without the site", async () => {
    const download = page.waitForEvent("download");
    await main.getByRole("button", { name: "Export" }).click();
    const folder = await createTemporaryFolder("export");
    execFileSync("unzip", ["-q", await (await download).path(), "-d", folder]);
    await expect(main.getByText("The file is complete.")).toBeVisible();
    execFileSync("sha256sum", ["-c", "--quiet", "SHA256SUMS"], { cwd: folder });

    const context = await browser.newContext({ offline: true, viewport });
    const reader = await context.newPage();
    const requests: string[] = [];
    reader.on("request", (request) => requests.push(request.url()));
    const index = pathToFileURL(join(folder, "index.html")).href;
    /** A click does not reach a line of a closed group. */
    async function openIndex() {
      await reader.goto(index);
      await reader.evaluate(() => {
        for (const group of document.querySelectorAll("details")) group.open = true;
      });
    }
    await openIndex();
    const copies = reader.getByRole("row", { name: `/blog/${kept}` }).getByRole("link");
    await expect(copies).toHaveCount(4);
    for (const [copy, shot] of [
      [copies.first(), first],
      [copies.last(), last],
    ] as const) {
      await openIndex();
      await copy.click();
      // The click does not wait for the page behind the link.
      await expect(reader.getByRole("heading", { name: "Kept page" })).toBeVisible();
      expect(await differenceOf(await screenshotOf(reader), shot)).toBeLessThan(0.001);
    }
    const link = await reader.getByRole("link", { name: "Form CRS" }).getAttribute("href");
    expect(await readFile(join(folder, "files", link ?? ""), "utf8")).toBe("%PDF-1.7");
    expect(requests.filter((url) => !url.startsWith("file:"))).toEqual([]);

    // The comparison notices what is missing.
    for (const name of readdirSync(join(folder, "files"))) {
      if (name.endsWith(".css")) rmSync(join(folder, "files", name));
    }
    await reader.reload();
    expect(await differenceOf(await screenshotOf(reader), last)).toBeGreaterThan(0.01);
    await reader.goto(index);
    expect(await findingsOf(reader)).toEqual([]);
    await context.close();
  });
});
