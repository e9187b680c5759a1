// An ended session: its access token is rejected everywhere from then on, and its refresh tokens
// give no new one.
import { randomUUID } from "node:crypto";
import { createClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { decodeMail, startSmtp } from "../smtp-server.ts";
import { openClient, type Project, startProject } from "../start-project.ts";

let smtp: Awaited<ReturnType<typeof startSmtp>>;
let project: Project;
/** A separate account for each test. */
let account: { email: string; password: string };

beforeAll(async () => {
  smtp = await startSmtp();
  project = await startProject({ smtpUrl: smtp.url });
});

beforeEach(async () => {
  account = await project.createStranger();
});

afterAll(async () => {
  await project.stop();
  smtp.server.close();
});

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
    read: await statusOf("/rest/v1/posts?select=id&limit=1"),
    storage: await statusOf("/storage/v1/object/images", {
      method: "DELETE",
      body: JSON.stringify({ prefixes: ["none.png"] }),
    }),
    user: await statusOf("/auth/v1/user"),
    refresh: await statusOf("/auth/v1/token?grant_type=refresh_token", {
      method: "POST",
      headers: { apikey: project.anonKey, "content-type": "application/json" },
      body: JSON.stringify({ refresh_token }),
    }),
  };
  return Object.entries(statuses).flatMap(([name, status]) => (status === 200 ? [name] : []));
}

const all = ["read", "storage", "user", "refresh"];

test("signing out locally ends this session and no other", async () => {
  const other = await signIn();
  const { client, tokens } = await signIn();
  expect((await client.auth.signOut({ scope: "local" })).error).toBeNull();
  expect(await servicesFor(tokens)).toEqual([]);
  expect(await servicesFor(other.tokens)).toEqual(all);
});

test("signing out everywhere ends all sessions of the account and of no other account", async () => {
  const [other, { client, tokens }] = [await signIn(), await signIn()];
  account = await project.createStranger();
  const stranger = await signIn();
  expect((await client.auth.signOut({ scope: "global" })).error).toBeNull();
  expect(await servicesFor(tokens)).toEqual([]);
  expect(await servicesFor(other.tokens)).toEqual([]);
  expect(await servicesFor(stranger.tokens)).toEqual(all);
});

test("signing out others keeps this session", async () => {
  const other = await signIn();
  const { client, tokens } = await signIn();
  expect((await client.auth.signOut({ scope: "others" })).error).toBeNull();
  expect(await servicesFor(other.tokens)).toEqual([]);
  expect(await servicesFor(tokens)).toEqual(all);
});

test("a new password ends all other sessions", async () => {
  const other = await signIn();
  const { client, tokens } = await signIn();
  expect((await client.auth.updateUser(newPassword())).error).toBeNull();
  expect(await servicesFor(other.tokens)).toEqual([]);
  expect(await servicesFor(tokens)).toEqual(all);
});

test("a new password revokes this session's already used refresh tokens", async () => {
  const { client, tokens: old } = await signIn();
  const { data } = await client.auth.refreshSession();
  const copied = openClient(project).auth.refreshSession({ refresh_token: old.refresh_token });
  // Until then the previous token is accepted, for tabs that refresh at the same time.
  expect((await copied).error).toBeNull();
  expect((await client.auth.updateUser(newPassword())).error).toBeNull();
  for (let i = 0; i < 2; i++) {
    const again = openClient(project).auth.refreshSession({ refresh_token: old.refresh_token });
    expect((await again).error?.code).toBe("refresh_token_not_found");
  }
  const current = data.session?.refresh_token ?? "";
  expect(
    (await openClient(project).auth.refreshSession({ refresh_token: current })).error,
  ).toBeNull();
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
    const { error } = await openClient(project).auth.refreshSession({ refresh_token });
    expect(error?.code).toBe("refresh_token_not_found");
  }
});

test("a refresh concurrent with signing out leaves no session", async () => {
  for (let i = 0; i < 5; i++) {
    const { client, tokens } = await signIn();
    const { refresh_token } = tokens;
    const [refreshed] = await Promise.all([
      openClient(project).auth.refreshSession({ refresh_token }),
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
  await openClient(project).auth.resetPasswordForEmail(account.email);
  await expect.poll(() => smtp.mails.length).toBe(1);
  const [mail] = smtp.mails;
  const token_hash = (mail && decodeMail(mail).match(/#token_hash=([\w-]+)/)?.[1]) ?? "";
  const owner = openClient(project);
  expect((await owner.auth.verifyOtp({ type: "recovery", token_hash })).error).toBeNull();
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
  expect((await copy.rpc("is_owner")).status).toBe(401);
  expect((await copy.from("posts").delete().not("id", "is", null)).status).toBe(401);
  const upload = await copy.storage.from("images").upload("public/x.png", new Blob(["x"]));
  expect(upload.error).toMatchObject({ statusCode: "403" });
});

test("an open Realtime connection is told that its session has ended and receives nothing more", async () => {
  const { client, tokens } = await signIn();
  const copy = createClient(project.url, project.anonKey, {
    accessToken: async () => tokens.access_token,
  });
  await copy.realtime.setAuth();
  const statuses: string[] = [];
  copy
    .channel("copy")
    .on("postgres_changes", { event: "*", schema: "public", table: "posts" }, () => {})
    .subscribe((status) => statuses.push(status));
  await expect.poll(() => statuses).toEqual(["SUBSCRIBED"]);
  await client.auth.signOut({ scope: "local" });
  await expect.poll(() => statuses).toContain("CHANNEL_ERROR");
  await copy.removeAllChannels();
});
