// What Auth reveals about existing accounts, which passwords it accepts, and how it handles
// malformed input.
import { randomUUID } from "node:crypto";
import { compare } from "@node-rs/bcrypt";
import { beforeEach, expect, test, vi } from "vitest";
import { parseSettings } from "../../app/config/server-settings.ts";

vi.mock("@node-rs/bcrypt", { spy: true });
// Files before this one may have loaded the backend without the spy.
vi.resetModules();
const { openClient, setUpProject, setUpSmtp, signIn } = await import("../start-project.ts");

const smtp = await setUpSmtp();
const { project } = await setUpProject({ smtpUrl: smtp.url });

beforeEach(() => {
  smtp.mails.length = 0;
  smtp.fault = null;
});

async function post(path: string, body: unknown, init: RequestInit = {}) {
  const response = await fetch(`${project.url}/auth/v1/${path}`, {
    method: "POST",
    headers: { apikey: project.anonKey, "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
    redirect: "manual",
    ...init,
  });
  return { status: response.status, text: await response.text() };
}

async function newAccount() {
  const account = await project.createStranger();
  return { account, client: await signIn(project, account) };
}

/** An account whose password is hashed as those of a site are. */
async function usualAccount() {
  const account = { email: `${randomUUID()}@example.com`, password: randomUUID() };
  await project.backend?.createUser(account.email, account.password);
  return account;
}

const unknown = "nobody@example.com";
const malformedPasswords = [
  ...["wrong", "", " ", "\r\n", "%0d%0a", "x".repeat(2000), "\u0000", "\ud800", "é"],
  ...[{ a: 1 }, {}, [], ["wrong"], 1, 0, -1.5, true, false, null, undefined],
];

test.each(malformedPasswords)(
  "a password of %j gets the same response with and without an account",
  async (password) => {
    const known = await post("token?grant_type=password", { email: project.owner.email, password });
    expect(known.status).toBe(400);
    expect(await post("token?grant_type=password", { email: unknown, password })).toEqual(known);
  },
);

test("a wrong password is compared with a hash of the same cost without an account", async () => {
  const { email } = await usualAccount();
  const compared: string[] = [];
  for (const asked of [email, unknown]) {
    vi.mocked(compare).mockClear();
    await post("token?grant_type=password", { email: asked, password: "not-the-password" });
    const [call, ...others] = vi.mocked(compare).mock.calls;
    expect(others).toEqual([]);
    expect(call?.[0]).toBe("not-the-password");
    compared.push(String(call?.[1]));
  }
  const [known = "", dummy = ""] = compared;
  expect(known).not.toBe(dummy);
  // The algorithm and the cost, such as "$2b$10$".
  expect(known).toMatch(/^\$2.\$\d\d\$.{53}$/);
  expect(dummy).toHaveLength(known.length);
  expect(dummy.slice(0, 7)).toBe(known.slice(0, 7));
});

test("the response to a reset request does not wait for the mail server", async () => {
  smtp.fault = "tarpit";
  const connections = smtp.connections;
  const known = await post("recover", { email: project.owner.email });
  expect(known).toEqual({ status: 200, text: "{}" });
  expect(await post("recover", { email: unknown })).toEqual(known);
  await expect.poll(() => smtp.connections).toBe(connections + 1);
  expect(smtp.mails).toEqual([]);
});

test("the response does not reveal that a mail could not be sent", async () => {
  smtp.fault = "rejects permanently";
  const { error } = await openClient(project).auth.resetPasswordForEmail(project.owner.email);
  expect(error).toBeNull();
});

// supabase/functions/_shared/password.test.ts has the rules.
test("a new password that is too weak is rejected with the reason", async () => {
  const { account, client } = await newAccount();
  const message = "Please use at least 10 characters.";
  const { error } = await client.auth.updateUser({ password: "abcdefg" });
  expect(error).toMatchObject({ status: 422, code: "weak_password", message });
  const creating = project.backend?.createUser(`${randomUUID()}@example.com`, "abcdefg");
  await expect(creating).rejects.toThrow(message);
  expect((await openClient(project).auth.signInWithPassword(account)).error).toBeNull();
});

test("a password of 72 bytes is used to its last byte", async () => {
  const { account, client } = await newAccount();
  const password = (randomUUID() + randomUUID()).slice(0, 71);
  const current_password = account.password;
  const change = await client.auth.updateUser({ password: `${password}y`, current_password });
  expect(change.error).toBeNull();
  const codeOf = async (last: string) => {
    const attempt = { email: account.email, password: password + last };
    return (await openClient(project).auth.signInWithPassword(attempt)).error?.code;
  };
  expect(await codeOf("z")).toBe("invalid_credentials");
  expect(await codeOf("y")).toBeUndefined();
});

test("the current password is rejected as a new one", async () => {
  const { account, client } = await newAccount();
  const { password } = account;
  const { error } = await client.auth.updateUser({ password, current_password: password });
  expect(error?.code).toBe("same_password");
});

test.each([
  [undefined, "current_password_required"],
  ["", "current_password_required"],
  ["not-the-password", "current_password_invalid"],
])(
  "with the current password %j neither password nor address is changed",
  async (current_password, code) => {
    const account = await project.createStranger();
    const client = await signIn(project, account);
    for (const change of [{ password: randomUUID() }, { email: `${randomUUID()}@example.com` }]) {
      const { error } = await client.auth.updateUser({ ...change, current_password });
      expect(error).toMatchObject({ status: 400, code });
    }
    expect((await openClient(project).auth.signInWithPassword(account)).error).toBeNull();
    expect((await client.auth.getUser()).data.user?.new_email).toBeUndefined();
  },
);

test("one account's guesses of its password do not delay the sign-in of others", async () => {
  const account = await usualAccount();
  const client = openClient(project, "203.0.113.1");
  await client.auth.signInWithPassword(account);
  let answered = 0;
  const guesses = Array.from({ length: 20 }, async () => {
    const change = { password: randomUUID(), current_password: randomUUID() };
    await client.auth.updateUser(change);
    answered++;
  });
  const other = openClient(project, "203.0.113.2");
  expect((await other.auth.signInWithPassword(project.owner)).error).toBeNull();
  expect(answered).toBeLessThan(20);
  await Promise.all(guesses);
});

test.each([
  { email: "other@example.com", password: "another-password", current_password: "x" },
  { data: { is_owner: true } },
  { phone: "123" },
])("an account cannot change %j", async (attributes) => {
  const { account, client } = await newAccount();
  expect((await client.auth.updateUser(attributes)).error?.status).toBe(400);
  const { data } = await client.auth.getUser();
  expect(data.user?.email).toBe(account.email);
  expect(data.user?.user_metadata).not.toHaveProperty("is_owner");
});

const notAddresses = ['a,b<c>"@x.yz', "a b@x.yz", '"a"@x.yz', "a@x.yz,b@x.yz", "a:b@x.yz;", "a@x"];

test.each(notAddresses)("%j is an address of no account", async (email) => {
  const { account, client } = await newAccount();
  const change = { email, current_password: account.password };
  const secret = { apikey: project.secretKey };
  const headers = { ...secret, "content-type": "application/json" };
  expect((await client.auth.updateUser(change)).error?.code).toBe("validation_failed");
  expect((await post("recover", { email })).status).toBe(400);
  expect((await post("invite", { email }, { headers })).status).toBe(400);
  const link = await post("admin/generate_link", { type: "invite", email }, { headers });
  expect(link.status).toBe(400);
  await expect(project.backend?.createUser(email, randomUUID())).rejects.toThrow(/valid email/);
  expect(() => parseSettings({ OWNER_EMAIL: email })).toThrow("OWNER_EMAIL");
  expect(() => parseSettings({ CONTACT_TO: email })).toThrow("CONTACT_TO");
  expect(() => parseSettings({ CONTACT_FROM: email })).toThrow("CONTACT_FROM");
});

const malformedBodies: unknown[] = [
  ...["", "null", "[]", '"x"', "1", "true", "{", "[{}]", "\ufeff{}", '{"email":"\\u0000"}'],
  ...[{ email: { a: 1 } }, { email: [] }, { email: 1 }, { email: null }, { email: "\r\n@x.y" }],
  ...[{ refresh_token: { a: 1 } }, { refresh_token: [] }, { refresh_token: 1 }, { password: {} }],
  ...[{ type: { a: 1 } }, { type: "recovery", token_hash: { a: 1 } }, { type: "recovery" }],
  ...[
    { type: "email_change", token_hash: "x" },
    { type: "signup", email: "a@b.c", token: "1" },
  ],
  ...['{"__proto__":{"a":1}}', '{"constructor":"x"}', { email: "a".repeat(60_000) }],
];
const malformedQueries = [
  "",
  "?grant_type=password",
  "?grant_type=refresh_token",
  "?grant_type=%0d%0a",
];

test.each(malformedBodies)("a body of %j causes no 5xx", async (body) => {
  for (const path of [
    "recover",
    "verify",
    "signup",
    "logout",
    ...malformedQueries.map((query) => `token${query}`),
  ]) {
    const { status } = await post(path, body);
    expect(`${path} ${status}`).toMatch(/ (2|4)\d\d$/);
  }
});

test.each([
  ...["verify?token=%0d%0a&type=recovery", "verify?token=x&type=%0d%0a", "verify?token=x"],
  ...[
    "verify?token=x&type=recovery&redirect_to=%0d%0aSet-Cookie:a",
    "verify?token=%ff&type=recovery",
  ],
  ...["logout?scope=%0d%0a", "user?x=%0d%0a", "settings?%0d%0a=1", "health?x=%e0%a4%a", "%0d%0a"],
])("GET and POST of %s cause no 5xx and no injected header", async (path) => {
  for (const method of ["GET", "POST"]) {
    const { status, text } = await post(path, "", { method, body: method === "GET" ? null : "{}" });
    expect(status).toBeLessThan(500);
    expect(text).not.toMatch(/\bat .*\.(js|ts):\d/);
  }
});
