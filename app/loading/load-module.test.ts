import { afterEach, expect, test, vi } from "vitest";
import { loadModule } from "./load-module.ts";

afterEach(() => {
  vi.useRealTimers();
});

test("a failure says what a visitor can do, and the next call tries again", async () => {
  const load = vi.fn(() => Promise.resolve("the module"));
  load.mockRejectedValueOnce(new TypeError("Importing a module script failed."));
  await expect(loadModule(load)).rejects.toThrow("Check your connection and try again.");
  await expect(loadModule(load)).resolves.toBe("the module");
});

test("a file that does not arrive counts as failed after 20 seconds", async () => {
  vi.useFakeTimers();
  const loading = expect(loadModule(() => new Promise(() => {}))).rejects.toThrow(
    "Check your connection and try again.",
  );
  await vi.advanceTimersByTimeAsync(20_000);
  await loading;
});
