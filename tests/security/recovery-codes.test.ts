// Recovery codes in place of a forgotten password, past the browser.
import { randomUUID } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { expect, test } from "vitest";
import { openClient, setUpProject, signIn } from "../start-project.ts";

const { project, sql, owner, signInAs } = await setUpProject();
const limited = await setUpProject({ rateLimits: true });
type Client = ReturnType<typeof openClient>;

let addresses = 0;
/** Requests of one address are limited. */
function newAddress(): string {
  addresses += 1;
  return `198.51.100.${addresses}`;
}

async function recover(email: string, code: string, { address = newAddress(), of = project } = {}) {
  const response = await fetch(`${of.url}/functions/v1/recover-account`, {
    method: "POST",
    headers: {
      apikey: of.anonKey,
      "content-type": "application/json",
      "x-test-address": address,
    },
    body: JSON.stringify({ email, code }),
  });
  return { status: response.status, ...Object(await response.json()) };
}

const createCodes = async (client: Client) =>
  (await client.rpc("create_recovery_codes").throwOnError()).data;

async function openWith(token: string) {
  const client = openClient(project, newAddress());
  const { error } = await client.auth.verifyOtp({ type: "recovery", token_hash: token });
  if (error) throw error;
  return client;
}

test("a code opens the account once, for a new password, and ends all sessions", async () => {
  const person = await signInAs("editor", "Dana");
  const [code = "", other = ""] = await createCodes(person.client);
  expect((await person.client.rpc("count_recovery_codes")).data).toBe(10);
  const { status, token } = await recover(
    ` ${person.email.toUpperCase()} `,
    code.toUpperCase().replaceAll("-", " "),
  );
  expect(status).toBe(200);
  expect((await person.client.auth.getUser()).error).not.toBeNull();
  const again = await recover(person.email, code);
  expect(again).toEqual(await recover(person.email, "0".repeat(20)));
  expect(again.status).toBe(403);

  const client = await openWith(token);
  const password = randomUUID();
  expect((await client.auth.updateUser({ password: "password" })).error?.code).toBe(
    "weak_password",
  );
  expect((await client.auth.updateUser({ password })).error).toBeNull();
  await expect(openWith(token)).rejects.toThrow("expired");
  await expect(signIn(project, person)).rejects.toThrow();
  const next = await signIn(project, { email: person.email, password });
  expect((await next.rpc("count_recovery_codes")).data).toBe(9);
  expect((await recover(person.email, other)).status).toBe(200);
});

test("an unknown address, another account's code and no code get the same response", async () => {
  const [one, two] = await Promise.all([signInAs("editor"), signInAs("editor")]);
  const [code = ""] = await createCodes(one.client);
  const expected = await recover(one.email, "a");
  expect(expected).toEqual({ status: 403, error: expect.stringContaining("is wrong") });
  expect(await recover("nobody@example.com", "a")).toEqual(expected);
  expect(await recover(two.email, code)).toEqual(expected);
  expect((await recover(one.email, "")).status).toBe(400);
  expect((await recover("", code)).status).toBe(400);
  expect((await recover(one.email, code)).status).toBe(200);
});

test("a code is stored as a hash, and works once for two requests at the same time", async () => {
  const person = await signInAs("editor");
  const [code = ""] = await createCodes(person.client);
  const rows = await sql`select to_jsonb(code)::text as row from private.recovery_codes as code`;
  expect(JSON.stringify(rows)).not.toContain(code.replaceAll("-", ""));
  const outcomes = await Promise.all([1, 2].map(() => recover(person.email, code)));
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual([200, 403]);
});

test("attempts are limited per address, and per account from all addresses", async () => {
  const of = limited.project;
  const statuses = [];
  const address = newAddress();
  for (let count = 0; count < 11; count += 1) {
    statuses.push((await recover(`${randomUUID()}@example.com`, "a", { address, of })).status);
  }
  expect(statuses.slice(0, 10)).toEqual(Array(10).fill(403));
  expect(statuses[10]).toBe(429);

  for (const email of [of.owner.email, "no-account@example.com"]) {
    const outcomes = [];
    for (let count = 0; count < 11; count += 1) {
      outcomes.push((await recover(email, "a", { of })).status);
    }
    expect(outcomes).toEqual([...Array(10).fill(403), 429]);
  }
}, 60_000);

test("only a session that has just begun makes codes", async () => {
  const person = await signInAs("editor");
  await sql`
    update auth.sessions set created_at = now() - interval '6 minutes' where user_id = ${person.id}`;
  expect((await person.client.rpc("has_just_signed_in")).data).toBe(false);
  expect((await person.client.rpc("create_recovery_codes")).error?.code).toBe("42501");
  // Neither a refreshed session nor an app that was just enrolled is a sign-in.
  await person.client.auth.refreshSession();
  await enroll(person.client);
  expect((await person.client.rpc("create_recovery_codes")).error?.code).toBe("42501");
});

test("where the second step is on, a code replaces one step, and the sheet not both", async () => {
  const person = await signInAs("owner");
  const [first = "", second = "", third = ""] = await createCodes(person.client);
  const { factorId, codeAt } = await enroll(person.client);
  const { token } = await recover(person.email, first);
  const client = await openWith(token);
  const password = randomUUID();
  expect((await client.rpc("my_role")).data).toBeNull();
  expect((await client.auth.updateUser({ password })).error?.code).toBe("insufficient_aal");
  const both = await client.rpc("use_recovery_code", { code: second });
  expect(both.error?.message).toContain("cannot replace the app as well");
  // The app is proved, so the code has replaced the password alone.
  await sql`update auth.mfa_factors set last_step = null where id = ${factorId}`;
  const proved = await client.auth.mfa.challengeAndVerify({ factorId, code: codeAt() });
  expect(proved.error).toBeNull();
  expect((await client.auth.updateUser({ password })).error).toBeNull();
  // With the password, another code replaces the app.
  const next = await signIn(project, { email: person.email, password });
  expect((await next.rpc("use_recovery_code", { code: second })).data).toBe(true);
  expect((await next.rpc("my_role")).data).toBe("owner");
  expect((await next.rpc("use_recovery_code", { code: third })).data).toBe(false);
});

test("every owner is told, by mail and until the owner has seen it", async () => {
  const person = await signInAs("editor", "Dana");
  const second = await signInAs("owner");
  const [code = ""] = await createCodes(person.client);
  await recover(person.email, code);
  const read = async (client: Client) => (await client.rpc("list_code_uses")).data ?? [];
  const own = (rows: Awaited<ReturnType<typeof read>>) =>
    rows.filter(({ email }) => email === person.email);
  const [use] = own(await read(owner));
  expect(use).toMatchObject({ name: "Dana", replaced: "password" });
  await owner.rpc("dismiss_code_uses", { latest: use?.used_at ?? "" }).throwOnError();
  expect(own(await read(owner))).toEqual([]);
  expect(own(await read(second.client))).toHaveLength(1);
  const mails = await sql<{ recipient: string }[]>`
    select recipient from public.mails
    where kind = 'code_used' and data ->> 'email' = ${person.email}`;
  const recipients = mails.map(({ recipient }) => recipient);
  for (const email of [person.email, second.email, project.owner.email]) {
    expect(recipients).toContain(email);
  }
});

async function enroll({ auth }: Client) {
  const { data, error } = await auth.mfa.enroll({ factorType: "totp" });
  if (error) throw error;
  const codeAt = () => new TOTP({ secret: Secret.fromBase32(data.totp.secret) }).generate();
  await auth.mfa.challengeAndVerify({ factorId: data.id, code: codeAt() });
  return { factorId: data.id, codeAt };
}
