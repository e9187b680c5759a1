// `unstubGlobals` runs before each test. What the last test of a file stubs would stay while the next file in the same worker is
// imported, because the files are not isolated.
import { afterAll, vi } from "vitest";

afterAll(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});
