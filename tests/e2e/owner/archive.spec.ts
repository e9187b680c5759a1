// The archive in a site of its own, because it keeps what every test publishes, and an export has all of it.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { BlobWriter, Uint8ArrayReader, ZipReader } from "@zip.js/zip.js";
import { createTemporaryFolder } from "../../temporary-folder.ts";
import { findingsOf } from "../access/axe.ts";
import { test } from "../own-site.ts";
import { addPost, expect, logIn } from "./owner.ts";

// The frame runs no scripts, not even those of the test.
test.use({ expectedErrors: /Blocked script execution in 'about:srcdoc'/ });

const text = (words: string) => [{ type: "paragraph", text: words }];

test("the owner reads a page as it was, finds its words, and exports it for somebody without the site", async ({
  page,
  browser,
  owner,
  rows,
}) => {
  const { slug, title } = await addPost(rows, "Term life", { content: text("Formerly quibbled.") });
  await owner
    .from("posts")
    .update({ content: text("Now agreed.") })
    .eq("slug", slug)
    .throwOnError();

  await logIn(page, "/manage/archive");
  const main = page.getByRole("main");
  await expect(main.getByText(/^\d+ versions since /)).toBeVisible();
  await main.getByLabel("Date").fill("2199-01-01");
  await main.getByLabel("Date").press("Enter");
  await expect(main.getByText(/^The site on /)).toBeVisible();
  const frame = page.frameLocator("iframe");
  await expect(frame.getByRole("heading", { level: 1 })).toHaveText(
    "Welcome to Your Financial Future",
  );
  await frame.getByRole("contentinfo").getByRole("link", { name: "Blog" }).click();
  await frame.getByRole("link", { name: title }).first().click();
  await expect(frame.getByText("Now agreed.")).toBeVisible();
  expect(await findingsOf(page)).toEqual([]);

  await main.getByRole("searchbox").fill("quibbled");
  await main.getByRole("searchbox").press("Enter");
  await expect(main.getByText("1 version found")).toBeVisible();
  await expect(main.getByText(/^Since .*, until .*, by .*Entry \d+\.$/)).toBeVisible();
  await main.getByRole("link", { name: title }).click();
  await expect(frame.getByText("Formerly quibbled.")).toBeVisible();
  await expect(main.getByText(/^Since .*, until .*, by .*Entry \d+\.$/)).toBeVisible();
  await expect(frame.getByText("Now agreed.")).toHaveCount(0);

  // Cancelled while it waits for a font.
  await page.route("**/*.woff2", () => {});
  await main.getByRole("button", { name: "Export" }).click();
  await main.getByRole("button", { name: "Cancel the export" }).click();
  await expect(main.getByText("Cancelled. Nothing was saved.")).toBeVisible();
  await page.unroute("**/*.woff2");
  const download = page.waitForEvent("download");
  await main.getByRole("button", { name: "Export" }).click();
  const folder = await createTemporaryFolder("export");
  const names = await unzip(await (await download).path(), folder);
  await expect(main.getByText(/^The file is (complete|written)\./)).toBeVisible();
  expect(names).toEqual(
    expect.arrayContaining(["manifest.json", "testimonials.csv", "pages/start/home.html"]),
  );

  const other = await browser.newPage();
  const requests: string[] = [];
  other.on("request", (request) => requests.push(request.url()));
  await other.goto(pathToFileURL(join(folder, "index.html")).href);
  expect(await findingsOf(other)).toEqual([]);
  const versions = other.getByRole("row", { name: title });
  await expect(versions).toHaveCount(2);
  await versions.first().getByRole("link").click();
  await expect(other.getByText("Formerly quibbled.")).toBeVisible();
  const image = other.locator("article img").first();
  await expect
    .poll(() => image.evaluate((shown: HTMLImageElement) => shown.naturalWidth))
    .not.toBe(0);
  await other.getByRole("link", { name: "Services" }).first().click();
  await expect(other.getByRole("heading", { level: 1 })).toBeVisible();
  expect(requests.filter((url) => !url.startsWith("file:"))).toEqual([]);
  await other.close();
});

/** @returns the names of the files */
async function unzip(file: string, folder: string): Promise<string[]> {
  const entries = await new ZipReader(new Uint8ArrayReader(await readFile(file))).getEntries();
  for (const entry of entries) {
    if (entry.directory) continue;
    const path = join(folder, entry.filename);
    await mkdir(dirname(path), { recursive: true });
    const blob = await entry.getData(new BlobWriter());
    await writeFile(path, new Uint8Array(await blob.arrayBuffer()));
  }
  return entries.map(({ filename }) => filename);
}
