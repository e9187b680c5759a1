// Sessions, which end in all services at once, and mailed links that set a new password: the embedded backend's Auth over
// real HTTP and SMTP.
import { hash, randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import { beforeEach, expect, test } from "vitest";
import { sendRaw } from "../fuzz/raw-request.ts";
import { decodeMail } from "../smtp-server.ts";
import { openClient, setUpProject, setUpSmtp } from "../start-project.ts";

const smtp = await setUpSmtp();
const { project, sql } = await setUpProject({ smtpUrl: smtp.url });
/** A separate account for each test. */
let account: { email: string; password: string };

beforeEach(async () => {
  account = await project.createStranger();
});

/** The mails to an address. Those that tell other accounts about a new password arrive later. */
const mailsTo = (address: string) =>
  smtp.mails.filter(({ envelope }) => envelope.join().includes(`<${address}>`));

interface Tokens {
  access_token: string;
  refresh_token: string;
}

async function signIn(password = account.password) {
  const client = openClient(project);
  const { data, error } = await client.auth.signInWithPassword({ ...account, password });
  if (error) throw error;
  return { client, tokens: { ...data.session } satisfies Tokens };
}

const refresh = (refresh_token: string) =>
  openClient(project).auth.refreshSession({ refresh_token });

/** The request that the page sends in a session that a password started. */
const newPassword = () => ({ password: randomUUID(), current_password: account.password });

/** The services that accept the session's tokens. */
async function servicesFor({ access_token, refresh_token }: Tokens): Promise<string[]> {
  const headers = {
    apikey: project.anonKey,
    authorization: `Bearer ${access_token}`,
    "content-type": "application/json",
  };
  const statusOf = async (path: string, init: RequestInit = {}) =>
    (await fetch(`${project.url}${path}`, { headers, ...init })).status;
  const statuses = {
    // Other reads have what a visitor may read.
    profile: await statusOf("/rest/v1/rpc/my_profile", { method: "POST", body: "{}" }),
    user: await statusOf("/auth/v1/user"),
    refresh: await statusOf("/auth/v1/token?grant_type=refresh_token", {
      method: "POST",
      headers: { apikey: project.anonKey, "content-type": "application/json" },
      body: JSON.stringify({ refresh_token }),
    }),
  };
  return Object.entries(statuses).flatMap(([name, status]) => (status === 200 ? [name] : []));
}

const all = ["profile", "user", "refresh"];

type Act = (client: ReturnType<typeof openClient>) => Promise<{ error: unknown }>;

test.each<[what: string, others: boolean, own: boolean, act: Act]>([
  ["signing out locally", true, false, ({ auth }) => auth.signOut({ scope: "local" })],
  ["signing out everywhere", false, false, ({ auth }) => auth.signOut({ scope: "global" })],
  ["signing out others", false, true, ({ auth }) => auth.signOut({ scope: "others" })],
  ["a new password", false, true, ({ auth }) => auth.updateUser(newPassword())],
])(
  "%s keeps the account's other sessions: %s, this one: %s, and those of other accounts",
  async (_what, others, own, act) => {
    const [other, { client, tokens }] = [await signIn(), await signIn()];
    const stranger = openClient(project);
    await stranger.auth.signInWithPassword(await project.createStranger());
    expect((await act(client)).error).toBeNull();
    expect(await servicesFor(other.tokens)).toEqual(others ? all : []);
    expect(await servicesFor(tokens)).toEqual(own ? all : []);
    expect((await stranger.auth.getUser()).error).toBeNull();
  },
);

test("a new password revokes this session's already used refresh tokens", async () => {
  const { client, tokens: old } = await signIn();
  const { data } = await client.auth.refreshSession();
  // The previous token is accepted for a while, for tabs that refresh at the same time.
  expect((await refresh(old.refresh_token)).error).toBeNull();
  expect((await client.auth.updateUser(newPassword())).error).toBeNull();
  for (let i = 0; i < 2; i++) {
    expect((await refresh(old.refresh_token)).error?.code).toBe("refresh_token_not_found");
  }
  const current = data.session?.refresh_token ?? "";
  expect((await refresh(current)).error).toBeNull();
});

test("after signing out no token of the session gives a new one, however often it was refreshed", async () => {
  const { client, tokens } = await signIn();
  const refreshTokens = [tokens.refresh_token];
  for (let i = 0; i < 3; i++) {
    const { data } = await client.auth.refreshSession();
    refreshTokens.push(data.session?.refresh_token ?? "");
  }
  expect(new Set(refreshTokens).size).toBe(4);
  await client.auth.signOut({ scope: "local" });
  for (const refresh_token of refreshTokens) {
    expect((await refresh(refresh_token)).error?.code).toBe("refresh_token_not_found");
  }
});

test("a refresh concurrent with signing out leaves no session", async () => {
  for (let i = 0; i < 5; i++) {
    const { client, tokens } = await signIn();
    const [refreshed] = await Promise.all([
      refresh(tokens.refresh_token),
      client.auth.signOut({ scope: "local" }),
    ]);
    expect(await servicesFor(tokens)).toEqual([]);
    if (refreshed.data.session) expect(await servicesFor(refreshed.data.session)).toEqual([]);
  }
});

test("a sign-in with the old password concurrent with its change leaves no session", async () => {
  const { client } = await signIn();
  const [change, ...attempts] = await Promise.all([
    client.auth.updateUser(newPassword()),
    ...Array.from({ length: 6 }, () => openClient(project).auth.signInWithPassword(account)),
  ]);
  expect(change.error).toBeNull();
  for (const { data } of attempts) {
    if (data.session) expect(await servicesFor(data.session)).toEqual([]);
  }
  expect((await openClient(project).auth.signInWithPassword(account)).error).not.toBeNull();
});

test("a password set through a mailed link ends sessions of the old password", async () => {
  const thief = await signIn();
  const { client: owner } = await confirm(await requestLink());
  expect(await servicesFor(thief.tokens)).toEqual(all);
  expect((await owner.auth.updateUser({ password: randomUUID() })).error).toBeNull();
  expect(await servicesFor(thief.tokens)).toEqual([]);
});

test("the owner's rights to rows and files end with the session", async () => {
  account = project.owner;
  const { client, tokens } = await signIn();
  const copy = createClient(project.url, project.anonKey, {
    accessToken: async () => tokens.access_token,
  });
  expect((await copy.rpc("is_owner")).data).toBe(true);
  await client.auth.signOut({ scope: "local" });
  // As on a hosted project, whose services accept the token until it expires.
  expect((await copy.rpc("is_owner")).data).toBe(false);
  expect((await copy.from("posts").delete().not("id", "is", null).select("id")).data).toEqual([]);
  expect((await copy.from("posts").select("id").limit(1)).data).toHaveLength(1);
  const draft = { kind: "section", thing: "firm", document: "{}", base: null, replaced: null };
  const settings = copy.rpc("save_draft", draft);
  expect((await settings).error?.code).toBe("42501");
  const upload = await copy.storage
    .from("images")
    .upload("public/x.png", Buffer.from("x"), { contentType: "image/png" });
  expect(upload.error).toMatchObject({ statusCode: "403" });
});

async function requestLink(redirectTo?: string): Promise<URL> {
  const before = mailsTo(account.email).length;
  const { error } = await openClient(project).auth.resetPasswordForEmail(account.email, {
    redirectTo,
  });
  expect(error).toBeNull();
  await expect.poll(() => mailsTo(account.email).length).toBe(before + 1);
  const mail = mailsTo(account.email).at(-1);
  const link = mail && decodeMail(mail).match(/https?:\/\/\S+\/confirm#\S+/)?.[0];
  return new URL(link ?? "the mail has no link");
}

function tokenOf(link: URL): string {
  return new URLSearchParams(link.hash.slice(1)).get("token_hash") ?? "";
}

/** Makes the link older. */
async function setAge(link: URL, age: string): Promise<void> {
  await sql`
    update auth.recovery_links set sent_at = now() - ${age}::interval
    where token_hash = ${hash("sha256", tokenOf(link))}`;
}

/** Sends the token of a link, as the button of its page does. */
async function confirm(link: URL) {
  const client = openClient(project);
  const token_hash = tokenOf(link);
  const { data, error } = await client.auth.verifyOtp({ type: "recovery", token_hash });
  return { client, session: data.session, code: error?.code };
}

test("a reset request sends one mail with a link, to the account only", async () => {
  const link = await requestLink();
  const mails = mailsTo(account.email);
  expect(mails.map(({ envelope }) => envelope)).toEqual([
    [
      expect.stringContaining("<website@example.com>"),
      expect.stringContaining(`<${account.email}>`),
    ],
  ]);
  expect(`${link.origin}${link.pathname}${link.search}`).toBe(`${project.url}/confirm`);
});

test("opening the link changes nothing, its token signs in", async () => {
  const link = await requestLink();
  const token = tokenOf(link);
  for (const type of ["recovery", "invite", "email_change"]) {
    const query = new URLSearchParams({ token, token_hash: token, type });
    expect((await fetch(`${project.url}/auth/v1/verify?${query}`)).status).toBe(405);
  }
  expect((await confirm(link)).session).toMatchObject({
    token_type: "bearer",
    access_token: expect.stringMatching(/^ey/),
    refresh_token: expect.stringMatching(/.{12}/),
    expires_in: 3600,
  });
});

test("the new password works from then on and the old one no longer does", async () => {
  const { client } = await confirm(await requestLink());
  const weak = await client.auth.updateUser({ password: "short" });
  expect(weak.error?.code).toBe("weak_password");
  const password = randomUUID();
  expect((await client.auth.updateUser({ password })).error).toBeNull();
  await expect(signIn()).rejects.toThrow("Invalid login credentials");
  await signIn(password);
});

test("the first of three links works although more were requested, and then none of them does", async () => {
  const links = [await requestLink(), await requestLink(), await requestLink()];
  expect(new Set(links.map(({ href }) => href)).size).toBe(3);
  const [first = new URL("about:blank")] = links;
  expect((await confirm(first)).session).not.toBeNull();
  for (const link of links) expect((await confirm(link)).code).toBe("otp_expired");
});

test("one link confirmed many times at once signs in once", async () => {
  const link = await requestLink();
  const arrivals = await Promise.all(Array.from({ length: 6 }, () => confirm(link)));
  expect(arrivals.filter(({ session }) => session)).toHaveLength(1);
});

test("a link works for one hour", async () => {
  const [young, old] = [await requestLink(), await requestLink()];
  await setAge(young, "59 minutes");
  await setAge(old, "61 minutes");
  expect((await confirm(old)).code).toBe("otp_expired");
  expect((await confirm(young)).session).not.toBeNull();
});

test("a new password invalidates earlier links of this account only", async () => {
  const link = await requestLink();
  const other = account;
  account = await project.createStranger();
  const linkOfAnother = await requestLink();
  account = other;
  const { client } = await signIn();
  expect((await client.auth.updateUser(newPassword())).error).toBeNull();
  expect((await confirm(link)).code).toBe("otp_expired");
  expect((await confirm(linkOfAnother)).session).not.toBeNull();
});

test("the database holds no token from which a link could be made", async () => {
  const token = tokenOf(await requestLink());
  const rows = await sql`select * from auth.recovery_links`;
  expect(JSON.stringify(rows)).toContain(hash("sha256", token));
  expect(JSON.stringify(rows)).not.toContain(token);
});

test.each([
  "https://evil.example/confirm",
  "//evil.example/",
  "javascript:alert(1)",
  "https://127.0.0.1@evil.example/",
  "https://evil.example//evil.example/",
  "https://evil.example%5C@www.example.com/",
  "https://evil.example\\@127.0.0.1/",
  "https://evil.example/\r\nSet-Cookie: a=b",
])("a link never leads to %j", async (foreign) => {
  const { origin, pathname } = await requestLink(foreign);
  expect(origin + pathname).toBe(`${project.url}/confirm`);
});

test("the Host header of a request does not reach the link", async () => {
  const { status } = await sendRaw(Number(new URL(project.url).port), {
    method: "POST",
    path: "/auth/v1/recover?redirect_to=https%3A%2F%2Fevil.example%2F",
    headers: Object.entries({
      ...{ apikey: project.anonKey, "content-type": "application/json" },
      ...{ host: "evil.example", origin: "https://evil.example", referer: "https://evil.example/" },
      forwarded: "host=evil.example;proto=https",
      ...{ "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" },
    }),
    body: JSON.stringify({ email: account.email }),
  });
  expect(status).toBe(200);
  await expect.poll(() => mailsTo(account.email)).toHaveLength(1);
  expect(mailsTo(account.email).map(decodeMail).join()).not.toContain("evil.example");
});

test("an unknown address gets the same response and no mail", async () => {
  const requestReset = async (email: string) => {
    const response = await fetch(`${project.url}/auth/v1/recover`, {
      method: "POST",
      headers: { apikey: project.anonKey, "content-type": "application/json" },
      body: JSON.stringify({ email }),
    });
    return { status: response.status, body: await response.text() };
  };
  expect(await requestReset("nobody@example.com")).toEqual(await requestReset(account.email));
  await expect.poll(() => mailsTo(account.email)).toHaveLength(1);
  // Mails are sent in the order of the requests.
  await requestLink();
  expect(mailsTo("nobody@example.com")).toEqual([]);
});

test("the secret of a link cannot be guessed from the address and six digits", async () => {
  const token = tokenOf(await requestLink());
  for (let code = 0; code < 1_000_000; code++) {
    const guess = account.email + String(code).padStart(6, "0");
    if (hash("sha256", guess) === token) expect.fail(`${code} is the code of the link`);
  }
});

test.each([
  ["makes links from codes of ten digits", "otp_length = 10"],
  ["asks for both confirmations of a new address", "enable_confirmations = true"],
])("a hosted project %s", async (_what, setting) => {
  const settings = await readFile(join(import.meta.dirname, "../../supabase/config.toml"), "utf8");
  const [, email] = settings.split(/^\[auth\.email(?:\..+)?\]$/m);
  expect(email?.split("\n")).toContain(setting);
});

test("a refresh token used two refreshes ago ends the session", async () => {
  const first = (await signIn()).tokens.refresh_token;
  const second = (await refresh(first)).data.session?.refresh_token ?? "";
  const third = (await refresh(second)).data.session?.refresh_token ?? "";
  expect(new Set([first, second, third]).size).toBe(3);
  expect((await refresh(first)).error?.code).toBe("refresh_token_already_used");
  // Both the thief and the owner of the first token are signed out.
  expect((await refresh(third)).error).not.toBeNull();
});

test("tabs that refresh at the same time all stay signed in", async () => {
  const { tokens } = await signIn();
  const responses = await Promise.all(
    Array.from({ length: 8 }, () => refresh(tokens.refresh_token)),
  );
  expect(responses.map(({ error }) => error)).toEqual(responses.map(() => null));
});

test("a rejected new password ends no session", async () => {
  const other = await signIn();
  const { client } = await signIn();
  expect(
    (await client.auth.updateUser({ ...newPassword(), password: "short" })).error,
  ).not.toBeNull();
  expect((await refresh(other.tokens.refresh_token)).error).toBeNull();
});
