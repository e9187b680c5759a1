import { expect, test } from "vitest";
import { defaultSettings } from "../../app/config/site.ts";
import { findProblem, isPublic, linksOf } from "./broken-links.ts";

test.each([
  ["93.184.216.34", true],
  ["2606:2800:220:1:248:1893:25c8:1946", true],
  ["127.0.0.1", false],
  ["::1", false],
  ["10.1.2.3", false],
  ["192.168.1.1", false],
  ["169.254.169.254", false],
  ["100.64.0.1", false],
  ["0.0.0.0", false],
  ["fd00::1", false],
  ["fe80::1", false],
  ["::ffff:127.0.0.1", false],
  ["224.0.0.1", false],
  ["not an address", false],
])("%s is public: %s", (address, expected) => {
  expect(isPublic(address)).toBe(expected);
});

test.each([
  ["http://127.0.0.1/", "it leads to a private network"],
  ["http://2130706433/", "it leads to a private network"],
  ["http://[::1]/", "it leads to a private network"],
  ["http://169.254.169.254/latest/meta-data", "it leads to a private network"],
  ["file:///etc/passwd", "it is not a web address"],
  ["nothing", "it is not a web address"],
])("%s is not asked", async (address, reason) => {
  expect(await findProblem(address)).toBe(reason);
});

test("a domain with one private address gets no request", async () => {
  const resolve = async () => ["93.184.216.34", "10.0.0.1"];
  expect(await findProblem("https://a.example/", resolve)).toBe("it leads to a private network");
});

test("a domain that does not exist is broken", async () => {
  const resolve = () => Promise.reject(new Error("ENOTFOUND"));
  expect(await findProblem("https://a.example/", resolve)).toBe("its domain does not exist");
});

test("a link to another port gets no request and is not reported", async () => {
  const resolve = () => Promise.reject(new Error("not asked"));
  expect(await findProblem("https://a.example:6379/", resolve)).toBeNull();
});

test("the links are the scheduling page and the social networks", () => {
  expect(linksOf(defaultSettings).map(({ name }) => name)).toEqual([
    "to your scheduling page",
    ...["LinkedIn", "Facebook", "Instagram"],
  ]);
});
