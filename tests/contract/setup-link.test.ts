// The link that the start of a new site prints: its holder becomes the first owner.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { type Backend, startBackend } from "../../server/embedded/start.ts";
import { runNode } from "../run-node.ts";
import { setUpFolder } from "../set-up.ts";

const siteUrl = "https://www.hart.com";
const folder = await setUpFolder("setup-link");
const dataDir = join(folder, "data");
const password = "three-unrelated-words";
let addresses = 0;
let backend = await start();
afterAll(() => backend.stop());

beforeEach(() => {
  addresses += 1;
});

function start(
  others: Partial<Parameters<typeof startBackend>[0]> = { isSiteUrlSet: true },
): Promise<Backend> {
  return startBackend({
    ...{ dataDir, siteUrl, ownerEmail: "owner@example.com", rateLimits: true, ...others },
    mail: { smtpUrl: undefined, resendApiKey: undefined, environment: {} },
    // Attempts of one address are limited.
    visitorAddress: () => `203.0.113.${addresses}`,
    onStep: () => {},
  });
}

async function restart(others?: Parameters<typeof start>[0]): Promise<void> {
  await backend.stop();
  backend = await start(others);
}

function open() {
  return createClient(siteUrl, backend.publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    global: { fetch: (input, init) => backend.fetch(new Request(input, init)) },
  });
}

async function claim(body: Record<string, unknown>) {
  const response = await backend.fetch(
    new Request(`${siteUrl}/auth/v1/setup`, {
      method: "POST",
      headers: { apikey: backend.publishableKey, "content-type": "application/json" },
      body: JSON.stringify({ password, ...body }),
    }),
  );
  const { error_code = null } = await response.json();
  return [response.status, error_code];
}

async function newToken(): Promise<string> {
  const { code, output } = await runNode(["scripts/owner.ts", "setup-link"], {
    ...{ DATA_DIR: dataDir, SITE_URL: "https://www.example.com" },
  });
  expect(code, output).toBe(0);
  const link = new URL(output.trim());
  expect(`${link.origin}${link.pathname}`).toBe("https://www.example.com/confirm");
  const fields = new URLSearchParams(link.hash.slice(1));
  expect(fields.get("type")).toBe("setup");
  return fields.get("token_hash") ?? "";
}

/** The address of the first owner. */
let first = "";

const users = () => backend.sql`select email from auth.users order by email`;

test("a new site at a public address has no account, and each start makes a link", async () => {
  expect(backend.owner).toEqual({ email: null, others: [], setupToken: expect.any(String) });
  const { setupToken } = backend.owner;
  await restart({ isSiteUrlSet: true, ownerEmail: "named@example.com" });
  expect(backend.owner.setupToken).not.toBe(setupToken);
  expect(await users()).toEqual([]);
  const stored = await backend.sql`select * from auth.setup_links`;
  expect(stored).toHaveLength(2);
  expect(JSON.stringify(stored)).not.toContain(backend.owner.setupToken);
});

test("a link that is unknown or older than a day creates nothing", async () => {
  const token = await newToken();
  await backend.sql`update auth.setup_links set created_at = now() - interval '25 hours'`;
  const email = "late@example.com";
  expect(await claim({ token, email })).toEqual([403, "otp_expired"]);
  expect(await claim({ token: randomUUID(), email })).toEqual([403, "otp_expired"]);
  // The table has hashes, and a hash is no token.
  const [row] = await backend.sql`select token_hash from auth.setup_links`;
  expect(await claim({ token: row?.token_hash, email })).toEqual([403, "otp_expired"]);
  expect(await users()).toEqual([]);
});

test.each([
  ["a weak password", { password: "password12" }, [422, "weak_password"]],
  ["no address", { email: "nobody" }, [400, "validation_failed"]],
])("%s is refused and leaves the link", async (_what, fault, refusal) => {
  const token = await newToken();
  expect(await claim({ token, email: "you@example.com", ...fault })).toEqual(refusal);
  expect(
    await backend.sql`select from auth.setup_links where created_at > now() - interval '1 hour'`,
  ).not.toHaveLength(0);
});

test("attempts are limited", async () => {
  const answers = new Set<unknown>();
  for (let attempt = 0; attempt < 40; attempt++) {
    answers.add((await claim({ token: "x", email: "you@example.com" }))[0]);
  }
  expect([...answers]).toEqual([403, 429]);
});

test("of two holders at once one becomes the owner, and no link is left", async () => {
  const tokens = [await newToken(), await newToken()];
  const claims = tokens.map((token, at) => claim({ token, email: `First-${at}@Example.com` }));
  expect((await Promise.all(claims)).sort()).toEqual([
    [200, null],
    [403, "otp_expired"],
  ]);
  const [created, ...others] = await users();
  expect([created, others]).toEqual([{ email: expect.stringMatching(/^first-[01]@/) }, []]);
  first = created?.email;
  expect(await backend.sql`select from auth.setup_links`).toHaveLength(0);
});

test("before the first sign-in, another link gives the account another password", async () => {
  const token = await newToken();
  const other = "other-unrelated-words";
  const email = first;
  expect(await claim({ token, email, password: other })).toEqual([200, null]);
  const client = open();
  expect((await client.auth.signInWithPassword({ email, password })).error?.status).toBe(400);
  expect((await client.auth.signInWithPassword({ email, password: other })).error).toBeNull();
  expect((await client.rpc("is_owner")).data).toBe(true);
});

test("once an owner has signed in, no link is made and none works", async () => {
  const { code, output } = await runNode(["scripts/owner.ts", "setup-link"], { DATA_DIR: dataDir });
  expect([code, output]).toEqual([1, expect.stringContaining("An owner has signed in already")]);
  // As from a backup of before.
  const token = "kept";
  await backend.sql`
    insert into auth.setup_links values (encode(sha256(convert_to(${token}, 'utf8')), 'hex'))`;
  expect(await claim({ token, email: "thief@example.com" })).toEqual([403, "otp_expired"]);
  await restart({ isSiteUrlSet: true, ownerEmail: "named@example.com" });
  expect(backend.owner).toEqual({
    email: first,
    ...{ others: [], setupToken: null },
  });
});

test("at a public address, a changed OWNER_EMAIL adds an owner, who chooses a password with a link", async () => {
  await restart({ isSiteUrlSet: true, ownerEmail: "second@example.com" });
  const { invitationToken: token_hash = "", ...owner } = backend.owner;
  expect(owner).toEqual({
    email: "second@example.com",
    ...{ others: [first], setupToken: null },
  });
  const client = open();
  const { error } = await client.auth.verifyOtp({ type: "invite", token_hash });
  expect(error).toBeNull();
  expect((await client.auth.updateUser({ password })).error).toBeNull();
  expect((await client.rpc("is_owner")).data).toBe(true);
});

describe("on this machine alone", () => {
  const generated = { email: "owner@example.com", others: [], setupToken: expect.any(String) };

  async function startAnew(others: Parameters<typeof start>[0] = {}): Promise<void> {
    await restart({ dataDir: join(folder, randomUUID()), ...others });
  }

  const signIn = (email: string, password: string) =>
    open().auth.signInWithPassword({ email, password });

  test("the first start prints a password and a link, and later ones a link", async () => {
    const newDir = join(folder, randomUUID());
    await restart({ dataDir: newDir });
    const { generatedPassword = "" } = backend.owner;
    expect(backend.owner).toEqual({ ...generated, generatedPassword: expect.any(String) });
    await restart({ dataDir: newDir });
    expect(backend.owner).toEqual(generated);
    expect((await signIn("owner@example.com", generatedPassword)).error).toBeNull();
    await restart({ dataDir: newDir });
    expect(backend.owner).toEqual({ ...generated, setupToken: null });
  });

  test.each(["chosen@example.com", "owner@example.com"])(
    "the link replaces the account that nobody has used with %s",
    async (email) => {
      await startAnew();
      const { setupToken: token, generatedPassword = "" } = backend.owner;
      expect(await claim({ token, email })).toEqual([200, null]);
      expect(await users()).toEqual([{ email }]);
      expect((await signIn("owner@example.com", generatedPassword)).error?.status).toBe(400);
      expect((await signIn(email, password)).error).toBeNull();
      expect(await claim({ token, email })).toEqual([403, "otp_expired"]);
    },
  );

  test("the link no longer works once the owner has signed in", async () => {
    await startAnew();
    const { setupToken: token, generatedPassword = "" } = backend.owner;
    expect((await signIn("owner@example.com", generatedPassword)).error).toBeNull();
    expect(await claim({ token, email: "chosen@example.com" })).toEqual([403, "otp_expired"]);
    expect(await users()).toEqual([{ email: "owner@example.com" }]);
  });

  test("the link removes nobody who was added on purpose", async () => {
    await startAnew();
    const { setupToken: token } = backend.owner;
    const id = await backend.createUser("added@example.com", password);
    await backend.sql`select public.make_owner(${id})`;
    expect(await claim({ token, email: "chosen@example.com" })).toEqual([403, "otp_expired"]);
    expect(await users()).toHaveLength(2);
  });

  test("OWNER_PASSWORD makes no link", async () => {
    await startAnew({ ownerPassword: password });
    expect(backend.owner).toEqual({ ...generated, setupToken: null });
    expect((await signIn("owner@example.com", password)).error).toBeNull();
  });
});
