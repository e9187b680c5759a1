import { once } from "node:events";
import { expect, test } from "vitest";

test("the process still warns of an Error after the library is loaded", async () => {
  const { emitWarning } = process;
  await import("./lite.ts");
  expect(process.emitWarning).toBe(emitWarning);
  const warned = once(process, "warning");
  process.emitWarning(new Error("Too many listeners"));
  expect(await warned).toMatchObject([{ message: "Too many listeners" }]);
});
