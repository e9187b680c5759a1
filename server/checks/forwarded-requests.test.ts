import { expect, test } from "vitest";
import { observeForwarded } from "./forwarded-requests.ts";

function request(headers: Record<string, string>, remoteAddress = "10.0.0.2", url = "/") {
  // The observer reads nothing else of a socket.
  return { headers, url, socket: { remoteAddress } as never };
}

const proxied = {
  "x-forwarded-for": "203.0.113.7, 198.51.100.1",
  "x-forwarded-host": "www.example.com",
  "x-forwarded-proto": "HTTPS",
};

test("the summary has the facts that most of the last requests share", () => {
  const { note, summary } = observeForwarded();
  for (let count = 0; count < 9; count += 1) note(request(proxied));
  expect(summary()).toBeNull();
  note(request(proxied));
  for (let count = 0; count < 5; count += 1) note(request({ "x-forwarded-host": "evil.example" }));
  expect(summary()).toEqual({
    ...{ hops: 2, fromProxy: true },
    ...{ host: "www.example.com", protocol: "https" },
  });
});

test("there is no summary of requests that differ, and old requests are dropped", () => {
  const { note, summary } = observeForwarded();
  for (let count = 0; count < 30; count += 1)
    note(request({ "x-forwarded-host": `${count}.example` }));
  expect(summary()).toBeNull();
  for (let count = 0; count < 60; count += 1) note(request({}, "203.0.113.9"));
  expect(summary()).toEqual({ hops: 0, fromProxy: false, host: null, protocol: null });
});

test("health checks are not observed", () => {
  const { note, summary } = observeForwarded();
  for (let count = 0; count < 20; count += 1) note(request(proxied, "127.0.0.1", "/healthz/live"));
  expect(summary()).toBeNull();
});
