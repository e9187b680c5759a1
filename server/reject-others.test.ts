import { Hono } from "hono";
import { expect, test } from "vitest";
import { rejectOthers } from "./reject-others.ts";

/** @param answers what the database says; a question that is missing fails */
async function ask(answers: Record<string, boolean>, { token = "a", wait = 0 } = {}) {
  const options = {
    ...{ backendUrl: "http://backend", anonKey: "key", secondsToWait: () => wait },
    fetchBackend: async (url: unknown) => {
      const answer = answers[String(url).split("/").at(-1) ?? ""];
      return Response.json(answer ?? null, { status: answer === undefined ? 500 : 200 });
    },
  };
  const app = new Hono().get("/", async (context) => {
    const rejected = await rejectOthers(context, options, "is_owner", "has_just_signed_in");
    return rejected ?? context.json("allowed");
  });
  const response = await app.request("/", token ? { headers: { authorization: token } } : {});
  return [response.status, await response.json()];
}

test("a session is allowed that is an owner's and has just begun", async () => {
  const yes = { is_owner: true, has_just_signed_in: true };
  expect(await ask(yes)).toEqual([200, "allowed"]);
  expect(await ask({ ...yes, has_just_signed_in: false })).toEqual([
    403,
    { error: "Please enter your password again." },
  ]);
  const notAnOwner = [403, { error: "Only an owner may do this." }];
  expect(await ask({ ...yes, is_owner: false })).toEqual(notAnOwner);
  expect(await ask({})).toEqual(notAnOwner);
});

test("nobody is allowed without a token, or above the limit", async () => {
  const yes = { is_owner: true, has_just_signed_in: true };
  expect(await ask(yes, { token: "" })).toEqual([401, { error: "Please sign in." }]);
  expect(await ask(yes, { wait: 9 })).toEqual([429, { error: "Please try again in a minute." }]);
});
