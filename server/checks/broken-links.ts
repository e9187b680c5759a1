// Finds links of the firm that do not work. The owner typed them, so they may lead anywhere: only public addresses on
// the standard ports are asked, and the address that was checked is the one that is connected to.
import { lookup as lookUp } from "node:dns/promises";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import type { BrokenLink } from "../../app/config/checks/check.ts";
import type { SiteSettings } from "../../app/config/site-schema.ts";

type Link = Omit<BrokenLink, "reason">;
type Resolve = (hostname: string) => Promise<string[]>;

const timeout = 5_000;
const maxLinks = 12;

export function linksOf({ contact }: Pick<SiteSettings, "contact">): Link[] {
  const scheduling = contact.schedulingUrl
    ? [{ name: "to your scheduling page", url: contact.schedulingUrl }]
    : [];
  return [...scheduling, ...contact.socials].slice(0, maxLinks);
}

export async function findBrokenLinks(links: readonly Link[]): Promise<BrokenLink[]> {
  const checked = await Promise.all(
    links.map(async (link) => ({ ...link, reason: await findProblem(link.url) })),
  );
  return checked.flatMap(({ reason, ...link }) => (reason ? [{ ...link, reason }] : []));
}

/** @returns why the link does not work; null when it does, or when a site refuses programs */
export async function findProblem(
  address: string,
  resolve: Resolve = resolveAll,
): Promise<string | null> {
  const url = URL.parse(address);
  if (!url || !["http:", "https:"].includes(url.protocol)) return "it is not a web address";
  // Not requested on other ports: a link could otherwise probe a machine for its services.
  if (url.port !== "") return null;
  const hostname = url.hostname.replace(/^\[|\]$/g, "");
  const addresses = isIP(hostname) ? [hostname] : await resolve(hostname).catch(() => []);
  const [first] = addresses;
  if (!first) return "its domain does not exist";
  if (!addresses.every(isPublic)) return "it leads to a private network";
  try {
    let status = await ask(url, "HEAD", first);
    if (status >= 400) status = await ask(url, "GET", first);
    // Social networks answer programs with 403, 429 or 999.
    return status === 404 || status === 410 || (status >= 500 && status < 600)
      ? `its server responds with ${status}`
      : null;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    return code ? `its server cannot be reached, ${code}` : "its server does not respond";
  }
}

async function resolveAll(hostname: string): Promise<string[]> {
  return (await lookUp(hostname, { all: true })).map(({ address }) => address);
}

/** Whether an address belongs to the public internet. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  return ipaddr.process(address).range() === "unicast";
}

/** Connects to `address` alone and follows no redirect. @returns the status */
function ask(url: URL, method: "HEAD" | "GET", address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === "https:" ? requestHttps : requestHttp;
    const family = isIP(address);
    const request = send(
      url,
      {
        method,
        agent: false,
        signal: AbortSignal.timeout(timeout),
        headers: { "user-agent": "Mozilla/5.0 (link check of the site's owner)" },
        lookup: (_hostname, options, done) => {
          if (options.all) done(null, [{ address, family }]);
          else done(null, address, family);
        },
      },
      (response) => {
        response.destroy();
        resolve(response.statusCode ?? 0);
      },
    );
    request.on("error", reject);
    request.end();
  });
}
