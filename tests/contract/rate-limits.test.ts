// Rate-limited requests are rejected with a readable message in each of supabase-js' clients, and
// other visitors are unaffected.
import { randomUUID } from "node:crypto";
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
const contactMessage = {
  name: "Ada",
  email: "ada@example.com",
  phone: "",
  message: "How much cover do I need?",
};

function sendReview(headers: Record<string, string>): Promise<Response> {
  return fetch(`${project.url}/rest/v1/testimonials`, {
    method: "POST",
    headers: { apikey: project.anonKey, "content-type": "application/json", ...headers },
    body: JSON.stringify(review()),
  });
}

function perVisitor(action: keyof typeof rateLimits): number {
  return rateLimits[action].find(({ per }) => per === "visitor")?.count ?? 0;
}

test("the database counts a visitor's reviews and says when the next one is accepted", async () => {
  for (let i = 0; i < perVisitor("review"); i++) {
    const { error } = await openClient(project, "203.0.113.1")
      .from("testimonials")
      .insert(review());
    expect(error).toBeNull();
  }
  const response = await sendReview({ "x-test-address": "203.0.113.1" });
  expect(response.status).toBe(429);
  expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(3000);
  expect((await response.json()).message).toMatch(
    /^Too many reviews were left just now\. Please try again in (59|60) minutes\.$/,
  );
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
    const response = await sendReview({
      "x-test-address": `2001:db8:9:9::${i + 1}`,
      "x-forwarded-for": `192.0.2.${i}`,
      "cf-connecting-ip": `192.0.2.${i}`,
    });
    statuses.push(response.status);
  }
  expect(statuses).toEqual([...new Array(perVisitor("review")).fill(201), 429]);
});

interface Limited {
  action: keyof typeof rateLimits;
  path: string;
  body: object;
  /** Of the responses before the limit is reached. */
  status: number;
  message: RegExp;
}

const limited: Limited[] = [
  {
    ...{ action: "contact", path: "functions/v1/send-email", body: contactMessage, status: 200 },
    message: /^Several messages came from your connection just now\. .* in \d minutes?\.$/,
  },
  {
    ...{ action: "call", path: "functions/v1/invite-person", body: {}, status: 403 },
    message: /^Too many requests came from your connection\. .* in \d+ seconds\.$/,
  },
  {
    ...{ action: "signIn", path: "auth/v1/token?grant_type=password", status: 400 },
    body: { email: "owner@example.com", password: "not-the-password" },
    message: /^Too many attempts to sign in\. .* in (1 minute|\d+ seconds)\.$/,
  },
  {
    ...{ action: "reset", path: "auth/v1/recover", status: 200 },
    body: { email: "nobody@example.com" },
    message: /^Too many links were asked for\. .* in 1[12] minutes\.$/,
  },
  {
    ...{ action: "verify", path: "auth/v1/verify", status: 403 },
    body: { type: "recovery", token_hash: "x" },
    message: /^Too many links were opened\. .* in \d+ seconds\.$/,
  },
  {
    ...{ action: "search", path: "rest/v1/rpc/search_posts", status: 200 },
    body: { query: "insurance", first: 0, count: 1 },
    message: /^Too many searches came from your connection\. .* in [12] seconds?\.$/,
  },
];

test.each(limited)(
  "$path is limited per address",
  async ({ action, path, body, status, message }) => {
    const send = (address: string, apikey = project.anonKey) =>
      fetch(`${project.url}/${path}`, {
        method: "POST",
        headers: { apikey, "content-type": "application/json", "x-test-address": address },
        body: JSON.stringify(body),
      });
    const address = `203.0.113.${100 + limited.findIndex((each) => each.action === action)}`;
    for (let i = 0; i < perVisitor(action); i++) expect((await send(address)).status).toBe(status);
    const rejected = await send(address);
    expect(rejected.status).toBe(429);
    expect(Number(rejected.headers.get("retry-after"))).toBeGreaterThan(0);
    // Each client of supabase-js reads another field.
    const { error, msg, message: text } = await rejected.json();
    expect(error ?? msg ?? text).toMatch(message);
    expect((await send("203.0.113.99")).status).toBe(status);
    expect((await send(address, project.secretKey)).status).not.toBe(429);
  },
);

test("where nothing stands before the function, as on a hosted project, the database counts", async () => {
  await sql`insert into private.request_limits values
    ('contact', 'visitor', 1, '10 minutes'), ('contact', 'everyone', 3, '1 hour')`;
  onTestFinished(async () => {
    await sql`delete from private.request_limits where action = 'contact'`;
  });
  const statuses: number[] = [];
  for (const address of ["203.0.113.60", "203.0.113.60", "203.0.113.61", "203.0.113.62"]) {
    const visitor = openClient(project, address);
    const { error } = await visitor.functions.invoke("send-email", { body: contactMessage });
    statuses.push(error ? error.context.status : 200);
  }
  expect(statuses).toEqual([200, 429, 200, 200]);
  const { error } = await openClient(project, "203.0.113.63").functions.invoke("send-email", {
    body: contactMessage,
  });
  expect(await error.context.json()).toEqual({
    error: "Too many messages came just now. Please try again in 60 minutes, or call us.",
  });
  expect(Number(error.context.headers.get("retry-after"))).toBeGreaterThan(3000);
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

test("a call of any function counts, however it is spelled", async () => {
  const call = async (name: string, method = "POST") => {
    const headers = { apikey: project.anonKey, "x-test-address": "203.0.113.80" };
    return (await fetch(`${project.url}/functions/v1/${name}`, { method, headers })).status;
  };
  for (let i = 0; i < perVisitor("call"); i++) {
    expect(await call(i % 2 ? "nothing" : "remove-unused-images")).toBe(i % 2 ? 404 : 403);
  }
  for (const name of ["invite-person", "remove-unused-images", "nothing"]) {
    expect(await call(name)).toBe(429);
  }
  expect(await call("send-email", "GET")).toBe(429);
});
