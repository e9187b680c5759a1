import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // Most contract tests wait for a database or a clock: more of them than there are processors.
    maxWorkers: 3,
    projects: [
      {
        test: {
          name: "unit",
          include: ["{app,server,backend,supabase,scripts}/**/*.test.{ts,tsx}", "tests/*.test.ts"],
          // Properties try hundreds of cases, also on a busy machine.
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: "contract",
          include: ["tests/{contract,security,durability}/**/*.test.ts"],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          // One second, the default, is short on a busy machine.
          expect: { poll: { timeout: 10_000 } },
        },
      },
    ],
  },
});
