import { expect, test } from "vitest";
import { deferScripts } from "./defer-scripts.ts";

const page =
  '<script nonce="n" type="module" async="">import "/a.js";\n\nimport("/entry.js");</script></body>';

test("the entry is parked, with its nonce, and reports when it can't be loaded", () => {
  const html = deferScripts(page, "n");
  expect(html).toContain('<script nonce="n" type="text/plain" id="entry">import "/a.js";');
  expect(html).toContain(
    'import("/entry.js").catch(()=>dispatchEvent(new Event("scriptsfailed")))',
  );
});

test("a page without scripts stays as it is", () => {
  expect(deferScripts("<body></body>", "n")).toBe("<body></body>");
});
