import { expect, test } from "vitest";
import { type Dns, readSender, type Sender } from "./sender-domain.ts";

type Records = Readonly<Record<string, readonly string[]>>;

/** `A example.com` and the like; a name without records does not exist. */
function dnsOf(records: Records): Dns {
  const find = (type: string) => async (name: string) => {
    const found = records[`${type} ${name}`];
    if (!found) throw Object.assign(new Error(), { code: "ENOTFOUND" });
    return [...found];
  };
  return {
    resolve4: find("A"),
    resolve6: find("AAAA"),
    resolveNs: find("NS"),
    resolveMx: async (name: string) =>
      (await find("MX")(name)).map((exchange) => ({ exchange, priority: 10 })),
    // In two parts, as long records are.
    resolveTxt: async (name: string) =>
      (await find("TXT")(name)).map((text) => [text.slice(0, 9), text.slice(9)]),
  } as Dns;
}

const complete: Records = {
  "NS com": ["a.gtld-servers.net"],
  "TXT example.com": ["other=1", "v=spf1 include:spf.mailer.com -all"],
  "TXT spf.mailer.com": ["v=spf1 ip4:192.0.2.0/24 -all"],
  "TXT one._domainkey.example.com": ["v=DKIM1; k=rsa; p=MIIB"],
  "TXT _dmarc.example.com": ["v=DMARC1; p=reject"],
  "TXT send.example.com": ["v=spf1 include:amazonses.com ~all"],
};
const sender: Sender = {
  ...{ from: "hello@example.com", dkimSelector: "one", site: "https://www.example.com" },
  service: { smtpUrl: new URL("smtp://ada:secret@smtp.mailer.com:587") },
};
const through = (smtpUrl: string) => ({ service: { smtpUrl: new URL(smtpUrl) } });
const spf = (...records: string[]) => ({ "TXT example.com": records });

async function read(records: Records = {}, changes: Partial<Sender> = {}): Promise<string[]> {
  const found = await readSender({ ...sender, ...changes }, dnsOf({ ...complete, ...records }));
  return found.map(({ state, text }) => `${state}: ${text}`);
}

test("a domain that names the mail service in all three ways is right", async () => {
  expect(await read()).toEqual([
    "right: The SPF record of example.com allows smtp.mailer.com",
    "right: There is a DKIM key at one._domainkey.example.com",
    "right: The DMARC policy of example.com is reject",
  ]);
});

const ip = "198.51.100.7";
const mailerIp = { "A smtp.mailer.com": [ip] };

test.each<[rule: string, allowed: boolean, terms: string, host: string, records?: Records]>([
  ["by a range", true, "ip4:198.51.100.0/24", "smtp.mailer.com", mailerIp],
  ["out of a range", false, "ip4:198.51.100.0/30", "smtp.mailer.com", mailerIp],
  ["by IPv6", true, "ip6:2001:db8::/32", "mailer.net", { "AAAA mailer.net": ["2001:db8::7"] }],
  ["by mx", true, "mx", ip, { "MX example.com": ["in.example.com"], "A in.example.com": [ip] }],
  ["by a", true, "a:mx.other.com", ip, { "A mx.other.com": [ip] }],
  ["by redirect", true, "redirect=_spf.mailer.com", "smtp.mailer.com"],
  ["only to be refused", false, `-ip4:${ip} ip4:x -all`, "smtp.mailer.com", mailerIp],
  ["at the site", true, "a", "127.0.0.1", { "A example.com": [ip], "A www.example.com": [ip] }],
  ["under another name", true, "include:_spf.google.com", "smtp.gmail.com"],
  ["of a neighbor", false, "include:spf.other.co.uk", "smtp.mailer.co.uk"],
])("an SPF record with the service %s: %s", async (_rule, allowed, terms, host, records) => {
  const changes = { ...through(`smtp://${host}`), dkimSelector: undefined };
  const [line] = await read({ ...spf(`v=spf1 ${terms}`), ...records }, changes);
  expect(line).toMatch(allowed ? /^right: .* allows/ : /^wrong: .* does not allow/);
});

test.each<[line: string, records: Records, changes?: Partial<Sender>]>([
  ["wrong: example.com has no SPF record, which says who may send for it", spf("v=spf10")],
  ["wrong: example.com has 2 SPF records, and receivers use none", spf("v=spf1 a", "v=spf1")],
  ["wrong: The SPF record of example.com allows every server", spf("v=spf1 +all")],
  [
    "wrong: The SPF record of example.com needs more than 10 lookups",
    spf("v=spf1 include:example.com"),
  ],
  ["wrong: There is no DKIM key at two._domainkey.example.com", {}, { dkimSelector: "two" }],
  [
    "wrong: The DKIM key at one._domainkey.example.com was withdrawn",
    { "TXT one._domainkey.example.com": ["v=DKIM1; p="] },
  ],
  ["unknown: DKIM was not checked: set DKIM_SELECTOR", {}, { dkimSelector: undefined }],
  [
    "wrong: example.com has no DMARC record, which large mail services demand",
    { "TXT _dmarc.example.com": ["v=DMARC10"] },
  ],
  ["right: The DMARC policy of example.com is reject", {}, { from: "a@mail.example.com" }],
])("%s", async (line, records, changes) => {
  expect(await read(records, changes)).toContain(line);
});

test("without SPF for the service, DKIM suffices, and the account of another domain is named", async () => {
  const account = through("smtp://ada%40other.com:secret@smtp.other.com");
  const text =
    "The SPF record of example.com does not allow smtp.other.com (the account there is of other.com)";
  expect((await read({}, account))[0]).toBe(`unknown: ${text}`);
  expect((await read({}, { ...account, dkimSelector: undefined }))[0]).toBe(`wrong: ${text}`);
});

test("Resend sends by Amazon, from a subdomain and with a key of its own name", async () => {
  const found = await read({}, { service: { resendApiKey: "re_1" }, dkimSelector: undefined });
  expect(found.slice(0, 2)).toEqual([
    "right: The SPF record of send.example.com allows amazonses.com",
    "wrong: There is no DKIM key at resend._domainkey.example.com",
  ]);
});

test("without DNS nothing is known", async () => {
  const refused = Object.assign(new Error(), { code: "ECONNREFUSED" });
  await expect(
    readSender(sender, { ...dnsOf(complete), resolveTxt: () => Promise.reject(refused) }),
  ).rejects.toBe(refused);
  // A network that knows no name at all.
  await expect(readSender(sender, dnsOf({}))).rejects.toThrow("top-level");
});
