// `npm run owner -- you@example.com`: makes an account the owner of a hosted project and creates it
// if needed. Safe to repeat. Needs SUPABASE_URL and SUPABASE_SECRET_KEY. OWNER_PASSWORD is the
// password of a new account; otherwise one is generated and printed once.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import { z } from "zod";
import { loadEnvironmentFile } from "../app/config/read-settings.ts";
import { SettingsError } from "../app/config/settings.ts";
import type { Database } from "../app/supabase/database.ts";
import { passwordProblem } from "../supabase/functions/_shared/password.ts";

try {
  loadEnvironmentFile(join(import.meta.dirname, ".."));
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  end(error.message);
}

const input = z
  .object({
    email: z.email("Name the owner: npm run owner -- you@example.com"),
    SUPABASE_URL: z.url({
      protocol: /^https?$/,
      error:
        "SUPABASE_URL must be the project's address. Without a project the embedded backend makes its owner at `npm start` from OWNER_EMAIL and OWNER_PASSWORD.",
    }),
    SUPABASE_SECRET_KEY: z
      .string("SUPABASE_SECRET_KEY must be the project's secret key (Project Settings, API Keys).")
      .min(1, "SUPABASE_SECRET_KEY is empty."),
    OWNER_PASSWORD: z
      .string()
      .superRefine((password, context) => {
        const problem = passwordProblem(password);
        if (problem) context.addIssue(`OWNER_PASSWORD is not usable. ${problem}`);
      })
      .optional(),
  })
  .safeParse({ ...process.env, email: process.argv[2] });
if (!input.success) end(input.error.issues.map(({ message }) => message).join("\n"));

const { email, SUPABASE_URL, SUPABASE_SECRET_KEY, OWNER_PASSWORD } = input.data;
const client = createClient<Database>(SUPABASE_URL, SUPABASE_SECRET_KEY, {
  auth: { persistSession: false, autoRefreshToken: false },
});

const existing = await findUser();
const id = existing ?? (await createUser());
const { data: promoted, error } = await client.rpc("make_owner", { id });
if (error) {
  end(`${email} could not be made the owner: ${error.message}. Are the migrations applied?`);
}
console.log(promoted ? `${email} owns the site now.` : `${email} owned the site already.`);

async function findUser(): Promise<string | null> {
  const perPage = 1000;
  for (let page = 1; ; page++) {
    const { data, error } = await client.auth.admin.listUsers({ page, perPage });
    if (error) end(`The accounts could not be read: ${error.message}`);
    const user = data.users.find((each) => each.email?.toLowerCase() === email.toLowerCase());
    if (user) return user.id;
    if (data.users.length < perPage) return null;
  }
}

async function createUser(): Promise<string> {
  const password = OWNER_PASSWORD ?? randomBytes(12).toString("base64url");
  const { data, error } = await client.auth.admin.createUser({
    email,
    password,
    email_confirm: true,
  });
  if (error) end(`The account could not be created: ${error.message}`);
  console.log(`Created the account ${email}.`);
  if (!OWNER_PASSWORD) console.log(`Its password, shown only now: ${password}`);
  return data.user.id;
}

function end(message: string): never {
  console.error(message);
  process.exit(1);
}
