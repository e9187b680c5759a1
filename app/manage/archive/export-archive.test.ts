import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { Client } from "../../supabase/client-context.ts";
import { exportArchive } from "./export-archive.ts";

const folder = mkdtempSync(join(tmpdir(), "archive-export-"));
afterEach(() => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
});

const sha256 = (content: string) => createHash("sha256").update(content).digest("hex");
const image = "An image";
const page = (words: string) => `<html><img src="../files/${sha256(image)}.webp">${words}</html>`;
const file = (words: string) => `files/${sha256(page(words))}.html`;

const titles = ["Earlier", "Home & <more>", "A page", "", "Émile’s \\n -e"];
const paths = ["/", "/", "/blog", "/blog", `/blog/${"a".repeat(590)}`];
/** Null for the end of a page. The first one ended before the period. */
const words = ["Before the period", "First", "Second", null, "First"];

let lastHash = "";
const rows = words.map((text, index) => {
  const since = `2027-01-0${index + 1}T00:00:00.001Z`;
  const digest = text === null ? null : sha256(page(text));
  const [path, title, number] = [paths[index], titles[index], index + 1];
  const line = [lastHash, number, since, path, digest ?? "-", "1.0.0", title].join("\t");
  lastHash = sha256(line);
  const files = digest ? [digest, sha256(image)] : [];
  const until = index === 0 ? "2027-01-02T00:00:00.001Z" : null;
  const others = { is_kept: true, earlier: null, later: null, release: "1.0.0", hash: lastHash };
  return { number, since, until, path, title, digest, line, files, ...others };
});

interface Database {
  changes?: object[];
  consents?: object[];
  requests?: object[];
  lost?: string[];
}

/** Exports from an archive whose database returns two rows, one file and one change at once. */
async function exported(database: Database = {}) {
  const { changes = [], consents = [], requests = [], lost = [] } = database;
  const contents = [image, ...words.map((text) => page(text ?? ""))];
  const kept = contents.filter((content) => !lost.includes(content));
  type Arguments = { hashes: string[]; first: number };
  const functions: Record<string, (args: Arguments) => unknown> = {
    archive_rows: ({ first }) => ({
      ...{ total: rows.length, captured_at: null },
      rows: rows.slice(first, first + 2),
    }),
    archive_changes: ({ first }) => changes.slice(first, first + 1),
    list_privacy_requests: ({ first }) => requests.slice(first, first + 1),
    list_consents: () => ({ rows: consents, counts: { all: consents.length } }),
    read_archive_files: ({ hashes }) =>
      kept
        .filter((content) => hashes.includes(sha256(content)))
        .slice(0, 1)
        .map((content) => {
          const type = content === image ? "image/webp" : "text/html";
          return { hash: sha256(content), type, words: null, bytes: btoa(content) };
        }),
  };
  const rpc = (name: string, args: Arguments) => ({
    throwOnError: async () => ({ data: functions[name]?.(args) }),
  });
  const zip = await exportArchive({
    client: { rpc } as unknown as Client,
    ...{ starts: "2027-01-02T00:00:01Z", ends: "2027-02-01T00:00:00Z", timeZone: "UTC" },
    onProgress() {},
  });
  writeFileSync(join(folder, "archive.zip"), new Uint8Array(await zip.file.arrayBuffer()));
  execFileSync("unzip", ["-q", "archive.zip"], { cwd: folder });
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  /** The lines of a table as objects. Its cells have no commas and quotes. */
  const table = (name: string) => {
    const [head = "", ...lines] = read(name).slice(1).trimEnd().split("\r\n");
    const names = head.split(",");
    return lines.map((line) => {
      const cells = line.split(",");
      return Object.fromEntries(names.map((name, index) => [name, cells[index]]));
    });
  };
  const files = readdirSync(join(folder, "files")).length;
  return { incomplete: zip.incomplete, read, table, files };
}

/** Runs the command of README.txt and those of docs/operations.md. */
function check(): string {
  const readMe = readFileSync(join(folder, "README.txt"), "utf8");
  const docs = readFileSync(join(import.meta.dirname, "../../../docs/operations.md"), "utf8");
  const [recipe = ""] = /(?<=```sh\n)# Prints each file of a copy[^`]*/.exec(docs) ?? [];
  const script = (readMe.match(/^ {4}sha256sum.*\n/gm)?.join("") ?? "") + recipe;
  return execFileSync("sh", ["-c", `(${script}) 2>&1 || true`], { cwd: folder, encoding: "utf8" });
}

const by = { by_name: "Ada", by_email: "ada@site.example", by_role: "owner", how: "signed in" };
const change = { ...by, comment: "", at: "2027-01-01T00:00:00Z", title: "Term", document: null };
const listed = { reason: "changed", approval: null };

test("each file is there once, the index leads to all copies, and anyone can check them", async () => {
  const { read, incomplete, files } = await exported();
  expect(incomplete).toBe(0);
  expect(files).toBe(3);
  expect(read(file("Second"))).toBe(page("Second"));
  expect(read("index.html")).toContain(`<a href="${file("First")}">Home &amp; &lt;more&gt;</a>`);
  expect(read("index.html").match(/<a href="files/g)).toHaveLength(3);
  expect(check()).toBe(`${lastHash}\n`);
  expect(read("README.txt")).toContain(`\n${lastHash}\n`);

  writeFileSync(join(folder, file("Second")), "Forged");
  expect(check()).toContain(`${file("Second")}: FAILED`);
  const sums = read("SHA256SUMS").replace(`${sha256(page("Second"))}  `, `${sha256("Forged")}  `);
  writeFileSync(join(folder, "SHA256SUMS"), sums);
  expect(check()).toContain(`${sha256("Forged")}  ${file("Second")}`);
  writeFileSync(join(folder, "chain.tsv"), read("chain.tsv").replace("Home", "Forged"));
  expect(check()).toContain("This line does not fit the one before: ");
});

test("the changes have who, what and the words, and an erased review does not end the export", async () => {
  const document = { title: "Term", items: Array.from({ length: 19_000 }, (_, i) => `${i}.`) };
  const review = { ...change, ...listed, kind: "testimonial", thing: "t" };
  const approved = { name: "=Grace", approved_at: "2027", is_sample: true };
  const { read } = await exported({
    changes: [
      {
        ...{ ...change, ...listed, number: 1, kind: "post", event: "returned", thing: "p" },
        ...{ title: "=Term", comment: "No, sorry.", document, reason: "decision" },
      },
      { ...review, number: 2, event: "published", document: approved },
      {
        ...{ ...review, number: 3, event: "deleted", title: null },
        document: { erased: 3, rating: 4, removed: ["name"] },
      },
    ],
  });
  const [, approval = "", ...others] = read("changes.csv").split("\r\n");
  expect(approval).toMatch(
    /^1,2027-01-01T00:00:00\+00:00,returned,Ada,ada@site.example,p,,owner,signed in,post,'=Term,"No, sorry.",,decision of another time/,
  );
  const cell = approval.slice(approval.indexOf('"{') + 1, -1).replaceAll('""', '"');
  expect(JSON.parse(cell)).toEqual(document);
  expect(others).toHaveLength(3);
  const [, grace, erased] = read("testimonials.csv").split("\r\n");
  expect(grace).toContain(",shown,Ada,ada@site.example,t,yes,'=Grace,");
  expect(erased).toMatch(/,deleted,Ada,ada@site.example,t,,.*,4,.*,3,name$/);
});

test("each copy has its first and last use, who published and approved it and why, and the names of its files", async () => {
  const post = { ...change, ...listed, kind: "post", thing: "p" };
  const slug = "a".repeat(590);
  const bea = { by_name: "Bea", by_email: null, comment: "Fair & balanced" };
  const home = { ...change, ...listed, kind: "section", event: "published", title: "home" };
  const { read, table } = await exported({
    changes: [
      { ...post, number: 1, event: "submitted", reason: "decision" },
      { ...post, ...bea, number: 2, event: "approved", reason: "decision" },
      {
        ...{ ...post, number: 3, event: "published", approval: 2, reason: "former" },
        document: { slug, is_sample: true },
      },
      { ...home, number: 4, thing: "home", at: "2027-01-01T10:00:00.5Z" },
      // After the last copy.
      { ...post, number: 5, event: "published", at: "2027-01-09T00:00:00Z", document: { slug } },
    ],
  });
  const copies = table("copies.csv");
  expect(copies.map((copy) => copy.Path)).toEqual(["/", "/blog", `/blog/${slug}`]);
  expect(copies[0]).toMatchObject({
    "First use": "2027-01-02T00:00:00+00:00",
    "Last use": "still public",
    Kind: "settings: home",
    "Published by": "Ada",
    Approved: "none",
    "File of the page": file("First"),
    "Files that it shows": `files/${sha256(image)}.webp`,
    Complete: "yes",
  });
  expect(copies[1]).toMatchObject({ Kind: "", Published: "" });
  expect(copies[2]).toMatchObject({
    Sample: "yes",
    "Number in changes.csv": "3",
    "Published by": "Ada",
    "Approved by": "Bea",
    "Comment of the approval": "Fair & balanced",
    "Number of the approval": "2",
  });
  const index = read("index.html");
  expect(index).toContain(" (sample)</td>");
  expect(index).toContain("Settings home: Ada (ada@site.example), Jan 1, 2027, 10:00:00 AM");
  expect(index).toContain("Bea, Jan 1, 2027, 12:00:00 AM: “Fair &amp; balanced”");
  expect(index).toContain(`<br>files/${sha256(image)}.webp</td>`);
});

test("the copies that follow from one change are one group, with the change", async () => {
  const menu = { ...change, ...listed, kind: "section", thing: "pages", title: "pages" };
  const { read } = await exported({
    changes: [{ ...menu, number: 1, event: "published", at: "2027-01-02T23:59:30Z" }],
  });
  const groups = read("index.html").match(/<summary>.*?<\/summary>/g);
  expect(groups).toEqual([
    "<summary>Jan 2, 2027, 12:00:00 AM: 1 copy</summary>",
    "<summary>Jan 3, 2027, 12:00:00 AM: 1 copy. Changes: settings “pages” published by Ada (ada@site.example)</summary>",
    "<summary>Jan 5, 2027, 12:00:00 AM: 1 copy</summary>",
  ]);
});

test("the consents and their withdrawals of any date are in the export, and every file is covered", async () => {
  const withdrawal = {
    ...{ received_at: "2027-03-01T00:00:00Z", recorded_at: "2027-03-02T00:00:00Z" },
    ...{ channel: "phone", note: null, by_name: "Ada", by_email: null },
  };
  const consent = {
    ...{ id: "1", kind: "calls", subject_id: "2", name: "Grace", email: null, phone: "1" },
    ...{ wording: "Call me.", settings_version: 3, given_at: "2026-01-01T00:00:00Z" },
    ...{ withdrawal, other_withdrawal: null, is_public: false },
  };
  const { table, read } = await exported({ consents: [consent] });
  expect(table("consents.csv")).toMatchObject([
    { Given: "2026-01-01T00:00:00+00:00", Name: "Grace", Withdrawn: "2027-03-01T00:00:00+00:00" },
  ]);
  const covered = read("SHA256SUMS").match(/\S+$/gm);
  const lists = readdirSync(folder).filter((name) => /\./.test(name) && name !== "archive.zip");
  expect(covered).toEqual(expect.arrayContaining(lists));
  const [, uncovered = ""] = read("README.txt").split("What they do not cover");
  for (const name of lists.filter((name) => name.endsWith(".csv")))
    expect(uncovered).toContain(name);
});

test("hiding is named as such, and refusals of reviews as what they are", async () => {
  const nobody = { by_name: null, by_email: null, by_role: null, how: null };
  const item = { ...change, ...listed, ...nobody, thing: "t" };
  const events = [
    ["post", "unpublished", "hidden"],
    ["post", "returned", "returned"],
    ["testimonial", "submitted", "received"],
    ["testimonial", "returned", "refused"],
    ["testimonial", "unpublished", "refused, taken off the site"],
  ] as const;
  const { read } = await exported({
    changes: events.map(([kind, event], index) => ({ ...item, number: index, kind, event })),
  });
  const lines = read("changes.csv").trim().split("\r\n").slice(1);
  expect(lines.map((line) => line.replace(/^[^,]*,[^,]*,"?(.*?)"?,,,t,.*/, "$1"))).toEqual(
    events.map(([, , name]) => name),
  );
});

test("all requests about personal data are in the export, with what was kept and why", async () => {
  const request = {
    ...{ kind: "erasure", person: "ab".repeat(32), received_on: "2026-11-20" },
    ...{ at: "2026-11-21T00:00:00Z", by_name: "Ada", by_email: "ada@site.example" },
    ...{ by_role: "owner", found: { message: 2 } },
  };
  const kept = [{ what: "message", item: "m", until: null, why: "A record." }];
  const { read } = await exported({
    requests: [
      { ...request, number: 2, kept },
      { ...request, number: 1, kept: [] },
    ],
  });
  const [, second, first] = read("privacy-requests.csv").split("\r\n");
  expect(second).toBe(
    `2,erasure,${request.person},2026-11-20,2026-11-21T00:00:00+00:00,Ada,ada@site.example,owner,message: 2,message m: A record.`,
  );
  expect(first).toMatch(/^1,erasure,/);
});

test("a copy that is not kept any more is listed", async () => {
  const { read, incomplete, files } = await exported({ lost: [page("Second"), image] });
  expect(incomplete).toBe(3);
  expect(read("index.html")).toContain("<td>A page (no longer kept completely)</td>");
  expect(read("index.html")).toContain("</a> (no longer kept completely)</td>");
  expect(files).toBe(1);
});
