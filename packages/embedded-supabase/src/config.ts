// What a project tells the backend about itself. Everything else follows from its migrations.
import type { LinkType } from "./auth/auth-request.ts";
import type { Sql, Transaction } from "./database.ts";
import type { CallLimit } from "./rate-limits/limits.ts";
import type { RestConfig } from "./rest/rest-api.ts";

export interface EmbeddedConfig {
  /** The name of the project, which its backups carry. */
  name: string;
  /** The folder with `migrations/`, `seed.sql` and `functions/`, as the Supabase CLI expects it. */
  supabaseDir: string;
  /** Tables of content: the seed is loaded only while all of them are empty. */
  seededTables: readonly string[];
  /** What to do when an applied migration was edited, as the end of a sentence on its own line. */
  editedMigrationHint?: string;
  rest: RestConfig;
  /** The Edge Functions that can be called, by name. */
  functions: Readonly<Record<string, FunctionConfig>>;
  jobs: Readonly<Record<string, Job>>;
  /** Rate limits of the project's own calls, besides those of Auth (rate-limits/limits.ts). */
  rateLimits: Readonly<Record<string, CallLimit>>;
  auth: AuthConfig;
  /** The problem with an uploaded image in this file, as a sentence for the user; null when the project can show it. */
  findImageProblem(path: string): Promise<string | null>;
  /** Files and folders of the data folder that a restore with `replace` takes over: what is no part of a backup. */
  keptFiles?: readonly string[];
  /** Stored with a backup, such as a number that a later backup is compared with. Read in the backup's snapshot. */
  readBackupFacts?(transaction: Transaction, dataDir: string): Promise<unknown>;
  move: MoveConfig;
  /** Backups of a version whose tables the migrations no longer create. */
  former?: FormerConfig;
}

export interface FormerConfig {
  /** SQL that moves the rows of `tables` from `former.rows` (name, row as JSON) to present tables. */
  upgrade: string;
  /** Names of tables without a successor of the same name. A backup with one of them is of that version. */
  tables: readonly string[];
  /** Names of tables that are not loaded, because the present migrations fill them. */
  filled: readonly string[];
}

export interface FunctionConfig {
  /**
   * Who may call the function, besides callers with the secret key. Rejecting others here saves starting a process; the
   * function also checks its caller, because a hosted project has no such list.
   */
  callers: "anyone" | "secret key" | ((sql: Sql, userId: string) => Promise<boolean>);
  /** Request headers that the function receives besides keys, content type and origin. Callers can forge them. */
  headers?: readonly string[];
  /** URLs and host:port pairs that the function may connect to besides the backend. A host can be an IPv4 network. */
  hosts?(environment: FunctionEnvironment): readonly string[];
  /** Hosts or IPv4 networks, each with a port, that the function may not connect to although `hosts` includes them. */
  closedHosts?: readonly string[];
}

export type FunctionEnvironment = Readonly<Record<string, string | undefined>>;

export interface Job {
  /** The log line when it fails. */
  failure: string;
  /** Milliseconds between the end of one run and the start of the next. */
  interval: number;
  run(context: JobContext): Promise<unknown>;
}

export interface JobContext {
  sql: Sql;
  dataDir: string;
  /** Whether mails leave this machine now. */
  sendsMail(): Promise<boolean>;
  /** Aborts when the backend stops, which waits a short time for the job. */
  signal: AbortSignal;
  /** Calls a function with the secret key. Rejects unless its response is a success. */
  call(path: string): Promise<void>;
}

export interface AuthConfig {
  /** The function of the Send Email hook, with its path. */
  sendEmailHook: string;
  /** The problem with a new password of the account, as a sentence for the user; null when it is valid. */
  passwordProblem(password: string, email: string): Promise<string | null>;
  confirmLink(siteUrl: string, type: LinkType, token: string): URL;
  /** The account that a setup link creates (auth/setup-links.ts). */
  firstAccount: {
    /** Whether nobody has signed in who could create other accounts. */
    isAwaited(sql: Sql): Promise<boolean>;
    /** Gives the account its rights, and removes one that it replaces. */
    onCreated(sql: Sql, userId: string): Promise<unknown>;
  };
  /** Whether the account gets the link for its new address in the response while no mail is sent. */
  seesUnsentLinks(sql: Sql, userId: string): Promise<boolean>;
}

export interface MoveConfig {
  listAccounts(sql: Sql | Transaction): Promise<{ id: string; email: string }[]>;
  /** Names of tables that are not moved: the migrations fill them, or they describe the installation. */
  skippedTables: readonly string[];
  /** Whether a target may have rows in the table: it fills the table by itself. */
  isDerived(table: string): boolean;
  /** LIKE patterns of rows, as JSON, that a target may have. */
  expendableRows: readonly string[];
}
