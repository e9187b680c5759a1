import { expect, test } from "vitest";
import { runNode } from "../../tests/run-node.ts";

test("the site with the embedded backend survives a warning of Node, which is an Error", async () => {
  const script = `
    await import("./server/start-site.ts");
    await import("./server/embedded/start.ts");
    const { EventEmitter } = await import("node:events");
    const emitter = new EventEmitter().setMaxListeners(1);
    process.once("warning", ({ name }) => console.log(name));
    for (const listener of [() => {}, () => {}]) emitter.on("change", listener);`;
  const { code, output } = await runNode(
    ["--no-warnings", "--input-type=module", "--eval", script],
    {},
  );
  expect({ code, output }).toEqual({ code: 0, output: "MaxListenersExceededWarning\n" });
});
