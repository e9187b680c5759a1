// The second step of a sign-in: what Auth responds, and what a session of the first step may do past the browser.
import { randomUUID } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { expect, test } from "vitest";
import { openClient, setUpProject, signIn } from "../start-project.ts";

const { project, sql, admin, signInAs } = await setUpProject();
type Client = ReturnType<typeof openClient>;

/** @param step in periods of 30 seconds from now. The codes of the periods beside the current one are valid as well */
function codeOf(secret: string, step = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: Date.now() + step * 30_000,
  });
}

async function enroll(client: Client) {
  const { data, error } = await client.auth.mfa.enroll({ factorType: "totp" });
  if (error) throw error;
  return { factorId: data.id, ...data.totp };
}

/** Confirms an enrolled app. Its next code may be the same one, as if it came later. */
async function confirm(client: Client, { factorId, secret }: { factorId: string; secret: string }) {
  const { data, error } = await client.auth.mfa.challengeAndVerify({
    factorId,
    code: codeOf(secret),
  });
  if (error) throw error;
  await sql`update auth.mfa_factors set last_step = null where id = ${factorId}`;
  return data;
}

/** An owner who has turned on the second step, with the session that did so. */
async function ownerWithApp() {
  const owner = await signInAs("owner");
  const { factorId, secret } = await enroll(owner.client);
  await confirm(owner.client, { factorId, secret });
  return { ...owner, factorId, secret };
}

async function levelOf(client: Client) {
  const { data } = await client.auth.mfa.getAuthenticatorAssuranceLevel();
  return [data?.currentLevel, data?.nextLevel];
}

const roleOf = async (client: Client) => (await client.rpc("my_role")).data;

test("an app is enrolled, confirmed by a code, and asked for at the next sign-in", async () => {
  const { client, email, password } = await signInAs("owner");
  expect(await levelOf(client)).toEqual(["aal1", "aal1"]);
  const { factorId, secret, uri, qr_code } = await enroll(client);
  expect(uri).toMatch(new RegExp(`^otpauth://totp/.*secret=${secret}&`));
  expect(qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg [^#]+<\/svg>$/);
  expect(await levelOf(client)).toEqual(["aal1", "aal1"]);
  const data = await confirm(client, { factorId, secret });
  expect(data).toMatchObject({ token_type: "bearer", user: { email } });
  expect(await levelOf(client)).toEqual(["aal2", "aal2"]);
  const { data: factors } = await client.auth.mfa.listFactors();
  expect(factors?.totp).toMatchObject([{ id: factorId, status: "verified" }]);
  expect(JSON.stringify(factors)).not.toContain("secret");
  expect(await roleOf(client)).toBe("owner");
  // The level stays when the session is refreshed.
  expect((await client.auth.refreshSession()).error).toBeNull();
  expect(await levelOf(client)).toEqual(["aal2", "aal2"]);
  const amr = (await client.auth.mfa.getAuthenticatorAssuranceLevel()).data
    ?.currentAuthenticationMethods;
  expect(amr).toMatchObject([{ method: "totp" }, { method: "password" }]);

  const next = await signIn(project, { email, password });
  expect(await levelOf(next)).toEqual(["aal1", "aal2"]);
  const again = await next.auth.mfa.challengeAndVerify({ factorId, code: codeOf(secret) });
  expect(again.error).toBeNull();
  expect(await roleOf(next)).toBe("owner");
});

test("the first step alone may do nothing that the account may", async () => {
  const { email, password, factorId, client } = await ownerWithApp();
  const first = await signIn(project, { email, password });
  const post = { ...{ title: "T", slug: randomUUID(), category: "C", author: "A" }, content: [] };
  expect(await roleOf(first)).toBeNull();
  const { data: isOwner } = await first.rpc("is_owner");
  expect(isOwner).toBe(false);
  const write = await first.from("posts").insert({ ...post, tagline: "T", alt: "A" });
  expect(write.error?.code).toBe("42501");
  for (const table of ["contact_messages", "drafts", "site_settings", "mails"] as const) {
    expect((await first.from(table).select("*")).data ?? []).toEqual([]);
  }
  expect((await first.rpc("my_profile")).error).toMatchObject({ code: "42501" });
  expect((await first.rpc("list_people")).error?.code).toBe("42501");
  expect((await first.rpc("list_my_sessions")).data).toEqual([]);
  expect((await first.rpc("set_my_name", { name: "Eve" })).data).toBe(false);
  const { data: session } = await client.rpc("list_my_sessions");
  expect((await first.rpc("end_my_session", { id: session?.[0]?.id ?? "" })).data).toBe(false);
  expect((await first.rpc("create_recovery_codes")).error?.code).toBe("42501");
  const path = `public/${randomUUID()}.png`;
  const uploadAs = ({ storage }: Client) =>
    storage.from("images").upload(path, png, { contentType: "image/png" });
  expect((await uploadAs(first)).error).toMatchObject({ statusCode: "403" });
  expect((await uploadAs(client)).error).toBeNull();
  expect((await first.storage.from("images").remove([path])).data ?? []).toEqual([]);
  expect((await client.storage.from("images").remove([path])).data).toHaveLength(1);
  const invitation = await first.functions.invoke("invite-person", { body: { email } });
  expect(invitation.response?.status).toBe(403);

  // In Auth.
  for (const change of [{ password: randomUUID() }, { email: `${randomUUID()}@example.com` }]) {
    const { error } = await first.auth.updateUser({ ...change, current_password: password });
    expect(error).toMatchObject({ status: 401, code: "insufficient_aal" });
  }
  const another = await first.auth.mfa.enroll({ factorType: "totp", friendlyName: "mine" });
  expect(another.error).toMatchObject({ status: 403, code: "insufficient_aal" });
  const unenrolled = await first.auth.mfa.unenroll({ factorId });
  expect(unenrolled.error).toMatchObject({ status: 422, code: "insufficient_aal" });
  await first.auth.signOut({ scope: "others" });
  expect(await roleOf(client)).toBe("owner");
});

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

test("a private channel rejects a session of the first step", async () => {
  const { email, password, client } = await ownerWithApp();
  const statusOf = (member: Client) =>
    new Promise<string>((resolve) => {
      member
        .channel("realtime contact_messages", { config: { private: true } })
        .subscribe((status) => status !== "CLOSED" && resolve(status));
    });
  const first = await signIn(project, { email, password });
  await first.realtime.setAuth();
  await client.realtime.setAuth();
  expect(await statusOf(first)).toBe("CHANNEL_ERROR");
  expect(await statusOf(client)).toBe("SUBSCRIBED");
  await Promise.all([first.removeAllChannels(), client.removeAllChannels()]);
});

test("a code works once, also for two requests at the same time", async () => {
  const { email, password, factorId, secret } = await ownerWithApp();
  const sessions = await Promise.all([1, 2].map(() => signIn(project, { email, password })));
  const code = codeOf(secret);
  const outcomes = await Promise.all(
    sessions.map(({ auth }) => auth.mfa.challengeAndVerify({ factorId, code })),
  );
  // The session that lost has ended with the others of the first step, or its code was used.
  const failures = outcomes.flatMap(({ error }) => error?.code ?? []);
  expect(failures).toHaveLength(1);
  const late = await signIn(project, { email, password });
  const used = await late.auth.mfa.challengeAndVerify({ factorId, code });
  expect(used.error).toMatchObject({ status: 422, code: "mfa_verification_failed" });
});

test("a wrong code, a used or expired challenge and another account's app are rejected", async () => {
  const { email, password, factorId, secret } = await ownerWithApp();
  const { auth } = await signIn(project, { email, password });
  const challenge = async () => (await auth.mfa.challenge({ factorId })).data?.id ?? "";
  const verify = async (challengeId: string, code: string) =>
    (await auth.mfa.verify({ factorId, challengeId, code })).error?.code;
  const wrong = String((Number(codeOf(secret)) + 1) % 1_000_000).padStart(6, "0");
  expect(await verify(await challenge(), wrong)).toBe("mfa_verification_failed");
  expect(await verify(randomUUID(), codeOf(secret))).toBe("mfa_factor_not_found");
  expect(await verify(await challenge(), "")).toBe("validation_failed");
  const expired = await challenge();
  await sql`
    update auth.mfa_challenges set created_at = now() - interval '301 seconds' where id = ${expired}`;
  expect(await verify(expired, codeOf(secret))).toBe("mfa_challenge_expired");
  const used = await challenge();
  expect(await verify(used, codeOf(secret))).toBeUndefined();
  expect(await verify(used, codeOf(secret, 1))).toBe("mfa_ip_address_mismatch");

  const other = await signInAs("assistant");
  const stolen = await other.client.auth.mfa.challenge({ factorId });
  expect(stolen.error).toMatchObject({ status: 404, code: "mfa_factor_not_found" });
});

test("turning it on ends every session that has not entered a code", async () => {
  const owner = await signInAs("owner");
  const other = await signIn(project, owner);
  const { factorId, secret } = await enroll(owner.client);
  const stolen = (await owner.client.auth.getSession()).data.session;
  await confirm(owner.client, { factorId, secret });
  expect((await other.auth.getUser()).error).not.toBeNull();
  expect((await other.auth.refreshSession()).error).not.toBeNull();
  // Neither the token nor the refresh token from before the code gives more than the first step.
  const thief = openClient(project);
  expect(
    (await thief.auth.refreshSession({ refresh_token: stolen?.refresh_token ?? "" })).error,
  ).not.toBeNull();
  const headers = { apikey: project.anonKey, authorization: `Bearer ${stolen?.access_token}` };
  const role = await fetch(`${project.url}/rest/v1/rpc/my_role`, { method: "POST", headers });
  expect(await role.json()).toBeNull();
});

test("a mailed link gives the first step only, and a new password needs the second", async () => {
  const { id, email, factorId, secret } = await ownerWithApp();
  const token = randomUUID();
  await sql`
    insert into auth.recovery_links (token_hash, user_id)
    values (encode(sha256(${token}), 'hex'), ${id})`;
  const client = openClient(project);
  const opened = await client.auth.verifyOtp({ type: "recovery", token_hash: token });
  expect(opened.error).toBeNull();
  expect(await levelOf(client)).toEqual(["aal1", "aal2"]);
  const password = randomUUID();
  expect((await client.auth.updateUser({ password })).error?.code).toBe("insufficient_aal");
  await client.auth.mfa.challengeAndVerify({ factorId, code: codeOf(secret) });
  expect((await client.auth.updateUser({ password })).error).toBeNull();
  expect(await roleOf(client)).toBe("owner");
  expect(await levelOf(await signIn(project, { email, password }))).toEqual(["aal1", "aal2"]);
});

test("a recovery code works once, turns it off and ends the other sessions", async () => {
  const { client, email, password } = await ownerWithApp();
  const former = (await client.rpc("create_recovery_codes")).data ?? [];
  const codes = (await client.rpc("create_recovery_codes")).data ?? [];
  expect(codes).toHaveLength(10);
  expect(new Set([...former, ...codes]).size).toBe(20);
  for (const code of codes) expect(code).toMatch(/^([0-9a-f]{5}-){3}[0-9a-f]{5}$/);
  const stored = await sql`select to_jsonb(code)::text as row from private.recovery_codes as code`;
  expect(JSON.stringify(stored)).not.toContain(codes[0]?.replaceAll("-", ""));

  const first = await signIn(project, { email, password });
  const use = async (code = "") => (await first.rpc("use_recovery_code", { code })).data;
  expect(await use()).toBe(false);
  expect(await use(former[0])).toBe(false);
  expect(await roleOf(first)).toBeNull();
  const other = await ownerWithApp();
  const ofOther = (await other.client.rpc("create_recovery_codes")).data?.[0];
  expect(await use(ofOther)).toBe(false);
  expect(await use(` ${codes[3]?.toUpperCase().replaceAll("-", " ")} `)).toBe(true);
  expect(await roleOf(first)).toBe("owner");
  expect((await client.auth.getUser()).error).not.toBeNull();
  expect((await first.auth.mfa.listFactors()).data?.all).toEqual([]);
  // Without an app there is nothing to turn off, and no code is spent.
  expect(await use(codes[4])).toBe(false);
  const next = await enroll(first);
  await confirm(first, next);
  expect(await use(codes[3])).toBe(false);
  expect(await use(codes[4])).toBe(true);
  expect((await openClient(project).rpc("use_recovery_code", { code: "1" })).error?.code).toBe(
    "42501",
  );
});

test("turning it off leaves a session with all rights", async () => {
  const { client, email, password, factorId } = await ownerWithApp();
  expect((await client.auth.mfa.unenroll({ factorId })).data).toEqual({ id: factorId });
  await client.auth.refreshSession();
  expect(await levelOf(client)).toEqual(["aal1", "aal1"]);
  expect(await roleOf(client)).toBe("owner");
  expect(await roleOf(await signIn(project, { email, password }))).toBe("owner");
});

test("only the secret key turns off the second step of another account", async () => {
  const { client, id, email, password } = await ownerWithApp();
  expect((await client.rpc("remove_second_step", { id })).error?.code).toBe("42501");
  expect((await admin.rpc("remove_second_step", { id })).data).toBe(true);
  expect((await client.auth.getUser()).error).not.toBeNull();
  expect(await roleOf(await signIn(project, { email, password }))).toBe("owner");
  expect((await admin.rpc("remove_second_step", { id })).data).toBe(false);
});

test("the database has no secret of an app", async () => {
  const { secret, factorId } = await ownerWithApp();
  const [stored] = await sql<{ secret: string }[]>`
    select secret from auth.mfa_factors where id = ${factorId}`;
  const bytes = Buffer.from(Secret.fromBase32(secret).buffer);
  const found = Buffer.from(stored?.secret ?? "", "base64");
  expect(found.byteLength).toBeGreaterThan(bytes.byteLength);
  for (const text of [secret, bytes.toString("hex"), bytes.toString("base64")]) {
    expect(stored?.secret).not.toContain(text);
  }
  expect(found.includes(bytes)).toBe(false);
  // The secret of one app cannot stand for that of another.
  const other = await ownerWithApp();
  await sql`update auth.mfa_factors set secret = ${stored?.secret ?? ""} where id = ${other.factorId}`;
  const next = await signIn(project, other);
  const { error } = await next.auth.mfa.challengeAndVerify({
    factorId: other.factorId,
    code: codeOf(secret),
  });
  expect(error?.status).toBe(500);
});

test("the longest names fit into a QR code", async () => {
  const { client } = await signInAs("editor");
  const name = "\u{1F511}".repeat(100);
  const { data, error } = await client.auth.mfa.enroll({
    ...{ factorType: "totp", friendlyName: name, issuer: name },
  });
  expect(error).toBeNull();
  expect(data?.totp.uri).toContain(encodeURIComponent("\u{1F511}".repeat(75)));
  const issuer = "x".repeat(101);
  const long = await client.auth.mfa.enroll({ factorType: "totp", issuer });
  expect(long.error?.code).toBe("validation_failed");
});

test("an app has a name of its own, and an account at most ten", async () => {
  const { client } = await signInAs("editor");
  const add = async (friendlyName: string) =>
    (await client.auth.mfa.enroll({ factorType: "totp", friendlyName })).error;
  expect(await add("phone")).toBeNull();
  expect(await add("phone")).toMatchObject({ status: 422, code: "mfa_factor_name_conflict" });
  const added = await Promise.all(Array.from({ length: 11 }, (_, i) => add(`phone ${i}`)));
  const rejected = added.flatMap((error) => error?.code ?? []);
  expect(rejected).toEqual(Array(2).fill("too_many_enrolled_mfa_factors"));
});
