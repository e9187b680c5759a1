import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { sealInlineScripts } from "./csp-hashes.ts";

const hashOf = (script: string) =>
  `'sha256-${createHash("sha256").update(script).digest("base64")}'`;

test("a script that carries the nonce is named by its hash and loses the nonce", () => {
  const { html, hashes } = sealInlineScripts(
    '<head><script nonce="n1">let a = 1;\n</script></head>',
    "n1",
  );
  expect(html).toBe("<head><script>let a = 1;\n</script></head>");
  expect(hashes).toEqual([hashOf("let a = 1;\n")]);
});

test("a script that stored text smuggled in gets no hash, whatever nonce it claims", () => {
  const { hashes } = sealInlineScripts(
    '<p><script>steal()</script><script nonce="n2">steal()</script></p><script nonce="n1">1</script>',
    "n1",
  );
  expect(hashes).toEqual([hashOf("1")]);
});

test("the parked entry counts as a script: the page starts a copy of it later", () => {
  const entry = 'import "/assets/entry.js";';
  const { hashes } = sealInlineScripts(
    `<script nonce="n1" type="text/plain" id="entry">${entry}</script>`,
    "n1",
  );
  expect(hashes).toEqual([hashOf(entry)]);
});

test("files and data need no hash, and the same script needs one", () => {
  const { hashes } = sealInlineScripts(
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
