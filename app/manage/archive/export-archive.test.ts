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

/** Exports from an archive whose database returns two rows, one file and one change at once. */
async function exported({
  changes = [],
  requests = [],
  lost = [],
}: {
  changes?: object[];
  requests?: object[];
  lost?: string[];
} = {}) {
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
  return { incomplete: zip.incomplete, read, files: readdirSync(join(folder, "files")).length };
}

/** Runs the commands of README.txt. */
function check(): string {
  const readMe = readFileSync(join(folder, "README.txt"), "utf8");
  const script = readMe.match(/^ {4}.*\n/gm)?.join("");
  return execFileSync("sh", ["-c", `(${script}) 2>&1 || true`], { cwd: folder, encoding: "utf8" });
}

test("each file is there once, the index leads to all copies, and README.txt proves them", async () => {
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
  const by = { by_name: "Ada", by_email: "ada@site.example", by_role: "owner", how: "signed in" };
  const change = { at: "2027-01-02T00:00:00Z", ...by, comment: "" };
  const document = { title: "Term", items: Array.from({ length: 19_000 }, (_, i) => `${i}.`) };
  const review = { ...change, kind: "testimonial", item: "t" };
  const approved = { name: "=Grace", approved_at: "2027" };
  const { read } = await exported({
    changes: [
      {
        ...{ ...change, kind: "approval", event: "returned", item: "p" },
        ...{ title: "=Term", comment: "No, sorry.", document },
      },
      { ...review, event: "published", title: "Grace", document: approved },
      {
        ...review,
        event: "deleted",
        title: null,
        document: { erased: 3, rating: 4, removed: ["name"] },
      },
    ],
  });
  const [, approval = "", ...others] = read("changes.csv").split("\r\n");
  expect(approval).toMatch(
    /^2027-01-02T00:00:00\+00:00,returned,Ada,ada@site.example,p,owner,signed in,approval,'=Term,"No, sorry.",/,
  );
  const cell = approval.slice(approval.indexOf('"{') + 1, -1).replaceAll('""', '"');
  expect(JSON.parse(cell)).toEqual(document);
  expect(others).toHaveLength(3);
  const [, grace, erased] = read("testimonials.csv").split("\r\n");
  expect(grace).toContain(",shown,Ada,ada@site.example,t,'=Grace,");
  expect(erased).toMatch(/,deleted,Ada,ada@site.example,t,.*,4,.*,3,name$/);
});

test("hiding is named as such, and refusals of reviews as what they are", async () => {
  const change = { at: "2027-01-02T00:00:00Z", item: "t", title: "A", comment: "", document: null };
  const by = { by_name: null, by_email: null, by_role: null, how: null };
  const events = [
    ["post", "unpublished", "hidden"],
    ["post", "returned", "returned"],
    ["testimonial", "submitted", "received"],
    ["testimonial", "returned", "refused"],
    ["testimonial", "unpublished", "refused, taken off the site"],
  ] as const;
  const { read } = await exported({
    changes: events.map(([kind, event]) => ({ ...change, ...by, kind, event })),
  });
  const lines = read("changes.csv").trim().split("\r\n").slice(1);
  expect(lines.map((line) => line.replace(/^[^,]*,"?(.*?)"?,,,t,.*/, "$1"))).toEqual(
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
