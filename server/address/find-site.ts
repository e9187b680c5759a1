// Finds out whether a name leads to this site, as visitors reach it: by DNS and over https. The owner gets a sentence for each
// failure. Covers: all addresses of the name; none of a private network is connected to, and none but the one that was looked up.
// Does not cover: what redirects lead to, which are told and not followed.
import { Resolver } from "node:dns/promises";
import { request as requestPlainly } from "node:http";
import { request as requestSecurely } from "node:https";
import { BlockList, isIPv4, isIPv6 } from "node:net";
import { networkInterfaces } from "node:os";
import { privateNetworks } from "../../supabase/functions/_shared/private-networks.ts";
import type { Challenges } from "./challenges.ts";

const timeoutMs = 8_000;
const maxAddresses = 8;
/** An answer has 43 characters. */
const maxBytes = 1_000;

/** How names are resolved, and what may be connected to. Only tests replace it. */
export interface Network {
  /** The addresses of a name by its records; throws the error of DNS. */
  resolve(host: string): Promise<string[]>;
  isPublic(address: string): boolean;
  ports: { https: number; http: number };
  /** The addresses of this machine in the internet, as far as it knows them. */
  ownAddresses(): string[];
  /** A certificate that is trusted in place of the well-known ones. */
  ca?: string;
}

export const internet: Network = {
  // By DNS alone: a machine often has its own name in a file, with an address that only it can use.
  async resolve(host) {
    const resolver = new Resolver({ timeout: 3_000, tries: 2 });
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const found = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    const [first] = answers;
    if (found.length === 0 && first.status === "rejected") throw first.reason;
    return found;
  },
  isPublic: isPublicIp,
  ports: { https: 443, http: 80 },
  ownAddresses: () =>
    Object.values(networkInterfaces())
      .flatMap((each) => each ?? [])
      .map(({ address }) => address)
      .filter(isPublicIp),
};

const closed = listNetworks([
  ...privateNetworks,
  // Tunnels to IPv4, and documentation.
  ...["2001::/32", "2002::/16", "2001:db8::/32"],
]);
const internetV6 = listNetworks(["2000::/3"]);

function listNetworks(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", length] = network.split("/");
    list.addSubnet(address, Number(length), isIPv6(address) ? "ipv6" : "ipv4");
  }
  return list;
}

function isPublicIp(address: string): boolean {
  if (isIPv4(address)) return !closed.check(address, "ipv4");
  return isIPv6(address) && internetV6.check(address, "ipv6") && !closed.check(address, "ipv6");
}

type Outcome =
  | { kind: "this site" }
  | { kind: "another site"; status: number; location: string | undefined }
  | { kind: "failure"; code: string };

/**
 * @param url of `readTypedAddress`; http for this machine only
 * @returns null when this site answers there, else why not, as a sentence for the owner
 */
export async function findSite(
  { host, url }: { host: string; url: string },
  challenges: Challenges,
  network: Network = internet,
): Promise<string | null> {
  if (url.startsWith("http:")) {
    const outcome = await ask({ host, port: Number(new URL(url).port), isSecure: false });
    return outcome.kind === "this site" ? null : `Another program answers at ${url}.`;
  }
  let addresses: string[];
  try {
    addresses = (await network.resolve(host)).slice(0, maxAddresses);
  } catch (error) {
    return describeLookup(host, codeOf(error), network);
  }
  if (!addresses.every((address) => network.isPublic(address))) {
    return `${host} leads to a private network (${addresses.join(", ")}), which visitors cannot reach.`;
  }
  const outcomes = await Promise.all(
    addresses.map(async (address) => {
      const outcome = await ask({ host, address, port: network.ports.https, isSecure: true });
      return { address, outcome };
    }),
  );
  const isFound = outcomes.some(({ outcome }) => outcome.kind === "this site");
  for (const { address, outcome } of outcomes) {
    if (outcome.kind === "this site") continue;
    // Many machines have no IPv6, and cannot see whether it works.
    if (isFound && outcome.kind === "failure" && isUnreachable(outcome.code)) continue;
    if (outcome.kind === "failure" && !isCertificate(outcome.code)) {
      const plain = await ask({ host, address, port: network.ports.http, isSecure: false });
      if (plain.kind === "this site") return withoutEncryption(host);
    }
    return describe(host, address, outcome, network);
  }
  return null;

  async function ask(target: Target): Promise<Outcome> {
    const challenge = challenges.create();
    try {
      const { status, location, text } = await get(
        { ...target, ca: network.ca },
        `/healthz/address?challenge=${challenge}`,
      );
      return status === 200 && text === challenges.answer(challenge)
        ? { kind: "this site" }
        : { kind: "another site", status, location };
    } catch (error) {
      return { kind: "failure", code: codeOf(error) };
    }
  }
}

interface Target {
  host: string;
  /** Instead of that of the name. */
  address?: string;
  port: number;
  isSecure: boolean;
  ca?: string | undefined;
}

interface Answer {
  status: number;
  location: string | undefined;
  text: string;
}

function get({ host, address, port, isSecure, ca }: Target, path: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = {
      ...{ host: address ?? host, port, path, agent: false as const },
      headers: { host: address ? host : `${host}:${port}`, accept: "text/plain" },
      signal: AbortSignal.timeout(timeoutMs),
    };
    // A local name is not looked up: it means this machine.
    if (!address) options.host = host === "localhost" ? "127.0.0.1" : host.replace(/^\[|\]$/g, "");
    const sent = isSecure
      ? requestSecurely({ ...options, servername: host, ...(ca && { ca }) })
      : requestPlainly(options);
    sent.once("error", reject);
    sent.once("response", (response) => {
      let text = "";
      response.setEncoding("latin1");
      response.on("data", (part: string) => {
        text += part;
        if (text.length > maxBytes) finish();
      });
      response.once("error", reject);
      response.once("end", finish);

      function finish(): void {
        const { statusCode = 0, headers } = response;
        resolve({ status: statusCode, location: headers.location, text: text.slice(0, maxBytes) });
        sent.destroy();
      }
    });
    sent.end();
  });
}

function codeOf(error: unknown): string {
  const { code, name } = Object(error);
  return name === "AbortError" || name === "TimeoutError" ? "ETIMEDOUT" : String(code ?? name);
}

function isUnreachable(code: string): boolean {
  return ["ENETUNREACH", "EHOSTUNREACH", "EADDRNOTAVAIL", "EAFNOSUPPORT"].includes(code);
}

function isCertificate(code: string): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO/.test(code);
}

function describeLookup(host: string, code: string, network: Network): string {
  if (code !== "ENOTFOUND" && code !== "ENODATA") {
    return `${host} could not be looked up just now. Please try again in a minute.`;
  }
  return `The name ${host} does not lead anywhere yet. Where you manage your domain, add ${recordFor(host, network)}. It can take an hour until the whole internet knows it.`;
}

/** The record of DNS that is missing. */
function recordFor(host: string, { ownAddresses }: Network): string {
  const own = ownAddresses();
  const address = own.find(isIPv4) ?? own[0];
  const type = address && isIPv6(address) ? "AAAA" : "A";
  const value = address
    ? `the value ${address}`
    : "the address of your server (four numbers and dots)";
  return `an ${type} record for ${host} with ${value}`;
}

function withoutEncryption(host: string): string {
  return `Your site answers at ${host}, but without encryption, so that browsers warn your visitors. It needs a certificate for ${host} first. Where you rent your server, look for https, TLS or SSL.`;
}

function describe(
  host: string,
  address: string,
  outcome: Exclude<Outcome, { kind: "this site" }>,
  network: Network,
): string {
  const type = isIPv6(address) ? "AAAA" : "A";
  if (outcome.kind === "another site") {
    const target = outcome.location ? URL.parse(outcome.location, `https://${host}`) : null;
    if (outcome.status < 400 && target && target.hostname !== host) {
      return `${host} sends visitors on to ${target.host}. Enter ${target.host} instead, or change that first.`;
    }
    if (outcome.status >= 500) {
      return `A server answers at ${host}, but it does not pass visitors on to this site (status ${outcome.status}). Please try again in a minute.`;
    }
    const own = network.ownAddresses().filter((each) => isIPv4(each) === isIPv4(address));
    const right = own.length > 0 && !own.includes(address) ? `, and this server is ${own[0]}` : "";
    return `Another site answers at ${host}. The ${type} record of the name leads to ${address}${right}. If you have changed the record, try again in an hour.`;
  }
  const { code } = outcome;
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") {
    return `The certificate at ${host} is for another name. It needs one for ${host}.`;
  }
  if (code === "CERT_HAS_EXPIRED") return `The certificate at ${host} has expired.`;
  if (isCertificate(code)) {
    return `Browsers do not trust the certificate at ${host}. It needs one for ${host}.`;
  }
  if (code === "ETIMEDOUT") {
    return `Nothing answers at ${host} within ${timeoutMs / 1000} seconds. The ${type} record of the name leads to ${address}. Is that your server, and does its firewall let the ports 80 and 443 through?`;
  }
  return `At ${host} (${address}), there is no answer to https. Is that your server, and is it set up for ${host}?`;
}
