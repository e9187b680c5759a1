import { expect, test } from "vitest";
import { isSignedWebhook, signWebhook } from "./webhook.ts";

// The example of https://github.com/standard-webhooks/standard-webhooks.
const secret = "v1,whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const example = {
  id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
  timestamp: "1614265330",
  body: '{"test": 2432232314}',
};
const signature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
const now = new Date(1614265330_000);

function isSigned(changed: Record<string, string> = {}, body = example.body, secrets = secret) {
  const headers = { "webhook-id": example.id, "webhook-timestamp": example.timestamp };
  const all = new Headers({ ...headers, "webhook-signature": signature, ...changed });
  return isSignedWebhook(all, body, secrets, now);
}

test("a signature is the one of the standard's example", () => {
  expect(signWebhook(secret, example)).toBe(signature);
  expect(isSigned()).toBe(true);
});

test("while the secret changes, Auth signs with both, and either is enough", () => {
  expect(isSigned({ "webhook-signature": `v1,AAAA, ${signature}` })).toBe(true);
  expect(isSigned({}, example.body, `v1,whsec_b3RoZXIgc2VjcmV0IG90aGVy|${secret}`)).toBe(true);
});

test.each([
  ["another body", {}, "{}"],
  ["another id", { "webhook-id": "msg_2" }, undefined],
  ["an old time", { "webhook-timestamp": "1614264000" }, undefined],
  ["no time", { "webhook-timestamp": "" }, undefined],
  ["no signature", { "webhook-signature": "" }, undefined],
  ["a signature with another key", { "webhook-signature": "v1,AAAA" }, undefined],
])("%s is rejected", (_what, headers, body) => {
  expect(isSigned(headers, body)).toBe(false);
});
