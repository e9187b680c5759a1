import { once } from "node:events";
import type { RequestListener } from "node:http";
import { createServer as createPlainServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { isPublicAddress } from "../_shared/private-networks.ts";
import { fetchImage, internet, type Network, type Permit } from "./fetch-image.ts";

// Of old.example and www.old.example.
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgQCLuHj0PMqSJ/zAY
nIYihy0MZHRnQ3kaJMcSCtfc36mhRANCAATHucJuqLC+7XKfWt8gXWfMtv5qD9D5
oVNeaGmWnhnNxAKnlgPsGhO6AWglmV46n3xbwSU0wGR2DOunNDqxdkhj
-----END PRIVATE KEY-----`;
const cert = `-----BEGIN CERTIFICATE-----
MIIBrDCCAVKgAwIBAgIUWon/dFB0VU4V2h8IuUEsr1vjiZwwCgYIKoZIzj0EAwIw
FjEUMBIGA1UEAwwLb2xkLmV4YW1wbGUwIBcNMjYxMTI3MTIyOTM3WhgPMjEyNjEx
MDMxMjI5MzdaMBYxFDASBgNVBAMMC29sZC5leGFtcGxlMFkwEwYHKoZIzj0CAQYI
KoZIzj0DAQcDQgAEx7nCbqiwvu1yn1rfIF1nzLb+ag/Q+aFTXmhplp4ZzcQCp5YD
7BoTugFoJZleOp98W8ElNMBkdgzrpzQ6sXZIY6N8MHowHQYDVR0OBBYEFK/bHRDc
pBj80z7G/FA0/C4Zf2LTMB8GA1UdIwQYMBaAFK/bHRDcpBj80z7G/FA0/C4Zf2LT
MA8GA1UdEwEB/wQFMAMBAf8wJwYDVR0RBCAwHoILb2xkLmV4YW1wbGWCD3d3dy5v
bGQuZXhhbXBsZTAKBggqhkjOPQQDAgNIADBFAiAkSCwh8F2khyHQbed+X3PpbvVR
GQ3JewWj9d1S8bHB8AIhAOdscnZuDrhufyF+qTuQigNOI7bWx7lfMB0nGROuvQnu
-----END CERTIFICATE-----`;

const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
const asImage = { "content-type": "image/png" };

/** What both servers answer by path, and the requests that they got. */
const pages: Record<string, RequestListener> = {};
const requests: string[] = [];
const listener: RequestListener = (request, response) => {
  requests.push(
    `${"encrypted" in request.socket ? "https" : "http"} ${request.headers.host} ${request.url}`,
  );
  const page = pages[request.url ?? ""];
  if (page) page(request, response);
  else response.writeHead(404).end();
};
const plain = createPlainServer(listener);
const secure = createSecureServer({ key, cert }, listener);
/** The addresses of names. All that begin with '127.' are this machine, which the tests declare public. */
const names: Record<string, string[]> = {};
const lookups: string[] = [];
let network: Network;

beforeAll(async () => {
  for (const server of [plain, secure]) await once(server.listen(0, "127.0.0.1"), "listening");
  const portOf = (server: typeof plain | typeof secure) => (server.address() as AddressInfo).port;
  network = {
    async resolve(host) {
      lookups.push(host);
      return names[host] ?? [];
    },
    isPublic: (address) => address === "127.0.0.1" || isPublicAddress(address),
    ports: { "http:": portOf(plain), "https:": portOf(secure) },
    ca: cert,
  };
});
afterAll(() => {
  for (const server of [plain, secure]) {
    server.closeAllConnections();
    server.close();
  }
});
beforeEach(() => {
  for (const list of [requests, lookups]) list.length = 0;
  for (const record of [names, pages]) for (const key of Object.keys(record)) delete record[key];
  names["old.example"] = names["www.old.example"] = names["other.example"] = ["127.0.0.1"];
  pages["/a.png"] = (_, response) => response.writeHead(200, asImage).end(png);
});

function get(address: string, permit: Partial<Permit> = {}) {
  return fetchImage(address, { hosts: ["old.example"], http: false, ...permit }, network);
}

const redirect =
  (location: string, status = 302): RequestListener =>
  (_, response) =>
    response.writeHead(status, { location }).end();

test("an image is fetched by https from a confirmed host, with or without www", async () => {
  expect(Buffer.from(await get("https://old.example/a.png"))).toEqual(png);
  expect(Buffer.from(await get("https://www.old.example/a.png#x"))).toEqual(png);
  expect(requests).toEqual(["https old.example /a.png", "https www.old.example /a.png"]);
});

test("an address with http is fetched by https, and by http only where that is permitted", async () => {
  await get("http://old.example/a.png");
  pages["/b.png"] = (request, response) =>
    "encrypted" in request.socket
      ? response.writeHead(404).end()
      : response.writeHead(200).end(png);
  await expect(get("http://old.example/b.png")).rejects.toThrow(
    /not there any more \(404\)\. It may be/,
  );
  expect(Buffer.from(await get("http://old.example/b.png", { http: true }))).toEqual(png);
  expect(requests.map((each) => each.split(" ")[0])).toEqual(["https", "https", "https", "http"]);
});

test.each([
  ["another host", "https://other.example/a.png", "is on other.example, which was not confirmed"],
  ["a host that ends like a confirmed one", "https://evilold.example/a.png", "was not confirmed"],
  ["a host below a confirmed one", "https://a.old.example/a.png", "was not confirmed"],
  ["a port", "https://old.example:8443/a.png", "has a port"],
  ["a password", "https://ada:x@old.example/a.png", "a password"],
  ["a file", "file:///etc/passwd", "begins with file:"],
  ["another protocol", "ftp://old.example/a.png", "begins with ftp:"],
  ["no address", "a.png", "not valid"],
])("%s is not fetched", async (_, address, reason) => {
  await expect(get(address)).rejects.toThrow(reason);
  expect(requests).toEqual([]);
  expect(lookups).toEqual([]);
});

const privateAddresses = [
  ...[
    "127.0.0.1",
    "127.8.9.1",
    "0.0.0.0",
    "10.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
  ],
  ...["169.254.169.254", "100.64.0.1", "100.100.100.200", "192.0.0.192", "198.18.0.1", "224.0.0.1"],
  ...[
    "239.255.255.250",
    "255.255.255.255",
    "240.0.0.1",
    "168.63.129.16",
    "192.0.2.1",
    "203.0.113.9",
  ],
  ...[
    "::1",
    "::",
    "::ffff:10.0.0.1",
    "::ffff:8.8.8.8",
    "fd00::1",
    "fe80::1",
    "ff02::1",
    "64:ff9b::a00:1",
  ],
  ...["2606:4700::1111", "localhost", "8.8.8.8.nip.io", "", "08.8.8.8", "8.8.8", "0x8080808"],
];
test.each(privateAddresses)("%j is no address of the public internet", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each([
  "8.8.8.8",
  "1.1.1.1",
  "172.15.0.1",
  "172.32.0.1",
  "100.128.0.1",
  "192.0.1.1",
  "223.255.255.1",
])("%s is an address of the public internet", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test("a name in a private network is not fetched, also when only one of its addresses is there", async () => {
  for (const addresses of [
    ["10.0.0.1"],
    ["8.8.8.8", "169.254.169.254"],
    ["127.0.0.1", "192.168.0.1"],
  ]) {
    names["old.example"] = addresses;
    for (const http of [false, true]) {
      await expect(get("http://old.example/a.png", { http })).rejects.toThrow(
        "in a private network",
      );
    }
  }
  expect(requests).toEqual([]);
});

test.each([
  ...[
    "http://127.0.0.1/",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://0177.0.0.1/",
    "http://10.1/",
  ],
  ...["http://[::1]/", "http://[::ffff:10.0.0.1]/", "http://[::ffff:7f00:1]/", "http://[fd00::1]/"],
  ...["http://localhost/", "http://169.254.169.254/latest/meta-data/"],
])("%s is not fetched, although it is confirmed", async (address) => {
  const { hostname } = new URL(address);
  const permit = { hosts: [hostname], http: true };
  // The rule of the product, which has no exception for this machine.
  const real = { ...network, isPublic: internet.isPublic, resolve: async () => ["127.0.0.1"] };
  await expect(fetchImage(address, permit, real)).rejects.toThrow(/private network|IPv6 address/);
  expect(requests).toEqual([]);
});

test("a name is resolved once, and the connection goes to the address that was checked", async () => {
  let answers = 0;
  const rebinding = {
    ...network,
    resolve: async () => [answers++ === 0 ? "127.0.0.1" : "10.0.0.1"],
  };
  const permit = { hosts: ["old.example"], http: false };
  expect(await fetchImage("https://old.example/a.png", permit, rebinding)).toHaveLength(png.length);
  expect(answers).toBe(1);
  await expect(fetchImage("https://old.example/a.png", permit, rebinding)).rejects.toThrow(
    "private network",
  );
});

test.each([301, 302, 303, 307, 308])(
  "a redirect with %s is followed to a confirmed host",
  async (status) => {
    pages["/old.png"] = redirect("https://www.old.example/a.png", status);
    expect(await get("https://old.example/old.png")).toHaveLength(png.length);
  },
);

test.each([
  ["to another host", "https://other.example/a.png", "on other.example, which was not confirmed"],
  ["to a port", "https://old.example:22/", "has a port"],
  ["to this machine", "http://127.0.0.1/a.png", "on 127.0.0.1, which was not confirmed"],
  ["to a file", "file:///etc/passwd", "begins with file:"],
  ["to nothing", "https://", "not valid"],
  ["in a circle", "/loop.png", "redirects too often"],
])("a redirect %s is not followed", async (_, location, reason) => {
  pages["/loop.png"] = redirect(location);
  await expect(get("https://old.example/loop.png")).rejects.toThrow(reason);
  expect(new Set(requests)).toEqual(new Set(["https old.example /loop.png"]));
});

test("a redirect to a confirmed host that is in a private network now is not followed", async () => {
  names["cdn.example"] = ["192.168.0.7"];
  pages["/old.png"] = redirect("https://cdn.example/a.png");
  const hosts = ["old.example", "cdn.example"];
  await expect(get("https://old.example/old.png", { hosts })).rejects.toThrow("private network");
});

test("a redirect to http is tried by https", async () => {
  pages["/old.png"] = redirect("http://old.example/a.png");
  expect(await get("https://old.example/old.png")).toHaveLength(png.length);
  expect(requests).toEqual(["https old.example /old.png", "https old.example /a.png"]);
});

test("a certificate of another name is not accepted", async () => {
  await expect(get("https://other.example/a.png", { hosts: ["other.example"] })).rejects.toThrow(
    "certificate of its site is not valid",
  );
  const { ca: _, ...untrusting } = network;
  const permit = { hosts: ["old.example"], http: false };
  await expect(fetchImage("https://old.example/a.png", permit, untrusting)).rejects.toThrow(
    "certificate",
  );
  expect(requests).toEqual([]);
});

test.each<[string, RequestListener, string]>([
  [
    "a page in place of the image",
    (_, r) => r.end("<!doctype html><p>Gone</p>"),
    "something else than a JPEG",
  ],
  [
    "a drawing",
    (_, r) => r.end('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    "something else than a JPEG",
  ],
  ["a program's output", (_, r) => r.end('{"token":"secret"}'), "something else than a JPEG"],
  ["an empty file", (_, r) => r.end(), "something else than a JPEG"],
  ["a refusal", (_, r) => r.writeHead(403).end(), "refuses it (403)"],
  ["a missing image", (_, r) => r.writeHead(410).end(), "not there any more (410)"],
  [
    "a compressed answer",
    (_, r) => r.writeHead(200, { "content-encoding": "gzip" }).end(png),
    "compressed",
  ],
  [
    "a declared size that is too large",
    (_, r) => r.writeHead(200, { "content-length": "52428801" }).write(png),
    "larger than 50 MB",
  ],
  [
    "an answer that ends early",
    (_, r) => r.writeHead(200, { "content-length": "99" }).write(png, () => r.destroy()),
    "cannot be reached",
  ],
  ["no answer", (request) => request.socket.destroy(), "cannot be reached"],
])("%s is no image, and says so", async (_, page, reason) => {
  pages["/x.png"] = page;
  await expect(get("https://old.example/x.png")).rejects.toThrow(reason);
});

test("an image without a declared size is read up to the limit", async () => {
  const block = Buffer.alloc(1024 * 1024, 1);
  let sent = 0;
  pages["/endless.png"] = (_, response) => {
    response.writeHead(200, asImage);
    response.write(png);
    function send() {
      do sent++;
      while (!response.destroyed && response.write(block));
    }
    response.on("drain", send);
    send();
  };
  await expect(get("https://old.example/endless.png")).rejects.toThrow("larger than 50 MB");
  expect(sent).toBeGreaterThan(40);
});

test("a name that nobody has says so", async () => {
  await expect(get("https://gone.example/a.png", { hosts: ["gone.example"] })).rejects.toThrow(
    "gone.example is not found",
  );
});
