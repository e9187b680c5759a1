import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

test("base prototypes reject new properties, and other objects work as before", () => {
  const file = JSON.stringify(join(import.meta.dirname, "prevent-prototype-pollution.ts"));
  const script = `
    const { preventPrototypePollution } = await import(${file});
    preventPrototypePollution();
    const filters = {};
    let failed = false;
    try { Object.assign(filters["__proto__"], { $eq: "x" }) } catch { failed = true }
    class Named { toString() { return "named" } }
    const own = {};
    own.toString = () => "own";
    console.log(JSON.stringify([failed, "$eq" in {}, String(new Named()), String(own)]));`;
  const printed = execFileSync(process.execPath, ["--input-type=module", "--eval", script]);
  expect(JSON.parse(printed.toString())).toEqual([true, false, "named", "own"]);
});
