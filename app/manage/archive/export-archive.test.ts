import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import type { Client } from "../../supabase/client-context.ts";
import { exportArchive } from "./export-archive.ts";

const folder = mkdtempSync(join(tmpdir(), "archive-export-"));
afterEach(() => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
});

const sha256 = (content: string) => createHash("sha256").update(content).digest("hex");
const image = "An image";
const sheet = `@font-face { src: url("${sha256("A font")}.woff2") }`;
const page = (words: string) =>
  `<html><link rel="stylesheet" href="../files/${sha256(sheet)}.css"><img src="../files/${sha256(image)}.webp">${words}</html>`;
const types: Record<string, string> = {
  ...{ [sha256(image)]: "image/webp", [sha256(sheet)]: "text/css" },
  [sha256("A font")]: "font/woff2",
};

/** Words are null for the end of a page. */
type Row = { path: string; words: string | null; title?: string; is_in_period?: boolean };

/** An archive whose database returns two rows, one change and one file at once. */
function archiveOf(rows: Row[], changes: object[] = [], lost: string[] = []) {
  const contents = [image, sheet, "A font", ...rows.map(({ words }) => page(words ?? ""))];
  const kept = contents.filter((content) => !lost.includes(content));
  const stored = kept.map((content) => {
    const hash = sha256(content);
    return { hash, type: types[hash] ?? "text/html", bytes: btoa(content) };
  });
  let last_hash = "";
  const chained = rows.map(({ path, words, title = "A page", is_in_period = true }, index) => {
    const [number, since] = [index + 1, `2027-01-0${index + 1}T00:00:00.000001Z`];
    const digest = words === null ? null : sha256(page(words));
    const line = [last_hash, number, since, path, digest ?? "-", "1.0.0", title].join("\t");
    last_hash = sha256(line);
    const files = digest ? [digest, ...Object.keys(types)] : [];
    const row = { number, since, path, title, digest, line, files, until: null, is_kept: true };
    return { ...row, release: "1.0.0", is_in_period: is_in_period && digest !== null };
  });
  type Arguments = { hashes: string[]; after: number; first: number };
  const functions: Record<string, (args: Arguments) => unknown> = {
    archive_period: ({ after }) => chained.slice(after, after + 2),
    archive_changes: ({ first }) => changes.slice(first, first + 1),
    read_archive_files: ({ hashes }) =>
      stored.filter(({ hash }) => hashes.includes(hash)).slice(0, 1),
  };
  const rpc = vi.fn((name: string, args: Arguments) => ({
    throwOnError: async () => ({ data: functions[name]?.(args) }),
  }));
  const summary = {
    ...{ copies: rows.length, pages: 1, first_at: "2027-01-01T00:00:00Z", captured_at: null },
    ...{ last_number: rows.length, last_hash, key_created_at: null },
  };
  return { client: { rpc } as unknown as Client, summary, rpc };
}

async function exported(
  options: ReturnType<typeof archiveOf>,
  signal = new AbortController().signal,
) {
  const period = { starts: "2027-01-01T00:00:00Z", ends: "2027-02-01T00:00:00Z", timeZone: "UTC" };
  const onProgress = () => {};
  const { file, incomplete } = await exportArchive({ ...options, ...period, signal, onProgress });
  const zip = join(folder, "archive.zip");
  writeFileSync(zip, new Uint8Array(await file.arrayBuffer()));
  execFileSync("unzip", ["-q", zip, "-d", folder]);
  return { incomplete, read: (name: string) => readFileSync(join(folder, name), "utf8") };
}

/** Runs the commands of README.txt. */
function check(): string {
  const script = readFileSync(join(folder, "README.txt"), "utf8")
    .match(/^ {4}.*\n/gm)
    ?.join("");
  return execFileSync("sh", ["-c", `(${script}) 2>&1 || true`], { cwd: folder, encoding: "utf8" });
}

const rows: Row[] = [
  { path: "/", words: "Before the period", is_in_period: false },
  { path: "/", words: "First", title: "Home & <more>" },
  { path: "/blog", words: "Second" },
  { path: "/blog", words: null },
  { path: `/blog/${"a".repeat(590)}`, words: "First", title: "Émile’s \\n -e" },
];

test("each copy is its stored bytes, each file is there once, and the index leads to all copies", async () => {
  const { read, incomplete } = await exported(archiveOf(rows));
  expect(incomplete).toBe(0);
  expect(readdirSync(join(folder, "pages"))).toEqual(["000002.html", "000003.html", "000005.html"]);
  expect(readdirSync(join(folder, "files")).toSorted()).toEqual(
    [`${sha256("A font")}.woff2`, `${sha256(image)}.webp`, `${sha256(sheet)}.css`].toSorted(),
  );
  expect(read("pages/000003.html")).toBe(page("Second"));
  expect(read("pages/000005.html")).toBe(read("pages/000002.html"));
  expect(read("index.html")).toContain('<a href="pages/000002.html">Home &amp; &lt;more&gt;</a>');
  expect(read("index.html").match(/<a href="pages/g)).toHaveLength(3);
});

test("the commands of README.txt prove the files, the chain and the pages", async () => {
  const archive = archiveOf(rows);
  const { read } = await exported(archive);
  expect(check()).toBe(`${archive.summary.last_hash}\n`);
  expect(read("README.txt")).toContain(`\n${archive.summary.last_hash}\n`);
  writeFileSync(join(folder, "pages/000003.html"), "Forged");
  expect(check().match(/000003.html: FAILED/g)).toHaveLength(2);
  writeFileSync(join(folder, "chain.tsv"), read("chain.tsv").replace("Home", "Forged"));
  expect(check()).toContain("This line does not fit the one before: ");
});

test("the changes have who, what and the words, and an erased review does not end the export", async () => {
  const change = {
    at: "2027-01-02T00:00:00Z",
    id: 1,
    by_name: "Ada",
    by_email: "ada@site.example",
  };
  const words = { title: "Term", items: Array.from({ length: 19_000 }, (_, index) => `${index}.`) };
  const review = { ...change, kind: "testimonial", item: "t", comment: "" };
  const { read } = await exported(
    archiveOf(rows, [
      {
        ...change,
        kind: "approval",
        event: "returned",
        item: "p",
        title: "=Term",
        comment: "No, sorry.",
        document: words,
      },
      {
        ...review,
        event: "approved",
        title: "Grace",
        document: { name: "=Grace", approved_at: "2027" },
      },
      { ...review, event: "deleted", title: null, document: { erased: true, rating: 4 } },
      { ...review, event: "edited", title: null, by_name: null, by_email: null, document: null },
    ]),
  );
  const [, approval = "", ...others] = read("changes.csv").split("\r\n");
  expect(approval).toMatch(
    /^2027-01-02T00:00:00\+00:00,returned,Ada,ada@site.example,approval,p,'=Term,"No, sorry.",/,
  );
  const cell = approval.slice(approval.indexOf('"{') + 1, -1).replaceAll('""', '"');
  expect(JSON.parse(cell)).toEqual(words);
  expect(others).toHaveLength(4);
  const [, grace, erased, empty] = read("testimonials.csv").split("\r\n");
  expect(grace).toContain(",public,t,'=Grace,");
  expect(erased).toContain(",deleted,Ada,ada@site.example,erased,t,,,4,,");
  expect(empty).toContain(",edited,,,not public,t,,");
});

test("a copy that is not kept any more is listed, and rows after the start of the export are left out", async () => {
  const archive = archiveOf(rows, [], [page("Second"), image]);
  const summary = { ...archive.summary, last_number: 4 };
  const { read, incomplete } = await exported({ ...archive, summary });
  expect(incomplete).toBe(2);
  expect(read("index.html")).toContain("<td>A page (no longer kept)</td>");
  expect(read("index.html")).toContain("</a> (incomplete)</td>");
  expect(readdirSync(join(folder, "pages"))).toEqual(["000002.html"]);
  expect(read("chain.tsv").split("\n")).toHaveLength(5);
});

test("a cancelled export, or one whose connection is lost, has no file", async () => {
  const cancelled = AbortSignal.abort();
  await expect(exported(archiveOf(rows), cancelled)).rejects.toThrow(cancelled.reason);
  const archive = archiveOf(rows);
  const lost = new TypeError("Failed to fetch");
  const { rpc } = archive;
  const answer = rpc.getMockImplementation();
  rpc.mockImplementation((name, args) => {
    if (args.after === 2 || !answer) throw lost;
    return answer(name, args);
  });
  await expect(exported(archive)).rejects.toBe(lost);
});
