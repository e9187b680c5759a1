import { execFileSync } from "node:child_process";
import { createWriteStream, rmSync } from "node:fs";
import { join } from "node:path";
import { Writable } from "node:stream";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { createTemporaryFolder } from "../../../tests/temporary-folder.ts";
import { compress, createZip } from "./zip.ts";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

function memory(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

test("unzip reads few files", () => expectReadable(0, 2));

test("unzip reads 65,535 files beyond 4 GB, in less than 50 MB of memory", { tags: "long" }, () =>
  expectReadable(2 ** 32, 65_535),
);

async function expectReadable(start: number, count: number): Promise<void> {
  const folder = await createTemporaryFolder("zip");
  const path = join(folder, "test.zip");
  const zip = createZip(Writable.toWeb(createWriteStream(path, { start })), start);
  const compressed = await compress(new Blob(["Words. ".repeat(1000)]));
  const before = memory();
  for (let index = 0; index < count; index++) await zip.add(`Émile 日本 ${index}.txt`, compressed);
  expect(memory() - before).toBeLessThan(50e6);
  await zip.close();
  const env = { ...process.env, LC_ALL: "C.UTF-8" };
  const unzip = (...args: string[]) => execFileSync("unzip", args, { env, encoding: "utf8" });
  expect(unzip("-tq", path)).toBe(`No errors detected in compressed data of ${path}.\n`);
  expect(unzip("-p", path, `Émile 日本 ${count - 1}.txt`)).toBe("Words. ".repeat(1000));
  rmSync(folder, { recursive: true });
}
