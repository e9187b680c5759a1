// Rate-limited requests are rejected with a readable message in each of supabase-js' clients, and other visitors are
// unaffected. Each variant of such a request counts like the plain form or is rejected.
import { randomUUID } from "node:crypto";
import { ownLimits } from "embedded-supabase/rate-limits/limits.ts";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { requestLimits } from "../../server/limits/request-limits.ts";
import { sendRaw } from "../fuzz/raw-request.ts";
import { openClient, setUpProject } from "../start-project.ts";

const { project, sql } = await setUpProject({ rateLimits: true });

// Stops the clock, so that the limits in this process do not refill during a test.
vi.spyOn(performance, "now").mockReturnValue(Math.ceil(performance.now()));
afterAll(() => void vi.restoreAllMocks());

const review = () => ({ id: randomUUID(), name: "Ada", content: "Clear and kind.", rating: 5 });
const contactMessage = {
  name: "Ada",
  email: "ada@example.com",
  phone: "",
  message: "How much cover do I need?",
};

/** The limits of all actions. */
const rateLimits = {
  ...requestLimits,
  ...{ signIn: ownLimits.signIn.limits, password: ownLimits.password.limits },
  ...{ refresh: ownLimits.refresh.limits, reset: ownLimits.reset.limits },
  ...{ call: ownLimits.call.limits, verify: ownLimits.verify.limits },
};

function perVisitor(action: keyof typeof rateLimits): number {
  return rateLimits[action].find(({ per }) => per === "visitor")?.count ?? 0;
}

test("the database counts a visitor's reviews and says when the next one is accepted, also through a client's link", async () => {
  const [link] = await sql`
    insert into testimonial_requests (name) values ('Ada') returning token`;
  for (let i = 0; i < perVisitor("testimonial"); i++) {
    const { error } = await openClient(project, "203.0.113.1")
      .from("testimonials")
      .insert(review());
    expect(error).toBeNull();
  }
  const response = await fetch(`${project.url}/rest/v1/testimonials`, {
    method: "POST",
    headers: {
      ...{ apikey: project.anonKey, "content-type": "application/json" },
      "x-test-address": "203.0.113.1",
    },
    body: JSON.stringify({ ...review(), request: link?.token }),
  });
  expect(response.status).toBe(429);
  const [request] =
    await sql`select used_at from testimonial_requests where token = ${link?.token}`;
  expect(request?.used_at).toBeNull();
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
  for (let i = 0; i < perVisitor("testimonial") + 2; i++) {
    const { error } = await owner.from("testimonials").insert(review());
    expect(error).toBeNull();
  }
});

test("several reviews in one request count each", async () => {
  const visitor = openClient(project, "203.0.113.3");
  const rows = Array.from({ length: perVisitor("testimonial") + 1 }, review);
  const { status } = await visitor.from("testimonials").insert(rows);
  expect(status).toBe(429);
});

test("a review rejected for its content does not count", async () => {
  const visitor = openClient(project, "203.0.113.4");
  for (let i = 0; i < perVisitor("testimonial") + 1; i++) {
    const { status } = await visitor.from("testimonials").insert({ ...review(), rating: 9 });
    expect(status).toBe(400);
  }
  const { error } = await visitor.from("testimonials").insert(review());
  expect(error).toBeNull();
});

test("all reviews together are limited, however many addresses they come from", async () => {
  const total = rateLimits.testimonial.find(({ per }) => per === "everyone")?.count ?? 0;
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
  expect(statuses.filter((status) => status === 201)).toHaveLength(perVisitor("testimonial"));
});

test("no address is stored, IPv6 visitors count by /64, and rows older than the longest period are deleted", async () => {
  await sql`update private.counted_requests set counted_at = now() - interval '25 hours'`;
  for (const address of ["2001:db8:1:2::3", "2001:db8:1:2:ffff::", "2001:db8:1:3::3"]) {
    await openClient(project, address).from("testimonials").insert(review()).throwOnError();
  }
  const rows = await sql<{ visitor: Buffer; count: number }[]>`
    select visitor, count(*)::int from private.counted_requests group by visitor order by count`;
  expect(rows.map(({ visitor, count }) => [visitor.length, count])).toEqual([
    [32, 1],
    [32, 2],
  ]);
});

test("a setting names the header with the visitor's address, and visitors cannot choose theirs by another one", async () => {
  const addressOf = async (headers: Record<string, string>) => {
    const [row] = await sql`select private.visitor_address(${sql.json(headers)}) as address`;
    return row?.address;
  };
  const headers = {
    "cf-connecting-ip": "198.51.100.1",
    "x-forwarded-for": "198.51.100.2, 203.0.113.9",
  };
  expect(await addressOf(headers)).toBe("198.51.100.1");
  await sql`update private.visitor_addresses set header = 'x-forwarded-for'`;
  expect(await addressOf(headers)).toBe("203.0.113.9");
  expect(await addressOf({ "cf-connecting-ip": "198.51.100.1" })).toBeNull();

  await sql`delete from private.counted_requests`;
  await openClient(project, "203.0.113.8").from("testimonials").insert(review()).throwOnError();
  expect([...(await sql`select visitor from private.counted_requests`)]).toEqual([
    { visitor: null },
  ]);
  await sql`update private.visitor_addresses set header = default`;
  await expect(
    sql`update private.visitor_addresses set header = 'X-Real-IP'`.execute(),
  ).rejects.toThrow("visitor_addresses_header");
});

interface More {
  method?: string;
  headers?: [name: string, value: string][];
  body?: unknown;
}
type Variant = [status: number, path: string, more?: More];

function send(address: string, plainBody: unknown, path: string, more: More = {}) {
  const { method = "POST", headers = [], body = plainBody } = more;
  return sendRaw(Number(new URL(project.url).port), {
    method,
    path,
    headers: [
      ["apikey", project.anonKey],
      ["content-type", "application/json"],
      ["x-test-address", address],
      ...headers,
    ],
    body: method === "GET" || method === "HEAD" ? "" : JSON.stringify(body),
  });
}

const words = (text: string) => text.split(" ");

/** Variants of one request that two parsers could read differently. */
function spellings(folder: string, name: string, query: string): Variant[] {
  const escaped = `%${name.charCodeAt(0).toString(16)}${name.slice(1)}`;
  const path = `${folder}/${name}`;
  const withHeaders = (names: string, value: string) =>
    words(names).map(
      (header): Variant => [429, `${path}?${query}`, { headers: [[header, value]] }],
    );
  return [
    [429, `${path}?${query}&x=1`],
    [429, `${path}?${query}#x`],
    [429, `${folder}/./${name}?${query}`],
    [429, `${folder}/%2e/${name}?${query}`],
    [429, `${folder}/x/../${name}?${query}`],
    [400, `/${path.slice(1).replaceAll("/", "\\")}?${query}`],
    [404, `${folder}/${escaped}?${query}`],
    [404, `${folder}/${name.toUpperCase()}?${query}`],
    [404, `${path.replace("/v1", "/V1")}?${query}`],
    [404, `/${path}?${query}`],
    [404, `${folder}//${name}?${query}`],
    [404, `${path}/?${query}`],
    [404, `${path}//?${query}`],
    [404, `${path};x=1?${query}`],
    [400, `${path}%00?${query}`],
    [404, `${path}%20?${query}`],
    [404, `${path}.json?${query}`],
    [404, `${path}%2f?${query}`],
    ...withHeaders("X-HTTP-Method-Override X-HTTP-Method X-Method-Override", "GET"),
    ...withHeaders("X-Forwarded-For X-Real-IP CF-Connecting-IP", "192.0.2.1"),
    ...withHeaders("True-Client-IP Forwarded", "192.0.2.1"),
  ];
}

interface Limited {
  action: keyof typeof rateLimits;
  path: string;
  body: object;
  /** The statuses of the responses before the limit is reached. */
  status: number;
  message: RegExp;
  variants?: Variant[];
}

const email = "owner@example.com";
const password = "not-the-password";
const signIn = "/auth/v1/token?grant_type=password";

const limited: Limited[] = [
  {
    ...{ action: "contact", path: "/functions/v1/send-email", body: contactMessage, status: 200 },
    message: /^Several messages came from your connection just now\. .* in 2 minutes\.$/,
    variants: [
      ...spellings("/functions/v1", "send-email", "").filter(
        ([, path]) => !/send-email\/|SEND-EMAIL|%00/.test(path),
      ),
      [429, "/functions/v1/send-email/"],
      [429, "/functions/v1/send-email//"],
      [429, "/functions/v1/send-email/deliver"],
      // Case-insensitive file systems find the function by this name.
      [429, "/functions/v1/SEND-EMAIL"],
      [404, "/functions/v1/send%2Demail"],
      [404, "/functions/v1/send%2demail/"],
      [405, "/functions/v1/send-email", { method: "PUT" }],
      [405, "/functions/v1/send-email", { method: "PATCH" }],
    ],
  },
  {
    ...{ action: "spam", path: "/functions/v1/send-email/spam", body: contactMessage, status: 200 },
    message: /^Several messages came from your connection just now\. .* in 2 minutes\.$/,
    variants: [
      // Counts as, and is, another message.
      [200, "/functions/v1/send-email"],
      [200, "/functions/v1/send-email/spam/"],
      [200, "/functions/v1/send-email/SPAM"],
      [404, "/functions/v1/SEND-EMAIL/spam"],
    ],
  },
  {
    ...{ action: "call", path: "/functions/v1/invite-person", body: {}, status: 403 },
    message: /^Too many requests came from your connection\. .* in 10 seconds\.$/,
  },
  {
    ...{ action: "signIn", path: signIn, status: 400 },
    body: { email, password },
    message: /^Too many attempts to sign in\. .* in 1 minute\.$/,
    variants: [
      ...spellings("/auth/v1", "token", "grant_type=password"),
      [429, "/auth/v1/token?grant%5Ftype=password"],
      [429, "/auth/v1/token?grant_type=passwor%64"],
      [429, signIn, { body: { email, password, gotrue_meta_security: { captcha_token: "x" } } }],
      [429, signIn, { body: { email, password, grant_type: "refresh_token", refresh_token: "x" } }],
      [400, "/auth/v1/token", { body: { email, password, grant_type: "password" } }],
      ...[
        ...["grant%5Ftype=refresh_token&grant_type=password", "grant_type[]=password"],
        ...["grant_type=refresh_token&grant%5Ftype=password", "grant_type=PASSWORD"],
        ...["grant_type=refresh_token&grant_type=password", "grant_type=refresh_token"],
        ...["grant_type=password&grant_type=refresh_token", "grant_type=password%20"],
        "grant_type=password;grant_type=refresh_token",
        ...words("id_token pkce web3 otp client_credentials authorization_code phone").map(
          (grant) => `grant_type=${grant}`,
        ),
      ].map((query): Variant => [400, `/auth/v1/token?${query}`]),
      ...words("GET HEAD PUT PATCH DELETE").map((method): Variant => [405, signIn, { method }]),
      ...words("otp magiclink resend sso authorize callback reauthenticate admin/users").map(
        (name): Variant => [404, `/auth/v1/${name}`],
      ),
    ],
  },
  {
    ...{ action: "reset", path: "/auth/v1/recover", status: 200 },
    body: { email: "nobody@example.com" },
    message: /^Too many links were asked for\. .* in 12 minutes\.$/,
    variants: spellings("/auth/v1", "recover", "redirect_to=x"),
  },
  {
    ...{ action: "verify", path: "/auth/v1/verify", status: 403 },
    body: { type: "recovery", token_hash: "x" },
    message: /^Too many links were opened\. .* in 20 seconds\.$/,
    variants: [
      ...spellings("/auth/v1", "verify", ""),
      [429, "/auth/v1/verify", { body: { type: "email_change", token_hash: "x" } }],
    ],
  },
  {
    ...{ action: "search", path: "/rest/v1/rpc/search_posts", status: 200 },
    body: { query: "insurance", first: 0, count: 1 },
    message: /^Too many searches came from your connection\. .* in 2 seconds\.$/,
  },
];

test.each(limited)(
  "$path is limited per address, in every variant",
  async ({ action, path, body, status, message, variants = [] }) => {
    const address = `203.0.113.${100 + limited.findIndex((each) => each.action === action)}`;
    const call = (from: string, apikey = project.anonKey) =>
      fetch(`${project.url}${path}`, {
        method: "POST",
        headers: { apikey, "content-type": "application/json", "x-test-address": from },
        body: JSON.stringify(body),
      });
    for (let i = 0; i < perVisitor(action); i++) expect((await call(address)).status).toBe(status);
    const rejected = await call(address);
    expect(rejected.status).toBe(429);
    expect(Number(rejected.headers.get("retry-after"))).toBeGreaterThan(0);
    // Each client of supabase-js reads another field.
    const { error, msg, message: text } = await rejected.json();
    expect(error ?? msg ?? text).toMatch(message);
    expect((await call("203.0.113.99")).status).toBe(status);
    expect((await call(address, project.secretKey)).status).not.toBe(429);

    const bearer: More = { headers: [["authorization", `Bearer ${project.anonKey}`]] };
    const all: Variant[] = [[429, path, bearer], ...variants];
    const answers = await Promise.all(all.map(([, ...variant]) => send(address, body, ...variant)));
    expect(answers.map(({ status }, index) => [status, ...(all[index]?.slice(1) ?? [])])).toEqual(
      all,
    );
    expect(answers.filter(({ text }) => text.includes("access_token"))).toEqual([]);
  },
);

test("sessions start and end in fair turns: one address delays nobody else's", async () => {
  const finished: string[] = [];
  const refresh = async (from: string) => {
    await fetch(`${project.url}/auth/v1/token?grant_type=refresh_token`, {
      method: "POST",
      headers: {
        ...{ apikey: project.anonKey, "content-type": "application/json" },
        "x-test-address": from,
      },
      body: JSON.stringify({ refresh_token: "unknown" }),
    });
    finished.push(from);
  };
  const addresses = [...Array(40).fill("203.0.113.201"), "203.0.113.202"];
  await Promise.all(addresses.map(refresh));
  expect(finished.indexOf("203.0.113.202")).toBeLessThan(20);
});

test("no variant of a review exceeds its limit", async () => {
  const address = "203.0.113.30";
  for (let i = 0; i < perVisitor("testimonial"); i++) {
    expect((await send(address, review(), "/rest/v1/testimonials")).status).toBe(201);
  }
  const row = review();
  const headers = ["Prefer: resolution=merge-duplicates", "X-HTTP-Method-Override: PUT"];
  headers.push(
    "CF-Connecting-IP: 192.0.2.1",
    "X-Forwarded-For: 192.0.2.1",
    "Content-Profile: public",
  );
  const variants: [path: string, more?: More][] = [
    ["/rest/v1/testimonials"],
    ["/rest/v1/testimonials?x=eq.1"],
    ["/rest/v1/%74estimonials"],
    ["/rest/v1/testimonials/"],
    ["/rest/v1//testimonials"],
    ["//rest/v1/testimonials"],
    ["/rest/v1/Testimonials"],
    ["/rest/v1/testimonials?on_conflict=id"],
    [`/rest/v1/testimonials?id=eq.${row.id}`, { method: "PUT" }],
    ...headers.map((header): [string, More] => {
      const [name = "", value = ""] = header.split(": ");
      return ["/rest/v1/testimonials", { headers: [[name, value]] }];
    }),
  ];
  for (const variant of variants) {
    const { status } = await send(address, row, ...variant);
    expect(status, JSON.stringify(variant)).toBeGreaterThanOrEqual(400);
    expect(status, JSON.stringify(variant)).toBeLessThan(500);
  }
  const { data } = await openClient(project).from("testimonials").select("id").eq("id", row.id);
  expect(data).toEqual([]);
});

test("where nothing stands before the function, as on a hosted project, the database counts", async () => {
  await sql`insert into private.request_limits values
    ('contact', 'visitor', 1, '10 minutes'), ('contact', 'everyone', 3, '1 hour'),
    ('spam', 'everyone', 1, '1 hour')`;
  onTestFinished(async () => {
    await sql`delete from private.request_limits where action in ('contact', 'spam')`;
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
    error: "Too many messages came just now. Please try again in 60 minutes.",
  });
  expect(Number(error.context.headers.get("retry-after"))).toBeGreaterThan(3000);
  // Robots leave the limit of the others, and the others theirs.
  const spam = async () => {
    const visitor = openClient(project, "203.0.113.64");
    const sent = await visitor.functions.invoke("send-email/spam", { body: contactMessage });
    return sent.error ? sent.error.context.status : 200;
  };
  expect([await spam(), await spam()]).toEqual([200, 429]);
});

/** Sends the request with a session from another address. @returns the status of the response */
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

test("codes of an authenticator app are limited per account, whatever the addresses", async () => {
  const client = openClient(project, "203.0.113.72");
  await client.auth.signInWithPassword(await project.createStranger());
  const { data: app } = await client.auth.mfa.enroll({ factorType: "totp" });
  const { data } = await client.auth.getSession();
  const statusOf = async (address: string) => {
    const response = await fetch(`${project.url}/auth/v1/factors/${app?.id}/verify`, {
      method: "POST",
      headers: {
        apikey: project.anonKey,
        authorization: `Bearer ${data.session?.access_token}`,
        "content-type": "application/json",
        "x-test-address": address,
      },
      body: JSON.stringify({ challenge_id: randomUUID(), code: "123456" }),
    });
    return response.status;
  };
  for (let i = 0; i < ownLimits.code.limits[0].count; i++) {
    expect(await statusOf(`198.51.102.${i}`)).toBe(422);
  }
  expect(await statusOf("198.51.102.99")).toBe(429);
});
