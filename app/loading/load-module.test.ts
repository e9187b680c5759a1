import { afterEach, expect, test, vi } from "vitest";
import { loadModule } from "./load-module.ts";

afterEach(() => {
  vi.useRealTimers();
});

test("a failure has a message for the visitor, and the next call tries again", async () => {
  const load = vi.fn(() => Promise.resolve("the module"));
  load.mockRejectedValueOnce(new TypeError("Importing a module script failed."));
  await expect(loadModule(load)).rejects.toThrow("Check your connection and try again.");
  await expect(loadModule(load)).resolves.toBe("the module");
});

test("loading times out after 20 seconds", async () => {
  vi.useFakeTimers();
  const loading = expect(loadModule(() => new Promise(() => {}))).rejects.toThrow(
    "Check your connection and try again.",
  );
  await vi.advanceTimersByTimeAsync(20_000);
  await loading;
});
