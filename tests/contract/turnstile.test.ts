// send-email with the optional Turnstile check, run in Deno against a stub of Cloudflare's service.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { FunctionsHttpError } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openClient, type Project, startProject } from "../start-project.ts";

let project: Project;
let visitor: ReturnType<typeof openClient>;
let owner: ReturnType<typeof openClient>;

/** Accepts one token. */
const cloudflare = createServer(async (request, response) => {
  const { secret, response: token } = JSON.parse(await text(request));
  const success = secret === "the-secret" && token === "good";
  response.setHeader("content-type", "application/json");
  response.end(
    JSON.stringify({ success, "error-codes": success ? [] : ["invalid-input-response"] }),
  );
});

beforeAll(async () => {
  await new Promise<void>((resolve) => cloudflare.listen(0, "127.0.0.1", resolve));
  const { port } = cloudflare.address() as AddressInfo;
  project = await startProject({
    turnstile: { secretKey: "the-secret", siteverifyUrl: `http://127.0.0.1:${port}/siteverify` },
  });
  visitor = openClient(project);
  owner = openClient(project);
  await owner.auth.signInWithPassword(project.owner);
});

afterAll(async () => {
  await project.stop();
  cloudflare.closeAllConnections();
  cloudflare.close();
});

async function send(name: string, headers: Record<string, string>) {
  const message = { name, email: "ada@example.com", phone: "", message: "Please call me." };
  const { error } = await visitor.functions.invoke("send-email", {
    body: JSON.stringify(message),
    headers,
  });
  const { data } = await owner.from("contact_messages").select("name").eq("name", name);
  return { error, stored: data };
}

test("a message with a valid token is stored", async () => {
  const { error, stored } = await send("With a token", { "x-turnstile-token": "good" });
  expect(error).toBeNull();
  expect(stored).toHaveLength(1);
});

test.each<[string, Record<string, string>]>([
  ["without a token", {}],
  ["with a bad token", { "x-turnstile-token": "bad" }],
])("a message %s is rejected with a readable message", async (name, headers) => {
  const { error, stored } = await send(name, headers);
  expect(error).toBeInstanceOf(FunctionsHttpError);
  const response = (error as FunctionsHttpError).context as Response;
  expect(response.status).toBe(403);
  expect(await response.json()).toEqual({
    error: expect.stringContaining("Please reload the page and try again, or call us."),
  });
  expect(stored).toEqual([]);
});
