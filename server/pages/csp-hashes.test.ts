import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { hashInlineScripts } from "./csp-hashes.ts";

const hashOf = (script: string) =>
  `'sha256-${createHash("sha256").update(script).digest("base64")}'`;

test("replaces the nonce of a script by its hash", () => {
  const { html, hashes } = hashInlineScripts(
    '<head><script nonce="n1">let a = 1;\n</script></head>',
    "n1",
  );
  expect(html).toBe("<head><script>let a = 1;\n</script></head>");
  expect(hashes).toEqual([hashOf("let a = 1;\n")]);
});

test("an injected script gets no hash, whatever nonce it has", () => {
  const { hashes } = hashInlineScripts(
    '<p><script>steal()</script><script nonce="n2">steal()</script></p><script nonce="n1">1</script>',
    "n1",
  );
  expect(hashes).toEqual([hashOf("1")]);
});

test("hashes the deferred entry script, which the page starts later as a copy", () => {
  const entry = 'import "/assets/entry.js";';
  const { hashes } = hashInlineScripts(
    `<script nonce="n1" type="text/plain" id="entry">${entry}</script>`,
    "n1",
  );
  expect(hashes).toEqual([hashOf(entry)]);
});

test("skips script files and data, and hashes identical scripts once", () => {
  const { hashes } = hashInlineScripts(
    [
      '<script nonce="n1" src="/assets/a.js"></script>',
      '<script nonce="n1" type="application/ld+json">{}</script>',
      '<script nonce="n1">1</script>',
      '<script nonce="n1">1</script>',
    ].join(""),
    "n1",
  );
  expect(hashes).toEqual([hashOf("1")]);
});
