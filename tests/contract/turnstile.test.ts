// send-email with the optional Turnstile check, run in Deno against a stub of Cloudflare's service.
import { text } from "node:stream/consumers";
import { FunctionsHttpError } from "@supabase/supabase-js";
import { afterAll, expect, test } from "vitest";
import { startHttpServer } from "../http-server.ts";
import { setUpProject } from "../start-project.ts";

/** Accepts one token. */
const cloudflare = await startHttpServer(async (request, response) => {
  const { secret, response: token } = JSON.parse(await text(request));
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ success: secret === "the-secret" && token === "good" }));
});

afterAll(cloudflare.stop);
const siteverifyUrl = `${cloudflare.url}/siteverify`;
const { visitor, owner } = await setUpProject({
  turnstile: { secretKey: "the-secret", siteverifyUrl },
});

test("only a message with a valid token is stored; another is rejected with a readable message", async () => {
  async function send(name: string, headers: Record<string, string>) {
    const message = { name, email: "ada@example.com", phone: "", message: "Please call me." };
    const body = JSON.stringify(message);
    return (await visitor.functions.invoke("send-email", { body, headers })).error;
  }
  expect(await send("Valid", { "x-turnstile-token": "good" })).toBeNull();
  for (const error of [await send("None", {}), await send("Bad", { "x-turnstile-token": "bad" })]) {
    expect(error).toBeInstanceOf(FunctionsHttpError);
    const { context } = error as FunctionsHttpError;
    expect([context.status, await context.json()]).toEqual([
      403,
      { error: expect.stringContaining("Please reload the page and try again.") },
    ]);
  }
  const { data } = await owner
    .from("contact_messages")
    .select("name")
    .in("name", ["Valid", "None", "Bad"]);
  expect(data).toEqual([{ name: "Valid" }]);
});
