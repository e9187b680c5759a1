import { expect, test } from "vitest";
import type { AuthAction } from "../auth/auth-request.ts";
import type { CallLimit } from "./limits.ts";
import { actionOf, authActionOf, createRateLimiter } from "./rate-limiter.ts";

const visitor = { apiKey: "public", bearer: null };
const limitsOf = (count: number, everyone: number): Record<string, CallLimit> => ({
  junk: {
    limits: [],
    reasons: ["You wrote too often.", ""],
    request: { function: "send/junk", method: "POST" },
  },
  letter: {
    limits: [
      { per: "visitor", count, seconds: 60 },
      { per: "everyone", count: everyone, seconds: 60 },
    ],
    reasons: ["You wrote too often.", "Too many people are writing."],
    request: { function: "send", method: "POST" },
  },
  search: {
    limits: [{ per: "visitor", count, seconds: 60 }],
    reasons: ["You searched too often.", ""],
    request: { rpc: "search" },
  },
});

function setUp(count: number, everyone: number) {
  let now = 0;
  const limit = createRateLimiter(limitsOf(count, everyone), "secret", () => now);
  return {
    statusOf: (source: string | null, credentials = visitor) =>
      limit("letter", credentials, source, "/auth/v1/recover")?.status ?? 200,
    pass: (seconds: number) => {
      now += seconds * 1000;
    },
  };
}

test("a rejected visitor does not use up the limit for everyone", () => {
  const { statusOf } = setUp(1, 3);
  expect(["a", "a", "a", "b", "c", "d"].map((source) => statusOf(source))).toEqual([
    ...[200, 429, 429, 200, 200, 429],
  ]);
});

test("the site's own calls count for everyone only, and the secret key is not limited", () => {
  const { statusOf, pass } = setUp(1, 2);
  expect([statusOf(null), statusOf(null), statusOf(null)]).toEqual([200, 200, 429]);
  expect(statusOf("a", { apiKey: "secret", bearer: null })).toBe(200);
  pass(60);
  expect(statusOf("a")).toBe(200);
});

test("the response says when to try again", async () => {
  const limit = createRateLimiter(limitsOf(1, 1), "secret", () => 0);
  limit("letter", visitor, "a", "/auth/v1/recover");
  const response = limit("letter", visitor, "a", "/auth/v1/recover");
  expect(response?.headers.get("retry-after")).toBe("60");
  expect(await response?.json()).toEqual({
    code: 429,
    error_code: "over_request_rate_limit",
    msg: "You wrote too often. Please try again in 1 minute.",
  });
});

test.each([
  ["POST", "/functions/v1/send", "letter"],
  ["POST", "/functions/v1/SEND/deliver", "letter"],
  ["POST", "/functions/v1/send/junk", "junk"],
  ["POST", "/functions/v1/send/JUNK", "letter"],
  ["POST", "/functions/v1/send/junk/", "letter"],
  ["GET", "/functions/v1/send", "call"],
  ["POST", "/functions/v1/anything", "call"],
  ["POST", "/rest/v1/rpc/search", "search"],
  ["POST", "/rest/v1/notes", null],
  ["GET", "/storage/v1/object/public/images/a.png", null],
])("%s %s counts as %s", (method, path, action) => {
  expect(actionOf(limitsOf(1, 1), method, path)).toBe(action);
});

test.each([
  [{ kind: "sign-in", email: "", password: "" }, "signIn"],
  [{ kind: "set-password", password: "", currentPassword: null }, "signIn"],
  [{ kind: "refresh", refreshToken: "" }, "refresh"],
  [{ kind: "recover", email: "" }, "reset"],
  [{ kind: "change-email", email: "", currentPassword: null }, "reset"],
  [{ kind: "verify", type: "recovery", token: "" }, "verify"],
  [{ kind: "challenge", factorId: "" }, "secondStep"],
  [{ kind: "verify-code", factorId: "", challengeId: "", code: "" }, "secondStep"],
  [{ kind: "get-user" }, null],
] as [AuthAction, string | null][])("the Auth request %j counts as %s", (action, expected) => {
  expect(authActionOf({ action, ...visitor, userAgent: null })).toBe(expected);
});
