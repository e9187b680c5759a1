// Fetches an image of another site, which may try to reach what only this server can reach.
// Covers: https, and http when it is permitted; redirects, each checked like the first address; IPv4. Each name is resolved once,
// and the connection goes to the address that was checked. Does not cover: other ports, IPv6, compressed answers, cookies.
import { Buffer } from "node:buffer";
import { resolve4 } from "node:dns/promises";
import { connect as connectPlainly, isIP } from "node:net";
import { connect as connectSecurely } from "node:tls";
import { Agent, type buildConnector, type Dispatcher, request } from "undici";
import { fileSizes } from "../_shared/database-limits.ts";
import { isPublicAddress } from "../_shared/private-networks.ts";

const maxRedirects = 5;
/** The embedded backend ends a call after 30 seconds. */
const timeoutMs = 25_000;

export interface Permit {
  /** The hosts that the owner confirmed. Each also stands for the same name with or without 'www.'. */
  hosts: readonly string[];
  /** Whether http is used where https fails. */
  http: boolean;
}

/** How names are resolved, and what may be connected to. Only tests replace it. */
export interface Network {
  resolve: (host: string) => Promise<string[]>;
  isPublic: (address: string) => boolean;
  ports: { "http:": number; "https:": number };
  /** A certificate that is trusted in place of the well-known ones. */
  ca?: string;
}

export const internet: Network = {
  resolve: resolve4,
  isPublic: isPublicAddress,
  ports: { "http:": 80, "https:": 443 },
};

/** Why an image is not fetched, as a sentence for the owner. */
export class NotFetched extends Error {}

/** The address may not be connected to. */
class Forbidden extends NotFetched {}

/** @throws NotFetched */
export async function fetchImage(
  address: string,
  permit: Permit,
  network: Network = internet,
): Promise<Uint8Array<ArrayBuffer>> {
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    return await follow(address, permit, network, deadline);
  } catch (error) {
    if (error instanceof NotFetched) throw error;
    if (deadline.aborted) throw new NotFetched(`It took longer than ${timeoutMs / 1000} seconds.`);
    throw new NotFetched(describeFailure(error));
  }
}

async function follow(
  address: string,
  permit: Permit,
  network: Network,
  deadline: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  let url = URL.parse(address);
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    if (!url) throw new NotFetched("Its address is not valid.");
    const answer = await fetchOnce(url, permit, network, deadline);
    if (!("location" in answer)) return answer.bytes;
    url = URL.parse(answer.location, answer.from);
  }
  throw new NotFetched("It redirects too often.");
}

type Answer = { bytes: Uint8Array<ArrayBuffer> } | { location: string; from: URL };

/** Tries https first: most sites that were written with http have it. */
async function fetchOnce(
  url: URL,
  permit: Permit,
  network: Network,
  deadline: AbortSignal,
): Promise<Answer> {
  if (url.protocol !== "http:") return send(url, permit, network, deadline);
  const secure = new URL(url);
  secure.protocol = "https:";
  try {
    return await send(secure, permit, network, deadline);
  } catch (error) {
    if (error instanceof Forbidden || deadline.aborted) throw error;
    if (permit.http) return send(url, permit, network, deadline);
    const reason = error instanceof NotFetched ? error.message : describeFailure(error);
    throw new NotFetched(`${reason} It may be available without encryption (http).`);
  }
}

async function send(
  url: URL,
  permit: Permit,
  network: Network,
  deadline: AbortSignal,
): Promise<Answer> {
  const address = await checkedAddress(url, permit, network);
  const dispatcher = new Agent({ connect: connectorTo(url, address, network), pipelining: 0 });
  try {
    const response = await request(url, {
      dispatcher,
      signal: deadline,
      headers: {
        accept: "image/webp,image/png,image/jpeg,image/gif",
        "accept-encoding": "identity",
        // Sites reject unknown programs, and requests for their images from elsewhere.
        "user-agent": "Mozilla/5.0 (compatible; site import)",
        referer: url.origin,
      },
    });
    return await read(url, response);
  } finally {
    dispatcher.destroy().catch(() => {});
  }
}

/** @returns the only address to which the request may connect */
async function checkedAddress(url: URL, permit: Permit, network: Network): Promise<string> {
  const { protocol, hostname, port, username, password } = url;
  if (protocol !== "https:" && !(protocol === "http:" && permit.http)) {
    throw new Forbidden(`Its address begins with ${protocol}`);
  }
  if (port || username || password) throw new Forbidden("Its address has a port or a password.");
  const isConfirmed = permit.hosts.some((host) => withoutWww(host) === withoutWww(hostname));
  if (!isConfirmed) throw new Forbidden(`It is on ${hostname}, which was not confirmed.`);
  if (hostname.startsWith("[")) throw new Forbidden("Its host has an IPv6 address.");
  const addresses = isIP(hostname) ? [hostname] : await network.resolve(hostname);
  const [address] = addresses;
  if (address === undefined) throw new NotFetched(`${hostname} is not found.`);
  if (!addresses.every((each) => network.isPublic(each))) {
    throw new Forbidden(`${hostname} is in a private network.`);
  }
  return address;
}

/** Connects to the address that was checked, whatever the name resolves to now. */
function connectorTo(url: URL, host: string, { ports, ca }: Network): buildConnector.connector {
  return (_, callback) => {
    const isSecure = url.protocol === "https:";
    // The certificate must be of the name, or of the address that stands in the place of one.
    const servername = isIP(url.hostname) ? {} : { servername: url.hostname };
    const socket = isSecure
      ? connectSecurely({
          host,
          port: ports["https:"],
          ALPNProtocols: ["http/1.1"],
          ca,
          ...servername,
        })
      : connectPlainly({ host, port: ports["http:"] });
    socket.once("error", (error) => callback(error, null));
    socket.once(isSecure ? "secureConnect" : "connect", () => callback(null, socket));
  };
}

async function read(
  url: URL,
  { statusCode, headers, body }: Dispatcher.ResponseData,
): Promise<Answer> {
  // A body that is not read is discarded with the connection.
  body.on("error", () => {});
  const { location } = headers;
  if ([301, 302, 303, 307, 308].includes(statusCode) && typeof location === "string") {
    return { location, from: url };
  }
  if (statusCode !== 200) {
    const reason =
      statusCode === 404 || statusCode === 410 ? "It is not there any more" : "The site refuses it";
    throw new NotFetched(`${reason} (${statusCode}).`);
  }
  if ((headers["content-encoding"] ?? "identity") !== "identity") {
    throw new NotFetched("The site sends it compressed.");
  }
  const maxBytes = fileSizes.images;
  const tooLarge = new NotFetched(`It is larger than ${maxBytes / 1024 ** 2} MB.`);
  if (Number(headers["content-length"]) > maxBytes) throw tooLarge;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge;
    chunks.push(chunk);
    // Pages in place of an image need not arrive as a whole.
    if (size - chunk.length < 12 && size >= 12) assertImage(Buffer.concat(chunks));
  }
  const bytes = new Uint8Array(Buffer.concat(chunks));
  assertImage(bytes);
  return { bytes };
}

/** The browser and Storage check more of it. */
function assertImage(start: Uint8Array): void {
  const text = String.fromCharCode(...start.subarray(0, 12));
  if (/^(?:\xff\xd8\xff|\x89PNG\r\n|GIF8[79]a|RIFF[\s\S]{4}WEBP)/.test(text)) return;
  throw new NotFetched("The site answers with something else than a JPEG, PNG, GIF or WebP image.");
}

function withoutWww(host: string): string {
  return host
    .toLowerCase()
    .replace(/^www\./, "")
    .replace(/\.$/, "");
}

function describeFailure(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (/^(?:ENOTFOUND|ENODATA|EAI_|ESERVFAIL|EREFUSED)/.test(code)) return "Its site is not found.";
  if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO/.test(code))
    return "The certificate of its site is not valid.";
  return "Its site cannot be reached.";
}
