import { randomBytes } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import { expect, test } from "vitest";
import { encryptWith } from "../_shared/encrypted-secret.ts";
import { createServiceChoice } from "./chosen-service.ts";

const smtp = { kind: "smtp", host: "smtp.example.com", port: 587, user: "ada@example.com" };
const secretsKey = randomBytes(32);
const stored = { service: smtp, secret: encryptWith(secretsKey, "p:ss/w@rd") };
const smtpUrl = new URL("smtp://ada%40example.com:p%3Ass%2Fw%40rd@smtp.example.com:587");

/** @param answers what the database answers, one after the other; an Error fails */
function choiceWith(changes: object, ...answers: unknown[]) {
  const rpc = async () => {
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    return answer instanceof Error ? { data: null, error: answer } : { data: answer, error: null };
  };
  return createServiceChoice({
    ...{ fromEnvironment: null, isHeld: false, secretsKey },
    // The only call of the client.
    client: { rpc } as unknown as SupabaseClient,
    ...changes,
  });
}

test("the environment comes before what an owner entered, and nothing is sent without either", async () => {
  const fromEnvironment = { resendApiKey: "re_1" };
  expect(await choiceWith({ fromEnvironment }, stored).choose()).toEqual(fromEnvironment);
  expect(await choiceWith({}, stored).choose()).toEqual({ smtpUrl, reach: "anywhere" });
  expect(await choiceWith({}, null).choose()).toBe(null);
});

test("nothing is sent while outgoing mail is held", async () => {
  const fromEnvironment = { resendApiKey: "re_1" };
  expect(await choiceWith({ fromEnvironment, isHeld: true }, stored).choose()).toBe(null);
});

test("a secret of the Vault is used as it is, and a key of Resend as well", async () => {
  const vault = { service: { kind: "resend" }, secret: "re_2" };
  const choice = choiceWith({ secretsKey: null }, vault);
  expect(await choice.choose()).toEqual({ resendApiKey: "re_2" });
});

test("a hosted project connects to mail servers on the internet only", async () => {
  const choice = choiceWith({ secretsKey: null }, { ...stored, secret: "p:ss/w@rd" });
  expect(await choice.choose()).toEqual({ smtpUrl, reach: "internet" });
});

test("a server that asks for no password needs none", async () => {
  const open = { service: { ...smtp, user: "", port: 25 }, secret: null };
  expect(await choiceWith({}, open).choose()).toEqual({
    ...{ smtpUrl: new URL("smtp://smtp.example.com:25"), reach: "anywhere" },
  });
});

test.each([
  ["another key", { ...stored, secret: encryptWith(randomBytes(32), "a") }],
  ["no secret, as where the Vault was emptied", { ...stored, secret: null }],
])("%s is unreadable", async (_what, answer) => {
  const choice = choiceWith({}, answer);
  expect([await choice.choose(), await choice.isUnreadable()]).toEqual([null, true]);
  expect(await choiceWith({}, stored).isUnreadable()).toBe(false);
  expect(await choiceWith({}, null).isUnreadable()).toBe(false);
});

test("while the database is down, what was read last is used", async () => {
  const down = new Error("down");
  const choice = choiceWith({}, stored, down);
  await choice.choose();
  expect(await choice.choose()).toEqual({ smtpUrl, reach: "anywhere" });
  await expect(choiceWith({}, down).choose()).rejects.toThrow("down");
});

test("a database without the migration has nothing entered", async () => {
  const missing = Object.assign(new Error(), { code: "PGRST202" });
  expect(await choiceWith({}, missing).choose()).toBe(null);
});
