import { once } from "node:events";
import { createServer as createPlainServer, type RequestListener } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createChallengeRoute } from "./address-route.ts";
import { createChallenges } from "./challenges.ts";
import { findSite, internet, type Network } from "./find-site.ts";

// Of site.example and www.site.example.
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgNuUNAmyXxDOPogFx
jbqNSdzq55hofX6O3KPYPR54BiqhRANCAARh6AEQervwtqenwlbb+FjEtBUkr/7J
FWL6RIU3UPVEfi4tAsY7DTV47tAaf06A8LYmIl4B0eSNjKnnoc5CyVeP
-----END PRIVATE KEY-----`;
const cert = `-----BEGIN CERTIFICATE-----
MIIBsDCCAVagAwIBAgIUbNPvWQIfcsYmZYbmJCLEss0gYBAwCgYIKoZIzj0EAwIw
FzEVMBMGA1UEAwwMc2l0ZS5leGFtcGxlMCAXDTI2MTEyODE4NDU1OVoYDzIxMjUw
NjIyMTg0NTU5WjAXMRUwEwYDVQQDDAxzaXRlLmV4YW1wbGUwWTATBgcqhkjOPQIB
BggqhkjOPQMBBwNCAARh6AEQervwtqenwlbb+FjEtBUkr/7JFWL6RIU3UPVEfi4t
AsY7DTV47tAaf06A8LYmIl4B0eSNjKnnoc5CyVePo34wfDAdBgNVHQ4EFgQU58oC
3eNfF+Nh0tK1Q2UucGVJyqEwHwYDVR0jBBgwFoAU58oC3eNfF+Nh0tK1Q2UucGVJ
yqEwDwYDVR0TAQH/BAUwAwEB/zApBgNVHREEIjAgggxzaXRlLmV4YW1wbGWCEHd3
dy5zaXRlLmV4YW1wbGUwCgYIKoZIzj0EAwIDSAAwRQIhAJxwMKUIzf8rHIicChNu
VD+aI+04zVXua1r9y/NQsvoLAiAyEO53uluM8w1R20GbzeiZ0ZzsLPseWSjq2Bd3
KlcFFQ==
-----END CERTIFICATE-----`;

const challenges = createChallenges("secret of the site");
const answer = siteWith(challenges);
/** What both servers answer. */
let secureSite: RequestListener;
let plainSite: RequestListener;
const requests: string[] = [];
const plain = createPlainServer((request, response) => plainSite(request, response));
const secure = createSecureServer({ key, cert }, (request, response) => {
  requests.push(`${request.headers.host} ${request.url?.split("?")[0]}`);
  secureSite(request, response);
});
/** The addresses of names. The tests declare this machine public. */
let names: Record<string, string[]>;
let network: Network;

function siteWith(answering: typeof challenges): RequestListener {
  const route = createChallengeRoute(answering);
  return async (request, response) => {
    const [path, query] = request.url?.split("?") ?? [];
    const { status, body } = await route.request(`/?${query}`);
    response.writeHead(path === "/healthz/address" ? status : 404);
    response.end(Buffer.from(await new Response(body).arrayBuffer()));
  };
}

const portOf = (server: typeof plain | typeof secure) => (server.address() as AddressInfo).port;

beforeAll(async () => {
  for (const server of [plain, secure]) await once(server.listen(0, "127.0.0.1"), "listening");
});
afterAll(() => {
  for (const server of [plain, secure]) {
    server.closeAllConnections();
    server.close();
  }
});
beforeEach(() => {
  secureSite = answer;
  plainSite = (_, response) => response.writeHead(404).end();
  requests.length = 0;
  names = { "www.site.example": ["127.0.0.1"], "other.example": ["127.0.0.1"] };
  network = {
    async resolve(host) {
      const found = names[host];
      if (!found) throw Object.assign(new Error("not found"), { code: "ENOTFOUND" });
      return found;
    },
    isPublic: (address) => address === "127.0.0.1" || internet.isPublic(address),
    ports: { https: portOf(secure), http: portOf(plain) },
    ownAddresses: () => ["198.51.100.7"],
    ca: cert,
  };
});

function find(host = "www.site.example") {
  return findSite({ host, url: `https://${host}` }, challenges, network);
}

test("the site reaches itself over https", async () => {
  expect(await find()).toBeNull();
  expect(requests).toEqual(["www.site.example /healthz/address"]);
});

test("a name without a record names the record, with the address of this machine", async () => {
  expect(await find("new.example")).toContain(
    "add an A record for new.example with the value 198.51.100.7",
  );
  network.ownAddresses = () => ["2600:1f18::7"];
  expect(await find("new.example")).toContain("an AAAA record for new.example");
  network.ownAddresses = () => [];
  expect(await find("new.example")).toContain(
    "with the address of your server (four numbers and dots)",
  );
  network.resolve = () => Promise.reject(Object.assign(new Error(), { code: "ETIMEOUT" }));
  expect(await find()).toContain("could not be looked up just now");
});

test("another site answers, also one that knows the secret of yet another site", async () => {
  secureSite = (_, response) => response.end("<h1>Parked</h1>");
  const problem = await find();
  expect(problem).toContain("Another site answers at www.site.example");
  expect(problem).toContain("leads to 127.0.0.1, and this server is 198.51.100.7");
  secureSite = siteWith(createChallenges("secret of another site"));
  expect(await find()).toContain("Another site answers");
});

test("a long answer is not read to its end", async () => {
  secureSite = (_, response) => {
    const write = () => {
      while (response.write("x".repeat(10_000)));
    };
    response.on("drain", write);
    write();
  };
  expect(await find()).toContain("Another site answers");
});

test.each([301, 302, 308])(
  "a redirect to another name is told, and not followed (%s)",
  async (status) => {
    secureSite = (_, response) =>
      response.writeHead(status, { location: "https://site.example/healthz/address" }).end();
    expect(await find()).toContain("sends visitors on to site.example. Enter site.example instead");
    expect(requests).toHaveLength(1);
  },
);

test("a proxy without its site behind it", async () => {
  secureSite = (_, response) => response.writeHead(502).end();
  expect(await find()).toContain("does not pass visitors on to this site (status 502)");
});

test("a certificate of another name, and one that nobody trusts", async () => {
  expect(await find("other.example")).toContain(
    "is for another name. It needs one for other.example",
  );
  delete network.ca;
  expect(await find()).toContain("Browsers do not trust the certificate at www.site.example");
});

test("without https, the answer without encryption is told, and does not count", async () => {
  network.ports = { https: 9, http: portOf(plain) };
  expect(await find()).toContain("there is no answer to https");
  plainSite = answer;
  expect(await find()).toContain("answers at www.site.example, but without encryption");
});

test.each([
  ["10.0.0.5"],
  ["127.0.0.1", "192.168.1.4"],
  ["::1"],
  ["fd00::1"],
  ["64:ff9b::a00:1"],
  ["2002:a00:1::1"],
])("a name of a private network is not connected to (%s)", async (...addresses) => {
  names["www.site.example"] = addresses;
  expect(await find()).toContain("leads to a private network");
  expect(requests).toEqual([]);
});

test("each address of a name has to lead here; one that this machine cannot reach may", async () => {
  names["www.site.example"] = ["127.0.0.1", "127.0.0.2"];
  network.isPublic = (address) => address.startsWith("127.");
  expect(await find()).toContain("(127.0.0.2)");
});

test("the own address of a site for this machine is asked without a name", async () => {
  plainSite = answer;
  const url = `http://localhost:${portOf(plain)}`;
  expect(await findSite({ host: "localhost", url }, challenges)).toBeNull();
  plainSite = (_, response) => response.end();
  expect(await findSite({ host: "localhost", url }, challenges)).toContain("Another program");
});

test("a challenge is answered by its own site alone, for a minute", () => {
  let now = Date.parse("2026-11-28T12:00:00Z");
  const own = createChallenges("secret", () => now);
  const challenge = own.create();
  expect(own.create()).not.toBe(challenge);
  const other = createChallenges("another secret", () => now);
  expect(createChallenges("secret", () => now).answer(challenge)).toBe(own.answer(challenge));
  expect(own.answer(challenge)).toHaveLength(43);
  for (const invalid of ["", "a", other.create(), `${challenge}a`, challenge.replace(".", "a.")]) {
    expect(own.answer(invalid)).toBeNull();
  }
  now += 61_000;
  expect(own.answer(challenge)).toBeNull();
});
