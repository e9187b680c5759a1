import { expect, test } from "vitest";
import { escapeXml } from "./xml.ts";

test("escaped text can end neither its element nor its attribute", () => {
  expect(escapeXml(`</a> & "b" 'c' ]]>`)).toBe("&lt;/a&gt; &amp; &quot;b&quot; &#39;c&#39; ]]&gt;");
});

test("only characters that XML forbids are removed", () => {
  expect(escapeXml("a\u0000b\u0008c\u001fd\ufffee\ud800f")).toBe("abcdef");
  expect(escapeXml("tab\tline\nreturn\r é 退 🎉")).toBe("tab\tline\nreturn\r é 退 🎉");
});
