// The people who manage the site, from the command line: `npm run owner -- list`, `add EMAIL [--role ROLE] [--name NAME]`,
// `remove EMAIL`, `password EMAIL`, `two-step-off EMAIL`; an address alone is added as an owner. Safe to repeat. `setup-link` prints
// another link for the first owner of a new site. Works on the embedded backend, running or not, and with SUPABASE_URL and
// SUPABASE_SECRET_KEY on a hosted project. OWNER_PASSWORD is the password of a new account; otherwise one is generated and printed
// once.
import { randomBytes } from "node:crypto";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { StartError } from "embedded-supabase/errors.ts";
import { z } from "zod";
import { loadEnvironmentFile } from "../app/config/read-settings.ts";
import { SettingsError } from "../app/config/server-settings.ts";
import { confirmLink } from "../supabase/functions/_shared/confirm-link.ts";
import { foldAddress, maxNameLength } from "../supabase/functions/_shared/invitation.ts";
import { passwordProblem } from "../supabase/functions/_shared/password.ts";
import { roles } from "../supabase/functions/_shared/roles.ts";
import { type Accounts, AccountsError, openHostedAccounts } from "./hosted-accounts.ts";
import { stop } from "./stop.ts";

const root = join(import.meta.dirname, "..");
const usage = `Usage: npm run owner -- list
       npm run owner -- add you@example.com [--role ${roles.join("|")}] [--name NAME]
       npm run owner -- remove you@example.com
       npm run owner -- password you@example.com
       npm run owner -- two-step-off you@example.com
       npm run owner -- setup-link           prints a link that sets up a new site
       npm run owner -- you@example.com      adds an owner`;

const environmentSchema = z.object({
  SUPABASE_URL: z
    .union([
      z.literal(""),
      z.url({ protocol: /^https?$/, error: "SUPABASE_URL must be the project's address." }),
    ])
    .default(""),
  SUPABASE_SECRET_KEY: z.string().default(""),
  SITE_URL: z.string().default("http://127.0.0.1:3000"),
  DATA_DIR: z.string().default(".data"),
  OWNER_PASSWORD: z.string().optional(),
});

const email = z.email(usage).transform(foldAddress);
const commandSchema = z.discriminatedUnion(
  "command",
  [
    z.object({ command: z.literal("list") }),
    z.object({ command: z.literal("setup-link") }),
    z.object({
      command: z.literal("add"),
      email,
      role: z.enum(roles, `--role must be one of ${roles.join(", ")}.`).default("owner"),
      name: z
        .string()
        .max(maxNameLength, `--name has at most ${maxNameLength} characters.`)
        .default(""),
    }),
    z.object({ command: z.literal("remove"), email }),
    z.object({ command: z.literal("password"), email }),
    z.object({ command: z.literal("two-step-off"), email }),
  ],
  usage,
);
type Command = z.output<typeof commandSchema>;

try {
  loadEnvironmentFile(root);
  const command = parseCommand(process.argv.slice(2));
  const environment = parse(environmentSchema, withoutBlank(process.env));
  const accounts = await open(environment);
  const problem = await run(accounts, command, environment).finally(accounts.close);
  if (problem) stop(problem);
} catch (error) {
  const kinds = [SettingsError, StartError, AccountsError];
  const isExpected = kinds.some((kind) => error instanceof kind);
  if (error instanceof Error && (isExpected || error.name === "PostgresError")) stop(error.message);
  throw error;
}

function parseCommand(args: string[]): Command {
  try {
    const { positionals, values } = parseArgs({
      args,
      options: { role: { type: "string" }, name: { type: "string" } },
      allowPositionals: true,
    });
    const words = positionals[0]?.includes("@") ? ["add", ...positionals] : positionals;
    const [command, email = "", ...rest] = words;
    const takesAddress = command !== "list" && command !== "setup-link";
    if (rest.length > 0 || (!takesAddress && email !== "")) stop(usage);
    return parse(commandSchema, { command, email, ...values });
  } catch (error) {
    if (error instanceof TypeError) stop(`${error.message}\n${usage}`);
    throw error;
  }
}

async function open(environment: z.output<typeof environmentSchema>): Promise<Accounts> {
  const { SUPABASE_URL, SUPABASE_SECRET_KEY, SITE_URL, DATA_DIR } = environment;
  if (!SUPABASE_URL) {
    // A hosted project needs none of these.
    const { openAccounts } = await import("../server/embedded/accounts.ts");
    return openAccounts(resolve(root, DATA_DIR), SITE_URL);
  }
  if (!SUPABASE_SECRET_KEY) {
    stop("SUPABASE_SECRET_KEY must be the project's secret key (Project Settings, API Keys).");
  }
  return openHostedAccounts(SUPABASE_URL, SUPABASE_SECRET_KEY);
}

/** @returns why nothing was done; null after a success */
async function run(
  accounts: Accounts,
  command: Command,
  { OWNER_PASSWORD: givenPassword, SITE_URL }: z.output<typeof environmentSchema>,
): Promise<string | null> {
  if (command.command === "list") return list(accounts);
  if (command.command === "setup-link") return printSetupLink(accounts, SITE_URL);
  const { email } = command;
  if (command.command === "add") return add(accounts, command, givenPassword);
  const person = (await accounts.list()).find((each) => foldAddress(each.email) === email);
  if (!person) return `Nobody with the address ${email} manages the site.`;
  if (command.command === "remove") {
    await accounts.remove(person.id);
    console.log(`${email} was removed, and can't sign in any more.`);
  } else if (command.command === "two-step-off") {
    const wasOn = await accounts.removeSecondStep(person.id);
    console.log(
      wasOn
        ? `${email} signs in by password alone now, and is signed out everywhere.`
        : `${email} had no second step of the sign-in, and is signed out everywhere.`,
    );
  } else {
    await accounts.setPassword(person.id, newPassword(email, givenPassword));
    console.log(`${email} has a new password and is signed out everywhere.`);
  }
  return null;
}

async function list(accounts: Accounts): Promise<null> {
  for (const { role, email, name, is_invited } of await accounts.list()) {
    const notes = [name, is_invited && "invited, not accepted yet"].filter(Boolean).join(", ");
    console.log(`${role.padEnd(9)}  ${email}${notes && `  (${notes})`}`);
  }
  return null;
}

async function printSetupLink(accounts: Accounts, siteUrl: string): Promise<string | null> {
  const token = await accounts.setupToken();
  if (token === null) {
    return "An owner has signed in already, or the project is a hosted one: npm run owner -- password you@example.com";
  }
  console.log(`${confirmLink(siteUrl, "setup", token)}`);
  return null;
}

async function add(
  accounts: Accounts,
  { email, role, name }: Extract<Command, { command: "add" }>,
  givenPassword: string | undefined,
): Promise<null> {
  let outcome = await accounts.add(email, role, name);
  if (outcome === "unknown") {
    await accounts.create(email, newPassword(email, givenPassword));
    console.log(`Created the account ${email}.`);
    outcome = await accounts.add(email, role, name);
  }
  const done = outcome === "unchanged" ? "already" : "now";
  if (role === "owner")
    console.log(`${email} ${done === "now" ? "owns" : "owned"} the site ${done}.`);
  else console.log(`${email} is an ${role} ${done}.`);
  return null;
}

/** Without a given one, prints a generated password, which is stored only as a hash. */
function newPassword(email: string, given: string | undefined): string {
  if (given !== undefined) {
    const problem = passwordProblem(given, [email]);
    if (problem) throw new SettingsError(`OWNER_PASSWORD cannot be used. ${problem}`);
    return given;
  }
  const password = randomBytes(12).toString("base64url");
  console.log(`The password, shown only now: ${password}`);
  return password;
}

function parse<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const { data, error } = schema.safeParse(input);
  if (error) stop([...new Set(error.issues.map(({ message }) => message))].join("\n"));
  return data;
}

/** A variable that is set to nothing counts as missing. */
function withoutBlank(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ""));
}
