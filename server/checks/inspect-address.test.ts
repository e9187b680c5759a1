// TLS at the public address. tests/contract/check-live-hosted.test.ts checks the rest with a site.
import { createServer as createHttpServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, createServer } from "node:net";
import { type TestContext, test } from "vitest";
import { inspectAddress } from "./inspect-address.ts";

/** Of this test alone. */
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg6uFhilwW7KMXtRUp
emC1cXuSFIU2p2mzura2GfYWYRKhRANCAASFlJmWMjunZF18W9UnfZPquVNLLOvh
TfURBC9V3CTR1T6KzsgPL8GoHnK8oFJb5KBwCv/vIcPZJV6ydrRGResD
-----END PRIVATE KEY-----
`;
const validForLong = `-----BEGIN CERTIFICATE-----
MIIBgDCCASWgAwIBAgIUAxS6wguQQkPzYAcFMRLbLKjZjVAwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJMTI3LjAuMC4xMCAXDTI2MTEyMzAxMjg1N1oYDzIxMjYxMDMw
MDEyODU3WjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASFlJmWMjunZF18W9UnfZPquVNLLOvhTfURBC9V3CTR1T6KzsgPL8Go
HnK8oFJb5KBwCv/vIcPZJV6ydrRGResDo1MwUTAdBgNVHQ4EFgQUKlii+mbMgxbs
s9hbqdURWXeEiDUwHwYDVR0jBBgwFoAUKlii+mbMgxbss9hbqdURWXeEiDUwDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNJADBGAiEA64lbSVrL3BL7/ZdZIrXg
NRfBODsvGDgtqyon2AwQlVoCIQCL4x8Pb03Id0AoDwZT8+NrciQ8emmP0ugtA2et
hO8slQ==
-----END CERTIFICATE-----
`;
const validUntilNovember = `-----BEGIN CERTIFICATE-----
MIIBfDCCASOgAwIBAgIUMZugyHBq1EJatorMjJB19d6vYsowCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJMTI3LjAuMC4xMB4XDTI2MTEyMzAxMjg1N1oXDTI2MTEyNDAx
Mjg1N1owFDESMBAGA1UEAwwJMTI3LjAuMC4xMFkwEwYHKoZIzj0CAQYIKoZIzj0D
AQcDQgAEhZSZljI7p2RdfFvVJ32T6rlTSyzr4U31EQQvVdwk0dU+is7IDy/BqB5y
vKBSW+SgcAr/7yHD2SVesna0RkXrA6NTMFEwHQYDVR0OBBYEFCpYovpmzIMW7LPY
W6nVEVl3hIg1MB8GA1UdIwQYMBaAFCpYovpmzIMW7LPYW6nVEVl3hIg1MA8GA1Ud
EwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDRwAwRAIgL/VtPSs7VB/cMMKWqYD0x+kI
R9n88aFeyUW9RyCljvgCIFvCT1m8HkoURDhBRUJCNctMuecdDj3vzmRW5Gol7LcW
-----END CERTIFICATE-----
`;

/** Serves https and http on one port. @returns the https address */
async function serve(
  { onTestFinished }: TestContext,
  ...[cert, status, location]: [cert: string, status: number, location: string]
): Promise<string> {
  const https = createHttpsServer({ key, cert }, (_, response) => response.end());
  const http = createHttpServer((_, response) => {
    response.writeHead(status, { ...(location && { location }) });
    response.end();
  });
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", (data) => {
      const isTls = data[0] === 0x16;
      (isTls ? https : http).emit("connection", socket);
      socket.unshift(data);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  // A server that listens on TCP has such an address.
  return `https://localhost:${(server.address() as AddressInfo).port}`;
}

// At the same time, because each waits for Realtime, which nobody serves.
test.concurrent.for<[string, string, number, string, string[]]>([
  ["a redirect and a valid certificate", validForLong, 301, "https://www.example.com/", []],
  ["an error without encryption", validForLong, 400, "", []],
  ["a page without encryption", validForLong, 200, "", ["does not redirect to https"]],
  [
    "a redirect to http",
    validForLong,
    301,
    "http://www.example.com/",
    ["does not redirect to https"],
  ],
  [
    "a certificate that ends",
    validUntilNovember,
    301,
    "https://www.example.com/",
    ["The certificate is valid until 2026-11-24 only"],
  ],
])("%s", async ([_, certificate, status, location, problems], context) => {
  const { expect } = context;
  const siteUrl = await serve(context, certificate, status, location);
  const { tls, headers } = await inspectAddress(
    { siteUrl: () => siteUrl, supabaseUrl: null },
    "any",
  );
  expect(tls).toEqual(problems.map((problem) => expect.stringContaining(problem)));
  // A browser accepts neither of these certificates.
  expect(headers).toBeNull();
});
