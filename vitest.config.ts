import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // Most contract tests wait for a database or a timer, so run more of them than there are
    // processors.
    maxWorkers: 3,
    projects: [
      {
        test: {
          name: "unit",
          include: ["{app,server,backend,supabase,scripts}/**/*.test.{ts,tsx}", "tests/*.test.ts"],
          // Property tests try hundreds of cases.
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: "contract",
          include: ["tests/{contract,security,durability}/**/*.test.ts"],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          // The default of one second is too short on a busy machine.
          expect: { poll: { timeout: 10_000 } },
        },
      },
    ],
  },
});
