import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test, vi } from "vitest";
import { Loaded, type Result, tryLoading } from "./loaded.tsx";

function render(data: Result<string>) {
  const Component = () => (
    <Loaded data={data} of={1} fallback="Loading..." failure={() => "Unreadable"}>
      {(value) => <p>{value}</p>}
    </Loaded>
  );
  const Stub = createRoutesStub([{ path: "/", Component }]);
  return renderToStaticMarkup(<Stub />);
}

test("a failure to read, or to load the client, is logged and becomes the result", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  const failing = () => Promise.reject(new Error("out of reach"));
  expect(await tryLoading("rows", null, failing)).toEqual({ failed: true });
  expect(await tryLoading("rows", failing(), async () => "Content")).toEqual({ failed: true });
  expect(log.mock.calls).toEqual([
    ["Loading rows failed", new Error("out of reach")],
    ["Loading rows failed", new Error("out of reach")],
  ]);
  log.mockRestore();
});

test("the server renders a loaded value without a fallback", async () => {
  expect(render(await tryLoading("rows", "Content", async (read) => read))).toBe("<p>Content</p>");
});

test("without any value the failure is shown", () => {
  expect(render({ failed: true })).toBe("Unreadable");
});
