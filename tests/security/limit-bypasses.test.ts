// Variants of a rate-limited request: each counts like the plain form or is rejected.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rateLimits } from "../../backend/rate-limits/limits.ts";
import { sendRaw } from "../fuzz/raw-request.ts";
import { openClient, type Project, startProject } from "../start-project.ts";

interface Variant {
  path: string;
  method?: string;
  headers?: [string, string][];
  body?: unknown;
}

let project: Project;

beforeAll(async () => {
  project = await startProject({ rateLimits: true });
});

afterAll(() => project.stop());

async function send(address: string, plainBody: unknown, variant: Variant) {
  const { path, method = "POST", headers = [], body = plainBody } = variant;
  const response = await sendRaw(Number(new URL(project.url).port), {
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
  return response;
}

/** Uses up a visitor's limit with the plain form. */
async function useUp(
  action: keyof typeof rateLimits,
  address: string,
  body: unknown,
  plain: Variant,
) {
  const { count } = rateLimits[action].find(({ per }) => per === "visitor") ?? { count: 0 };
  for (let i = 0; i < count; i++) {
    expect((await send(address, body, plain)).status).not.toBe(429);
  }
  expect((await send(address, body, plain)).status).toBe(429);
}

/** Variants of one request that two parsers might read differently. */
function spellings(folder: string, name: string, query: string): [status: number, Variant][] {
  const escaped = `%${name.charCodeAt(0).toString(16)}${name.slice(1)}`;
  const path = `${folder}/${name}`;
  return [
    [429, { path: `${path}?${query}&x=1` }],
    [429, { path: `${path}?${query}#x` }],
    [429, { path: `${folder}/./${name}?${query}` }],
    [429, { path: `${folder}/%2e/${name}?${query}` }],
    [429, { path: `${folder}/x/../${name}?${query}` }],
    [400, { path: `/${path.slice(1).replaceAll("/", "\\")}?${query}` }],
    [404, { path: `${folder}/${escaped}?${query}` }],
    [404, { path: `${folder}/${name.toUpperCase()}?${query}` }],
    [404, { path: `${path.replace("/v1", "/V1")}?${query}` }],
    [404, { path: `/${path}?${query}` }],
    [404, { path: `${folder}//${name}?${query}` }],
    [404, { path: `${path}/?${query}` }],
    [404, { path: `${path}//?${query}` }],
    [404, { path: `${path};x=1?${query}` }],
    [400, { path: `${path}%00?${query}` }],
    [404, { path: `${path}%20?${query}` }],
    [404, { path: `${path}.json?${query}` }],
    [404, { path: `${path}%2f?${query}` }],
    ...["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"].map(
      (header): [number, Variant] => [
        429,
        { path: `${path}?${query}`, headers: [[header, "GET"]] },
      ],
    ),
    ...["X-Forwarded-For", "X-Real-IP", "CF-Connecting-IP", "True-Client-IP", "Forwarded"].map(
      (header): [number, Variant] => [
        429,
        { path: `${path}?${query}`, headers: [[header, "192.0.2.1"]] },
      ],
    ),
  ];
}

/** Sent at once, so that the limit does not refill meanwhile. No response may contain a session. */
async function expectResponses(address: string, body: unknown, variants: [number, Variant][]) {
  const responses = await Promise.all(variants.map(([, variant]) => send(address, body, variant)));
  expect(responses.map(({ status }, i) => `${status} ${line(variants[i]?.[1])}`)).toEqual(
    variants.map(([status, variant]) => `${status} ${line(variant)}`),
  );
  expect(responses.filter(({ text }) => text.includes("access_token"))).toEqual([]);
}

function line({ method = "POST", path, headers = [], body }: Variant = { path: "" }): string {
  return [method, path, ...headers.flat(), body === undefined ? "" : JSON.stringify(body)].join(
    " ",
  );
}

test("no variant of a sign-in exceeds its limit", async () => {
  const address = "203.0.113.1";
  const plain = { path: "/auth/v1/token?grant_type=password" };
  const wrong = { ...project.owner, password: "not-the-password" };
  await useUp("signIn", address, wrong, plain);
  const { email, password } = project.owner;
  const variants: [status: number, Variant][] = [
    ...spellings("/auth/v1", "token", "grant_type=password"),
    [429, { path: "/auth/v1/token?grant%5Ftype=password" }],
    [429, { path: "/auth/v1/token?grant_type=passwor%64" }],
    [429, { ...plain, body: { ...project.owner, gotrue_meta_security: { captcha_token: "x" } } }],
    [
      429,
      { ...plain, body: { ...project.owner, grant_type: "refresh_token", refresh_token: "x" } },
    ],
    [429, { ...plain, headers: [["authorization", `Bearer ${project.anonKey}`]] }],
    [400, { path: "/auth/v1/token?grant%5Ftype=refresh_token&grant_type=password" }],
    [400, { path: "/auth/v1/token?grant_type=refresh_token&grant%5Ftype=password" }],
    [400, { path: "/auth/v1/token?grant_type=refresh_token&grant_type=password" }],
    [400, { path: "/auth/v1/token?grant_type=password&grant_type=refresh_token" }],
    [400, { path: "/auth/v1/token?grant_type=refresh_token" }],
    [400, { path: "/auth/v1/token?grant_type[]=password" }],
    [400, { path: "/auth/v1/token?grant_type=PASSWORD" }],
    [400, { path: "/auth/v1/token?grant_type=password%20" }],
    [400, { path: "/auth/v1/token?grant_type=password;grant_type=refresh_token" }],
    [400, { path: "/auth/v1/token", body: { ...project.owner, grant_type: "password" } }],
    ...["id_token", "pkce", "web3", "otp", "client_credentials", "authorization_code", "phone"].map(
      (grant): [number, Variant] => [400, { path: `/auth/v1/token?grant_type=${grant}` }],
    ),
    ...["GET", "HEAD", "PUT", "PATCH", "DELETE"].map((method): [number, Variant] => [
      405,
      { ...plain, method },
    ]),
    ...[
      "otp",
      "magiclink",
      "resend",
      "sso",
      "authorize",
      "callback",
      "reauthenticate",
      "admin/users",
    ].map((name): [number, Variant] => [
      404,
      { path: `/auth/v1/${name}`, body: { email, password } },
    ]),
  ];
  await expectResponses(address, project.owner, variants);
  const elsewhere = openClient(project, "203.0.113.2");
  expect((await elsewhere.auth.signInWithPassword(project.owner)).error).toBeNull();
});

const others: [
  action: keyof typeof rateLimits,
  folder: string,
  name: string,
  query: string,
  body: unknown,
  more: Variant[],
][] = [
  ["reset", "/auth/v1", "recover", "redirect_to=x", { email: "nobody@example.com" }, []],
  [
    "verify",
    "/auth/v1",
    "verify",
    "",
    { type: "recovery", token_hash: "x" },
    [{ path: "/auth/v1/verify", body: { type: "email_change", token_hash: "x" } }],
  ],
];

test.each(others)(
  "no variant exceeds the limit of %s",
  async (action, folder, name, query, body, more) => {
    const address = `203.0.113.${10 + others.findIndex(([each]) => each === action)}`;
    await useUp(action, address, body, { path: `${folder}/${name}?${query}` });
    const variants = [
      ...spellings(folder, name, query),
      ...more.map((variant): [number, Variant] => [429, variant]),
    ];
    await expectResponses(address, body, variants);
  },
);

test("no variant of a contact message exceeds its limit", async () => {
  const address = "203.0.113.20";
  await useUp("contact", address, {}, { path: "/functions/v1/send-email" });
  const variants: [status: number, Variant][] = [
    ...spellings("/functions/v1", "send-email", "").filter(
      ([, { path }]) => !/send-email\/|SEND-EMAIL|%00/.test(path),
    ),
    [429, { path: "/functions/v1/send-email/" }],
    [429, { path: "/functions/v1/send-email//" }],
    [429, { path: "/functions/v1/send-email/deliver" }],
    // Case-insensitive file systems find the function by this name.
    [429, { path: "/functions/v1/SEND-EMAIL" }],
    [404, { path: "/functions/v1/send%2Demail" }],
    [404, { path: "/functions/v1/send%2demail/" }],
    [405, { path: "/functions/v1/send-email", method: "PUT" }],
    [405, { path: "/functions/v1/send-email", method: "PATCH" }],
  ];
  await expectResponses(address, {}, variants);
});

test("no variant of a review exceeds its limit", async () => {
  const address = "203.0.113.30";
  const review = () => ({ id: randomUUID(), name: "Ada", content: "Clear and kind.", rating: 5 });
  const { count } = rateLimits.review.find(({ per }) => per === "visitor") ?? { count: 0 };
  for (let i = 0; i < count; i++) {
    const { status } = await send(address, review(), { path: "/rest/v1/testimonials" });
    expect(status).toBe(201);
  }
  const row = review();
  const variants: Variant[] = [
    { path: "/rest/v1/testimonials" },
    { path: "/rest/v1/testimonials?x=eq.1" },
    { path: "/rest/v1/%74estimonials" },
    { path: "/rest/v1/testimonials/" },
    { path: "/rest/v1//testimonials" },
    { path: "//rest/v1/testimonials" },
    { path: "/rest/v1/Testimonials" },
    { path: "/rest/v1/testimonials?on_conflict=id" },
    { path: `/rest/v1/testimonials?id=eq.${row.id}`, method: "PUT" },
    { path: "/rest/v1/testimonials", headers: [["Prefer", "resolution=merge-duplicates"]] },
    { path: "/rest/v1/testimonials", headers: [["X-HTTP-Method-Override", "PUT"]] },
    { path: "/rest/v1/testimonials", headers: [["CF-Connecting-IP", "192.0.2.1"]] },
    { path: "/rest/v1/testimonials", headers: [["X-Forwarded-For", "192.0.2.1"]] },
    { path: "/rest/v1/testimonials", headers: [["Content-Profile", "public"]] },
  ];
  for (const variant of variants) {
    const { status } = await send(address, row, variant);
    expect(status, line(variant)).toBeGreaterThanOrEqual(400);
    expect(status, line(variant)).toBeLessThan(500);
  }
  const { data } = await openClient(project).from("testimonials").select("id").eq("id", row.id);
  expect(data).toEqual([]);
});
