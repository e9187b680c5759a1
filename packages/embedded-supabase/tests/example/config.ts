import type { EmbeddedConfig } from "../../src/config.ts";

/** A small project: the configuration of a table, a bucket and a function. */
export const exampleConfig: EmbeddedConfig = {
  name: "notes",
  supabaseDir: import.meta.dirname,
  seededTables: ["public.notes"],
  rest: {
    tables: { notes: { filters: { id: ["eq"] }, order: ["created_at"] } },
    functions: {},
    columnBytes: {},
  },
  functions: { greet: { callers: "anyone" } },
  jobs: {
    expire: {
      failure: "Old notes were not deleted",
      interval: 60 * 60_000,
      run: ({ sql }) => sql`delete from public.notes where created_at < now() - interval '1 year'`,
    },
  },
  rateLimits: {
    greet: {
      limits: [{ per: "everyone", count: 2, seconds: 60 }],
      reasons: ["", "Too many greetings."],
      request: { function: "greet", method: "POST" },
    },
  },
  auth: {
    sendEmailHook: "mail",
    passwordProblem: async (password) => (password.length < 10 ? "Use ten characters." : null),
    confirmLink: (siteUrl, type, token) => new URL(`/confirm?type=${type}&token=${token}`, siteUrl),
    firstAccount: { isAwaited: async () => false, onCreated: async () => {} },
    seesUnsentLinks: async () => false,
  },
  findImageProblem: async () => null,
  move: {
    listAccounts: (sql) => sql<{ id: string; email: string }[]>`select id, email from auth.users`,
    skippedTables: [],
    isDerived: () => false,
    expendableRows: [],
  },
};
