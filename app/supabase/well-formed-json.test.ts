import { expect, test } from "vitest";
import { wellFormedJson } from "./well-formed-json.ts";

test.each([
  ["\ud800", "\ufffd"],
  ["a\udc00\ud83cb", "a\ufffd\ufffdb"],
  ['🏠 \\ " \n \u0001', '🏠 \\ " \n \u0001'],
  ["\\ud800 as text, \\\\udc00", "\\ud800 as text, \\\\udc00"],
  ["\\\ud800", "\\\ufffd"],
])("the text %j is sent as %j", (text, sent) => {
  expect(JSON.parse(wellFormedJson(JSON.stringify({ [text]: [text] })))).toEqual({
    [sent]: [sent],
  });
});
