// Whether receivers can see in DNS that the mail service may send for the sender's domain: SPF (RFC 7208), DKIM (RFC 6376), DMARC
// (RFC 7489). Does not cover: macros, strict alignment, and from which of its addresses a service really sends.
import { Resolver } from "node:dns/promises";
import { BlockList, isIP, isIPv6 } from "node:net";
import { type Service, smtpOptions } from "./smtp-options.ts";

export interface SenderFinding {
  state: "right" | "wrong" | "unknown";
  /** A sentence without its period. */
  text: string;
}

/** What an SPF record allows. */
interface Allowed {
  names: string[];
  addresses: BlockList;
  lookups: number;
  all: boolean;
}

export interface Sender {
  /** The address in From. */
  from: string;
  service: Service;
  /** The name of the service's DKIM key. */
  dkimSelector?: string | undefined;
  /** The origin of the site, which is where a mail service on this machine sends from. */
  site: string | null;
}

export type Dns = Pick<
  Resolver,
  "resolve4" | "resolve6" | "resolveMx" | "resolveNs" | "resolveTxt"
>;

/** The time limit in milliseconds: an owner is waiting. */
const timeout = 5_000;
const maxLookups = 10;
/** Services whose SPF record has another domain than their server. */
const otherNames: Readonly<Record<string, string>> = {
  ...{ "gmail.com": "google.com", "office365.com": "outlook.com", "brevo.com": "sendinblue.com" },
  "fastmail.com": "messagingengine.com",
};

/** @returns null when DNS cannot be asked */
export async function checkSender(sender: Sender): Promise<SenderFinding[] | null> {
  const dns = new Resolver({ timeout: 2_000, tries: 2 });
  const timer = setTimeout(() => dns.cancel(), timeout);
  return readSender(sender, dns)
    .catch(() => null)
    .finally(() => clearTimeout(timer));
}

/** @throws when DNS cannot be asked */
export async function readSender(sender: Sender, dns: Dns): Promise<SenderFinding[]> {
  const domain = hostOf(`http://${sender.from.split("@").at(-1)}`);
  // Some networks answer that no name exists.
  const topLevel = await orNone(dns.resolveNs(domain.slice(domain.lastIndexOf(".") + 1)));
  if (topLevel.length === 0) throw new Error("DNS does not know the top-level domain");
  const { host, spfDomain, selector, account } = describeService(sender, domain);
  const [spf, dkim, dmarc] = await Promise.all([readSpf(), readDkim(), readDmarc()]);
  // One of the two suffices for DMARC.
  return [spf.state === "unknown" && dkim.state !== "right" ? wrong(spf.text) : spf, dkim, dmarc];

  async function readSpf(): Promise<SenderFinding> {
    const { length } = await spfRecords(spfDomain);
    if (length === 0)
      return wrong(`${spfDomain} has no SPF record, which says who may send for it`);
    const the = `The SPF record of ${spfDomain}`;
    const allowed: Allowed = { names: [], addresses: new BlockList(), lookups: 0, all: false };
    await collect(spfDomain, allowed);
    if (length > 1) return wrong(`${spfDomain} has ${length} SPF records, and receivers use none`);
    if (allowed.all) return wrong(`${the} allows every server`);
    if (allowed.lookups > maxLookups) return wrong(`${the} needs more than ${maxLookups} lookups`);
    const named = allowed.names.some((name) => organizationOf(name) === organizationOf(host));
    const reached = (await addressesOf(host)).some((address) =>
      allowed.addresses.check(address, familyOf(address)),
    );
    if (named || reached) return { state: "right", text: `${the} allows ${host}` };
    const isForeign = account && organizationOf(account) !== organizationOf(domain);
    const whose = isForeign ? ` (the account there is of ${account})` : "";
    return { state: "unknown", text: `${the} does not allow ${host}${whose}` };
  }

  /** Collects what the record of a name allows, with the records that it includes. */
  async function collect(name: string, allowed: Allowed): Promise<void> {
    const [record = ""] = await spfRecords(name);
    for (const term of record.toLowerCase().split(/\s+/).slice(1)) {
      const [, kind = "", value = name, length] =
        /^\+?([a-z0-9]+)(?:[:=]([^/]+))?(?:\/(\d+))?/.exec(term) ?? [];
      if (kind === "all") allowed.all = true;
      if (/^ip[46]$/.test(kind)) add(value, length);
      if (!/^(include|redirect|a|mx|exists|ptr)$/.test(kind)) continue;
      if (++allowed.lookups > maxLookups) return;
      const servers = kind === "mx" ? await orNone(dns.resolveMx(value)) : [{ exchange: value }];
      if (/^(a|mx)$/.test(kind)) {
        for (const { exchange } of servers) {
          for (const address of await addressesOf(exchange)) add(address, length);
        }
      } else {
        allowed.names.push(value);
        await collect(value, allowed);
      }
    }

    function add(address: string, length: string | undefined): void {
      if (!isIP(address)) return;
      const most = isIPv6(address) ? 128 : 32;
      allowed.addresses.addSubnet(
        address,
        Math.min(Number(length ?? most), most),
        familyOf(address),
      );
    }
  }

  async function readDkim(): Promise<SenderFinding> {
    if (!selector) return { state: "unknown", text: "DKIM was not checked: set DKIM_SELECTOR" };
    const name = `${selector}._domainkey.${domain}`;
    const [key] = (await txt(name)).flatMap((text) => /(?:^|;)\s*p=\s*([^;]*)/.exec(text) ?? []);
    if (key === undefined) return wrong(`There is no DKIM key at ${name}`);
    return /p=\s*$/.test(key)
      ? wrong(`The DKIM key at ${name} was withdrawn`)
      : { state: "right", text: `There is a DKIM key at ${name}` };
  }

  /** A record of a parent domain applies, too. */
  async function readDmarc(): Promise<SenderFinding> {
    for (
      let parent = domain;
      parent.includes(".");
      parent = parent.slice(parent.indexOf(".") + 1)
    ) {
      const record = (await txt(`_dmarc.${parent}`)).find((text) => /^v=DMARC1\s*(;|$)/.test(text));
      const policy = record && (/;\s*p=\s*(\w+)/.exec(record)?.[1] ?? "none");
      if (policy) return { state: "right", text: `The DMARC policy of ${parent} is ${policy}` };
    }
    return wrong(`${domain} has no DMARC record, which large mail services demand`);
  }

  async function spfRecords(name: string): Promise<string[]> {
    return (await txt(name)).filter((text) => /^v=spf1(\s|$)/i.test(text));
  }

  async function txt(name: string): Promise<string[]> {
    return (await orNone(dns.resolveTxt(name))).map((parts) => parts.join(""));
  }

  async function addressesOf(name: string): Promise<string[]> {
    if (isIP(name)) return [name];
    return (await Promise.all([dns.resolve4(name), dns.resolve6(name)].map(orNone))).flat();
  }
}

function describeService({ service, dkimSelector, site }: Sender, domain: string) {
  if ("resendApiKey" in service) {
    // Resend sends by Amazon, with a return address of its own.
    const names = { host: "amazonses.com", spfDomain: `send.${domain}` };
    return { ...names, selector: dkimSelector ?? "resend", account: "" };
  }
  const { host, isHere, auth } = smtpOptions(service.smtpUrl);
  const account = (auth ? auth.user : "").split("@")[1] ?? "";
  const sendsFrom = isHere && site ? hostOf(site) : host;
  return { host: sendsFrom, spfDomain: domain, selector: dkimSelector, account };
}

/** In ASCII. */
function hostOf(url: string): string {
  return new URL(url).hostname;
}

/** The domain that is registered: two labels, or three as in example.co.uk. */
function organizationOf(name: string): string {
  const last = name.toLowerCase().replace(/\.$/, "").split(".").slice(-3);
  const isSecondLevel = (last.at(-2)?.length ?? 0) <= 3 && last.at(-1)?.length === 2;
  const organization = (isSecondLevel ? last : last.slice(-2)).join(".");
  return otherNames[organization] ?? organization;
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIPv6(address) ? "ipv6" : "ipv4";
}

function wrong(text: string): SenderFinding {
  return { state: "wrong", text };
}

/** An empty list when the name, or such a record of it, does not exist. */
async function orNone<Value>(records: Promise<Value[]>): Promise<Value[]> {
  return records.catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOTFOUND" || error.code === "ENODATA") return [];
    throw error;
  });
}
