import { expect, test } from "vitest";
import { formerPathOf } from "./former-path.ts";

test.each([
  ["https://old.example/2023/05/My-Post/", "/2023/05/my-post"],
  ["https://old.example/blog/post.html?utm=1#a", "/blog/post.html"],
  ["https://old.example/caf%C3%A9//", "/caf%c3%a9"],
  ["https://old.example/?p=12&preview=1", "/?p=12"],
  ["https://old.example/?page_id=7", "/?page_id=7"],
  ["https://old.example/post.aspx?ID=5&fbclid=x&lang=en", "/post.aspx?id=5&lang=en"],
  ["https://old.example/index.php?lang=en&id=5", "/index.php?id=5&lang=en"],
  ["https://old.example/a?b=%C3%A9|\\ c", "/a?b=%c3%a9%7c%5c+c"],
  [`https://old.example/a?b=${"b".repeat(700)}`, null],
  ["https://old.example/?p=1x", null],
  ["https://old.example/", null],
  [`https://old.example/${"a".repeat(700)}`, null],
])("the former path of %s is %s", (address, path) => {
  expect(formerPathOf(new URL(address))).toBe(path);
});
