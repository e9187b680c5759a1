// Makes one line for each subject (a table, a function, a bucket) that breaks a rule of the role table.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestCase, TestModule } from "vitest/node";
import { embeddedConfig } from "../../embedded.config.ts";

declare module "vitest" {
  interface TaskMeta {
    /** An attempt of the role table (tests/security/roles.test.ts). */
    permission?: {
      /** 'posts: insert' or 'rpc my_role' */
      what: string;
      expected: readonly string[];
      worked: readonly string[];
      /** The error of someone who should have been allowed. */
      reason: string;
    };
  }
}
type Permission = NonNullable<ReturnType<TestCase["meta"]>["permission"]>;

const actorNames: Record<string, string> = {
  anonymous: "visitors",
  stranger: "accounts without a role",
  owner: "owners",
  editor: "editors",
  assistant: "assistants",
  editor_assistant: "people with both roles",
};

/** @returns no other failures when there are wrong permissions, which probably caused them */
export function describeFailures(modules: readonly TestModule[]): string[] {
  const failed = modules.flatMap((each) => [...each.children.allTests("failed")]);
  const permissions = failed.flatMap((each) => each.meta().permission ?? []);
  if (permissions.length > 0) return describePermissions(permissions);
  const lines = failed.map((each) => `${each.fullName}: ${firstLine(each.result().errors)}`);
  // An error outside the tests, for example in `beforeAll`.
  const others = modules.filter((each) => each.errors().length > 0);
  return [
    ...lines,
    ...others.map((each) => `${each.relativeModuleId}: ${firstLine(each.errors())}`),
  ];
}

/** @returns for each reason a line with the names of the checks that were not made */
export function describeSkipped(modules: readonly TestModule[]): string[] {
  const skipped = modules.flatMap((each) => [...each.children.allTests("skipped")]);
  const reasons = Map.groupBy(skipped, (each) => {
    const result = each.result();
    return (result.state === "skipped" && result.note) || "";
  });
  // After an error in `beforeAll`, no test of its file was made.
  reasons.delete("");
  return [...reasons].map(
    ([reason, tests]) => `Not tried. ${reason}: ${tests.map(({ name }) => name).join(", ")}.`,
  );
}

function firstLine(errors: readonly { message: string }[] = []): string {
  return errors[0]?.message.split("\n")[0] ?? "it failed";
}

function describePermissions(permissions: readonly Permission[]): string[] {
  const bySubject = Map.groupBy(permissions, ({ what }) => what.split(/:|(?<=rpc \w+)\b/)[0] ?? "");
  return [...bySubject].map(([subject, broken]) => describeSubject(subject, broken));
}

function describeSubject(subject: string, broken: readonly Permission[]): string {
  const phrases = new Map<string, Set<string>>();
  for (const { what, expected, worked } of broken) {
    const act = what.slice(subject.length).replace(/^:? /, "") || "call it";
    const wrong = {
      can: worked.filter((actor) => !expected.includes(actor)),
      "can't": expected.filter((actor) => !worked.includes(actor)),
    };
    for (const [verb, actors] of Object.entries(wrong)) {
      if (actors.length === 0) continue;
      const phrase = `${inWords(actors.map((actor) => actorNames[actor] ?? actor))} ${verb}`;
      phrases.set(phrase, (phrases.get(phrase) ?? new Set()).add(act));
    }
  }
  const sentence = [...phrases].map(([phrase, acts]) => `${phrase} ${inWords([...acts])}`);
  const reason = broken.find((each) => each.reason)?.reason;
  const told = `${nameOf(subject)}: ${sentence.join("; ")}${reason ? ` (${reason})` : ""}`;
  return `${told}. ${adviceOn(subject, broken)}.`;
}

function inWords(names: string[]): string {
  return new Intl.ListFormat("en").format(names);
}

/** What no migration creates, with what to do. */
const services: Record<string, [name: string, advice: string]> = {
  auth: ["Auth", "Close sign-up: npx supabase config push"],
  buckets: ["Storage", "Remove the policies on storage.buckets"],
};

function nameOf(subject: string): string {
  if (subject.startsWith("rpc ")) return `The function ${subject.slice(4)}`;
  if (subject in embeddedConfig.rest.tables) return `The table ${subject}`;
  if (/^(?:images|files|deleted-images)$/.test(subject)) return `The bucket ${subject}`;
  return services[subject]?.[0] ?? `The Edge Function ${subject}`;
}

const migrations = join(import.meta.dirname, "../../supabase/migrations");

/** Where to look: the migration that creates the subject, and its policies for what is wrong. */
function adviceOn(subject: string, broken: readonly Permission[]): string {
  if (services[subject]) return services[subject][1];
  const name = subject.replace("rpc ", "");
  const made = `create (table|function) public\\.${name}\\b|array\\[.*'${name}'|values \\('${name}'`;
  const created = new RegExp(made);
  const file = readdirSync(migrations).find((each) => created.test(readMigration(each)));
  if (!file) return `Is it deployed? npx supabase functions deploy ${name}`;
  const policies = readMigration(file).matchAll(
    /create policy "(.+)" on public\.(\w+)\s+for (\w+)/g,
  );
  const acts = broken.map(({ what }) => what.replace("upsert", "insert")).join();
  const named = [...policies].filter(
    ([, , table, verb = ""]) => table === name && acts.includes(`: ${verb}`),
  );
  const rules = [...named.map(([, policy]) => `the policy "${policy}"`), "the grants"];
  const compared = name in embeddedConfig.rest.tables ? inWords(rules) : "it";
  return `Compare ${compared} with supabase/migrations/${file}`;
}

function readMigration(file: string): string {
  return readFileSync(join(migrations, file), "utf8");
}
