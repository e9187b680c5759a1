import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";

/** The default of one second is too short on a busy machine. */
const expect = { poll: { timeout: 10_000 } };

/** For tests that start the backend or the site. */
const onSites: TestProjectInlineConfiguration["test"] = {
  globalSetup: "tests/prepared-data-dir.ts",
  // Tests that start several servers set 60 seconds.
  testTimeout: 30_000,
  hookTimeout: 60_000,
  expect,
};

/** For tests that kill, fill or flood what they started. */
const manyServers = { testTimeout: 180_000, hookTimeout: 180_000 };

/** Reads the built site. */
const ofBuild = "tests/byte-budgets.test.ts";

export default defineConfig({
  test: {
    // More than there are processors: most contract tests wait for a database or a timer.
    maxWorkers: 3,
    tags: [
      {
        name: "long",
        description: "Runs in npm run test:long, because it takes seconds or waits for timers.",
        timeout: 120_000,
      },
    ],
    // As in a started site (surviveLostConnections): the driver rejects a promise that nothing awaits when a pool ends
    // while a connection opens.
    onUnhandledError: (error) => !/^CONNECTION_/.test(String("code" in error && error.code)),
    projects: [
      {
        test: {
          name: "unit",
          include: [
            "{app,server,packages/*/src,supabase,scripts}/**/*.test.{ts,tsx}",
            "tests/*.test.ts",
          ],
          // `npm test` runs them beside the build.
          exclude: [ofBuild],
          // Importing React, the schemas and zod again for each file would take most of the time.
          isolate: false,
          restoreMocks: true,
          unstubEnvs: true,
          unstubGlobals: true,
          setupFiles: "tests/unstub-globals.ts",
          // Property tests run hundreds of cases, also on a busy machine.
          testTimeout: 30_000,
          expect,
        },
      },
      {
        test: {
          name: "contract",
          include: ["{tests/{contract,security,site},packages/*/tests}/**/*.test.ts", ofBuild],
          ...onSites,
          globalSetup: "tests/shared-database.ts",
          isolate: false,
        },
      },
      { test: { name: "long", include: ["tests/long/*.test.ts"], ...onSites, ...manyServers } },
      {
        // Measures, so it runs after all others, one file at a time.
        test: {
          ...onSites,
          ...manyServers,
          name: "quiet",
          include: ["tests/long/quiet/*.test.ts"],
          sequence: { groupOrder: 1 },
          maxWorkers: 1,
        },
      },
    ],
  },
});
