// Looks at a hosted project for `npm run check-live`: its services with the public key, its inside with the secret key.
// Changes nothing there and sends no mail.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import { z } from "zod";
import { some } from "../../app/config/checks/checks.ts";
import type { Findings, MailFacts } from "../../app/config/checks/facts.ts";
import type { ServerSettings } from "../../app/config/server-settings.ts";
import { withoutSession } from "../../supabase/functions/_shared/without-session.ts";

export type Project = NonNullable<ServerSettings["project"]>;
/** A row of public.project_facts(). */
export type ProjectFact = Record<"kind" | "name" | "state", string>;

const authSchema = z.object({ disable_signup: z.boolean(), mailer_autoconfirm: z.boolean() });
const timeout = 10_000;
const forbidden = "https://check-live.invalid";
/** A project must not add objects of these kinds. */
const closedKinds = ["Migrations", "Policies"];

export async function inspectServices(project: Project, siteUrl: string): Promise<Findings> {
  const orNull = (inspection: Promise<string[]>) => inspection.catch(() => null);
  const [auth, functions] = [orNull(inspectAuth()), orNull(inspectFunctions())];
  return { auth: await auth, functions: await functions };

  function ask(path: string): Promise<Response> {
    return fetch(`${project.url}${path}`, {
      redirect: "manual",
      signal: AbortSignal.timeout(timeout),
      headers: { apikey: project.anonKey, origin: siteUrl },
    });
  }

  async function inspectAuth(): Promise<string[]> {
    const response = await ask("/auth/v1/settings");
    const { disable_signup, mailer_autoconfirm } = authSchema.parse(await response.json());
    // With an unknown token, Auth only redirects: to this address if it is allowed, else to its `site_url`.
    const verify = await ask(`/auth/v1/verify?type=recovery&token=none&redirect_to=${forbidden}`);
    const [target] = verify.headers.get("location")?.split("#") ?? [];
    if (!target) throw new Error("No redirect");
    return [
      disable_signup ? [] : "Anyone can create an account",
      // Auth then ignores `double_confirm_changes`.
      mailer_autoconfirm ? "One confirmation changes the address of an account" : [],
      target === siteUrl
        ? []
        : `Auth redirects to ${target === forbidden ? "any address" : target}`,
    ].flat();
  }

  async function inspectFunctions(): Promise<string[]> {
    const folder = join(import.meta.dirname, "../../supabase/functions");
    const names = readdirSync(folder).filter((name) => !name.startsWith("_"));
    const found = names.map(async (name) => {
      const { status, headers } = await ask(`/functions/v1/${name}`);
      if (status === 404) return `The function ${name} is missing`;
      if (status === 401) return `The function ${name} has verify_jwt`;
      if (status >= 500) return `The function ${name} responds with status ${status}`;
      const origin = headers.get("access-control-allow-origin");
      if (name !== "send-email" || origin === siteUrl) return [];
      return `ALLOWED_ORIGINS of the functions is not ${siteUrl}`;
    });
    return (await Promise.all(found)).flat();
  }
}

/**
 * @param expected null when there is nothing to compare with
 * @throws when the secret key is not accepted
 */
export async function inspectInside(
  { url }: Project,
  secretKey: string,
  expected: readonly ProjectFact[] | null,
): Promise<{ findings: Findings; mail: MailFacts | null }> {
  const client = createClient(url, secretKey, { auth: withoutSession });
  const { data, error, status } = await client.rpc("project_facts");
  // Without the function, or the history of migrations, the status is 404.
  if (error && status !== 404) {
    throw new Error(`SUPABASE_SECRET_KEY cannot be used: ${error.message}`);
  }
  const lines = expected && compareFacts(expected, data ?? []);
  const isOfSchedule = (line: string) => /^(Jobs|Secrets)/.test(line);
  const sender = await client.functions.invoke("send-email", { method: "GET", timeout });
  return {
    findings: {
      database: lines?.filter((line) => !isOfSchedule(line)),
      schedule: lines?.filter(isOfSchedule),
    },
    mail: sender.data,
  };
}

/** @returns a line for each kind that differs */
export function compareFacts(
  expected: readonly ProjectFact[],
  actual: readonly ProjectFact[],
): string[] {
  const keyOf = ({ kind, name }: ProjectFact) => `${kind} ${name}`;
  const states = new Map(actual.map((fact) => [keyOf(fact), fact.state]));
  const keys = new Set(expected.map(keyOf));
  const differ = expected.filter((fact) => states.get(keyOf(fact)) !== fact.state);
  const isUnknown = (fact: ProjectFact) => !keys.has(keyOf(fact));
  const unknown = actual.filter((fact) => closedKinds.includes(fact.kind) && isUnknown(fact));
  return Object.entries({ "missing or different": differ, unknown }).flatMap(([problem, facts]) =>
    [...Map.groupBy(facts, ({ kind }) => kind)].map(
      ([kind, same]) => `${kind} are ${problem} (${some(same.map(({ name }) => name).toSorted())})`,
    ),
  );
}
