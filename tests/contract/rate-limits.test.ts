// Rate-limited requests are rejected with a readable message in each of supabase-js' clients, and
// other visitors are unaffected.
import { randomUUID } from "node:crypto";
import { FunctionsHttpError } from "@supabase/supabase-js";
import postgres from "postgres";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { rateLimits } from "../../backend/rate-limits/limits.ts";
import { openClient, type Project, startProject } from "../start-project.ts";

let project: Project;
let sql: postgres.Sql;

beforeAll(async () => {
  project = await startProject({ rateLimits: true });
  sql = postgres(project.backend?.databaseUrl ?? "", { max: 2, onnotice: () => {} });
});

afterAll(async () => {
  await sql?.end();
  await project?.stop();
});

const review = () => ({ id: randomUUID(), name: "Ada", content: "Clear and kind.", rating: 5 });
const message = JSON.stringify({
  name: "Ada",
  email: "ada@example.com",
  phone: "",
  message: "How much cover do I need?",
});

function perVisitor(action: keyof typeof rateLimits): number {
  return rateLimits[action].find(({ per }) => per === "visitor")?.count ?? 0;
}

test("the database counts a visitor's reviews and says when the next one is accepted", async () => {
  const visitor = openClient(project, "203.0.113.1");
  for (let i = 0; i < perVisitor("review"); i++) {
    const { error } = await visitor.from("testimonials").insert(review());
    expect(error).toBeNull();
  }
  const { error, status } = await visitor.from("testimonials").insert(review());
  expect(status).toBe(429);
  expect(error?.message).toMatch(
    /^Too many reviews were left just now\. Please try again in (59|60) minutes\.$/,
  );
});

test("the rejected review carries Retry-After", async () => {
  const response = await fetch(`${project.url}/rest/v1/testimonials`, {
    method: "POST",
    headers: {
      apikey: project.anonKey,
      "content-type": "application/json",
      "x-test-address": "203.0.113.1",
    },
    body: JSON.stringify(review()),
  });
  expect(response.status).toBe(429);
  expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(3000);
});

test("another visitor and the owner may still leave reviews", async () => {
  const { error } = await openClient(project, "203.0.113.2").from("testimonials").insert(review());
  expect(error).toBeNull();
  const owner = openClient(project, "203.0.113.1");
  await owner.auth.signInWithPassword(project.owner);
  for (let i = 0; i < perVisitor("review") + 2; i++) {
    const { error } = await owner.from("testimonials").insert(review());
    expect(error).toBeNull();
  }
});

test("several reviews in one request count each", async () => {
  const visitor = openClient(project, "203.0.113.3");
  const rows = Array.from({ length: perVisitor("review") + 1 }, review);
  const { status } = await visitor.from("testimonials").insert(rows);
  expect(status).toBe(429);
});

test("a review rejected for its content does not count", async () => {
  const visitor = openClient(project, "203.0.113.4");
  for (let i = 0; i < perVisitor("review") + 1; i++) {
    const { status } = await visitor.from("testimonials").insert({ ...review(), rating: 9 });
    expect(status).toBe(400);
  }
  const { error } = await visitor.from("testimonials").insert(review());
  expect(error).toBeNull();
});

test("all reviews together are limited, however many addresses they come from", async () => {
  const total = rateLimits.review.find(({ per }) => per === "everyone")?.count ?? 0;
  const statuses: number[] = [];
  for (let i = 0; i < total + 1; i++) {
    const visitor = openClient(project, `198.51.100.${i}`);
    statuses.push((await visitor.from("testimonials").insert(review())).status);
  }
  expect(statuses).toContain(201);
  expect(statuses.at(-1)).toBe(429);
});

test("two concurrent reviews cannot both be the last one allowed", async () => {
  await sql`delete from private.counted_requests`;
  const visitor = openClient(project, "203.0.113.5");
  const statuses = await Promise.all(
    Array.from({ length: 10 }, async () => {
      return (await visitor.from("testimonials").insert(review())).status;
    }),
  );
  expect(statuses.filter((status) => status === 201)).toHaveLength(perVisitor("review"));
});

test("no address is stored, and rows older than the longest period are deleted", async () => {
  await sql`update private.counted_requests set counted_at = now() - interval '25 hours'`;
  await openClient(project, "2001:db8:1:2::3").from("testimonials").insert(review());
  const rows = await sql<{ visitor: Buffer }[]>`select visitor from private.counted_requests`;
  expect(rows).toHaveLength(1);
  expect(rows[0]?.visitor).toHaveLength(32);
});

test("an IPv6 visitor counts by /64, and a header that anyone can set changes nothing", async () => {
  await sql`delete from private.counted_requests`;
  const statuses: number[] = [];
  for (let i = 0; i <= perVisitor("review"); i++) {
    const response = await fetch(`${project.url}/rest/v1/testimonials`, {
      method: "POST",
      headers: {
        apikey: project.anonKey,
        "content-type": "application/json",
        "x-test-address": `2001:db8:9:9::${i + 1}`,
        "x-forwarded-for": `192.0.2.${i}`,
        "cf-connecting-ip": `192.0.2.${i}`,
      },
      body: JSON.stringify(review()),
    });
    statuses.push(response.status);
  }
  expect(statuses).toEqual([...new Array(perVisitor("review")).fill(201), 429]);
});

test("contact messages: the form's client can read the reason", async () => {
  const visitor = openClient(project, "203.0.113.20");
  for (let i = 0; i < perVisitor("contact"); i++) {
    const { error } = await visitor.functions.invoke("send-email", { body: message });
    expect(error).toBeNull();
  }
  const { error } = await visitor.functions.invoke("send-email", { body: message });
  expect(error).toBeInstanceOf(FunctionsHttpError);
  const response: Response = error.context;
  expect(response.status).toBe(429);
  expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(60);
  expect((await response.json()).error).toMatch(
    /^Several messages came from your connection just now\. Please try again in \d minutes?\.$/,
  );
});

test("where nothing stands before the function, as on a hosted project, the database counts", async () => {
  await sql`insert into private.request_limits values
    ('contact', 'visitor', 1, '10 minutes'), ('contact', 'everyone', 3, '1 hour')`;
  onTestFinished(async () => {
    await sql`delete from private.request_limits where action = 'contact'`;
  });
  const statuses: number[] = [];
  for (const address of ["203.0.113.60", "203.0.113.60", "203.0.113.61", "203.0.113.62"]) {
    const visitor = openClient(project, address);
    const { error } = await visitor.functions.invoke("send-email", { body: message });
    statuses.push(error ? error.context.status : 200);
  }
  expect(statuses).toEqual([200, 429, 200, 200]);
  const { error } = await openClient(project, "203.0.113.63").functions.invoke("send-email", {
    body: message,
  });
  expect(await error.context.json()).toEqual({
    error: "Too many messages came just now. Please try again in 60 minutes, or call us.",
  });
  expect(Number(error.context.headers.get("retry-after"))).toBeGreaterThan(3000);
});

test("sign-in: after ten attempts even the right password is rejected, from another address it is not", async () => {
  const client = openClient(project, "203.0.113.30");
  const wrong = { ...project.owner, password: "not-the-password" };
  for (let i = 0; i < perVisitor("signIn"); i++) {
    const { error } = await client.auth.signInWithPassword(wrong);
    expect(error?.status).toBe(400);
  }
  const { error } = await client.auth.signInWithPassword(project.owner);
  expect(error).toMatchObject({ status: 429, code: "over_request_rate_limit" });
  expect(error?.message).toMatch(
    /^Too many attempts to sign in\. Please try again in (1 minute|\d+ seconds)\.$/,
  );
  const elsewhere = await openClient(project, "203.0.113.31").auth.signInWithPassword(
    project.owner,
  );
  expect(elsewhere.error).toBeNull();
});

/** As a session with another address does. @returns the status of the response */
async function guess(token: string, address: string, change: object): Promise<number> {
  const response = await fetch(`${project.url}/auth/v1/user`, {
    method: "PUT",
    headers: {
      apikey: project.anonKey,
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "x-test-address": address,
    },
    body: JSON.stringify({ ...change, current_password: randomUUID() }),
  });
  return response.status;
}

async function strangerToken(address: string): Promise<string> {
  const client = openClient(project, address);
  const { data } = await client.auth.signInWithPassword(await project.createStranger());
  return data.session?.access_token ?? "";
}

test("guesses of the current password are limited per account, whatever the addresses", async () => {
  const [token, another] = [
    await strangerToken("203.0.113.70"),
    await strangerToken("203.0.113.71"),
  ];
  const { count } = rateLimits.password[0];
  for (let i = 0; i < count; i++) {
    const change = i % 2 ? { password: randomUUID() } : { email: `${randomUUID()}@example.com` };
    expect(await guess(token, `198.51.101.${i}`, change)).toBe(400);
  }
  for (const change of [{ password: randomUUID() }, { email: `${randomUUID()}@example.com` }]) {
    expect(await guess(token, "198.51.101.99", change)).toBe(429);
    expect(await guess(another, "198.51.101.100", change)).toBe(400);
  }
});

test("guesses of the current password count as attempts to sign in, whatever the accounts", async () => {
  const address = "203.0.113.72";
  const tokens = await Promise.all([1, 2, 3].map((host) => strangerToken(`198.51.102.${host}`)));
  for (let i = 0; i < perVisitor("signIn"); i++) {
    const token = tokens[i % tokens.length] ?? "";
    expect(await guess(token, address, { password: randomUUID() })).toBe(400);
  }
  expect(await guess(tokens[0] ?? "", address, { password: randomUUID() })).toBe(429);
  const signIn = await openClient(project, address).auth.signInWithPassword(project.owner);
  expect(signIn.error?.status).toBe(429);
});

test("calls of every function are limited, also those that are rejected", async () => {
  const call = async (name: string, method = "POST") => {
    const headers = { apikey: project.anonKey, "x-test-address": "203.0.113.80" };
    return (await fetch(`${project.url}/functions/v1/${name}`, { method, headers })).status;
  };
  for (let i = 0; i < perVisitor("call"); i++) {
    expect(await call(i % 2 ? "invite-person" : "remove-unused-images")).toBe(403);
  }
  for (const name of ["invite-person", "remove-unused-images", "nothing"]) {
    expect(await call(name)).toBe(429);
  }
  expect(await call("send-email", "GET")).toBe(429);
});

test("password resets and sign-ups are limited as well", async () => {
  const client = openClient(project, "203.0.113.40");
  for (let i = 0; i < perVisitor("reset"); i++) {
    const { error } = await client.auth.resetPasswordForEmail("nobody@example.com");
    expect(error).toBeNull();
  }
  const reset = await client.auth.resetPasswordForEmail("nobody@example.com");
  expect(reset.error?.status).toBe(429);
  expect(reset.error?.message).toMatch(
    /^Too many links were asked for\. Please try again in 1[12] minutes\.$/,
  );
  for (let i = 0; i < perVisitor("signUp"); i++) {
    await client.auth.signUp({ email: "a@example.com", password: "a-long-password" });
  }
  const signUp = await client.auth.signUp({ email: "a@example.com", password: "a-long-password" });
  expect(signUp.error?.status).toBe(429);
});

test("session refreshes have a generous limit", async () => {
  const client = openClient(project, "203.0.113.50");
  await client.auth.signInWithPassword(project.owner);
  for (let i = 0; i < 20; i++) expect((await client.auth.refreshSession()).error).toBeNull();
});

test("the secret key is not limited", async () => {
  const responses: number[] = [];
  for (let i = 0; i < perVisitor("contact") + 1; i++) {
    const response = await fetch(`${project.url}/functions/v1/send-email`, {
      method: "POST",
      headers: { apikey: project.secretKey, "x-test-address": "203.0.113.20" },
      body: message,
    });
    responses.push(response.status);
  }
  expect(new Set(responses)).toEqual(new Set([200]));
});

test("a visitor who searches the blog too often gets a 429, and others find posts", async () => {
  const visitor = openClient(project, "203.0.113.77");
  const search = { query: "insurance", first: 0, count: 1 };
  for (let i = 0; i < perVisitor("search"); i++) {
    expect((await visitor.rpc("search_posts", search)).status).toBe(200);
  }
  const { error, status } = await visitor.rpc("search_posts", search);
  expect(status).toBe(429);
  expect(error?.message).toMatch(
    /^Too many searches came from your connection\. Please try again in [12] seconds?\.$/,
  );
  expect((await openClient(project, "203.0.113.78").rpc("search_posts", search)).status).toBe(200);
});
