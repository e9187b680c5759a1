import { expect, test } from "vitest";
import { deferScripts } from "./defer-scripts.ts";

const page =
  '<link rel="modulepreload" href="/a.js"/><link rel="modulepreload" href="/b.js"/>' +
  '<script nonce="n" type="module" async="">import "/a.js";\n\nimport("/entry.js");</script></body>';

test("the entry becomes data with its nonce and its modules, and reports a failed import", () => {
  const html = deferScripts(page, "n");
  expect(html).toMatch(
    /^<script nonce="n" type="text\/plain" id="entry" data-modules="\/a\.js \/b\.js">import "\/a\.js";/,
  );
  expect(html).toContain(
    'import("/entry.js").catch(()=>dispatchEvent(new Event("scriptsfailed")))',
  );
});

test("the start script is inlined with the nonce as one expression without markup", () => {
  const [, script = ""] =
    /<script nonce="n">([\s\S]*)<\/script><\/body>$/.exec(deferScripts(page, "n")) ?? [];
  expect(script).toContain("data");
  expect(script).not.toContain("</");
  expect(script).not.toMatch(/\/\*|^[ \t]/m);
  expect(() => new Function(`return ${script}`)).not.toThrow();
});

test("a page without scripts is not changed", () => {
  expect(deferScripts("<body></body>", "n")).toBe("<body></body>");
});
