import { isLoopback } from "../settings.ts";
import { type Check, problem, type SiteFacts, warning } from "./check.ts";

/** How the site runs: its address, proxies, mail, accounts, backup and disk. */
export function checkOperation(facts: SiteFacts): Check[] {
  return [
    ...checkAddress(facts),
    ...checkProxies(facts),
    ...checkMail(facts),
    ...checkOwner(facts),
    ...checkMachine(facts),
  ];
}

/** Whether only this machine can open a URL. */
export function isLoopbackUrl(url: string): boolean {
  const hostname = URL.parse(url)?.hostname ?? "";
  return isLoopback(hostname) || hostname.endsWith(".localhost");
}

function checkAddress({ address }: SiteFacts): Check[] {
  const { siteUrl, isSet, answer } = address;
  const check = (id: string, text: string) => [problem(id, "SITE_URL", text)];
  if (!isSet) {
    return check(
      "site-url-missing",
      "SITE_URL is not set: set it to the public address of the site.",
    );
  }
  const url = URL.parse(siteUrl);
  if (url?.pathname !== "/" || url.search !== "" || url.hash !== "") {
    return check(
      "site-url-path",
      "SITE_URL has a path: set it to the public address alone, such as https://www.example.com.",
    );
  }
  if (isLoopbackUrl(siteUrl)) {
    return check(
      "site-url-loopback",
      `SITE_URL is ${siteUrl}, which only this machine can reach: set it to the public address of the site.`,
    );
  }
  const checks: Check[] = [];
  if (url.protocol !== "https:") {
    checks.push(
      ...check(
        "site-url-http",
        `SITE_URL is ${siteUrl}, without encryption: serve the site over TLS and set SITE_URL to its https address.`,
      ),
    );
  }
  if (answer === "another site") {
    checks.push(
      ...check(
        "site-url-answer",
        `At ${siteUrl} another site answers: point the domain to this site, or correct SITE_URL.`,
      ),
    );
  } else if (answer && answer !== "this site") {
    checks.push(
      ...check(
        "site-url-answer",
        `At ${siteUrl} this site does not answer (${answer.problem}): check the domain, the proxy and SITE_URL.`,
      ),
    );
  }
  return checks;
}

function checkProxies({ address }: SiteFacts): Check[] {
  const { siteUrl, trustedProxies, forwarded } = address;
  const url = URL.parse(siteUrl);
  if (!forwarded || !url || isLoopbackUrl(siteUrl)) return [];
  const checks: Check[] = [];
  const { hops, fromProxy, host, protocol } = forwarded;
  if (fromProxy && hops > 0 && trustedProxies === 0) {
    checks.push(
      problem(
        "trusted-proxies",
        "TRUSTED_PROXIES",
        "A proxy stands in front of the site, so all visitors share one rate limit: set TRUSTED_PROXIES to the number of proxies.",
      ),
    );
  }
  if (trustedProxies > hops) {
    checks.push(
      problem(
        "trusted-proxies",
        "TRUSTED_PROXIES",
        `TRUSTED_PROXIES is ${trustedProxies}, but requests pass ${hops}, so visitors can invent their address: correct TRUSTED_PROXIES.`,
      ),
    );
  }
  if (fromProxy && host && host !== url.host) {
    checks.push(
      warning(
        "forwarded-host",
        "SITE_URL",
        `The proxy forwards requests for ${host}, but SITE_URL is ${siteUrl}: redirect the other domain, or correct SITE_URL.`,
      ),
    );
  }
  if (fromProxy && protocol && `${protocol}:` !== url.protocol) {
    checks.push(
      warning(
        "forwarded-protocol",
        "SITE_URL",
        `The proxy forwards requests over ${protocol}, but SITE_URL is ${siteUrl}: redirect ${protocol} at the proxy, or correct SITE_URL.`,
      ),
    );
  }
  return checks;
}

function checkMail({ mail }: SiteFacts): Check[] {
  if (!mail) return [];
  if (!mail.isConfigured) {
    return [
      problem(
        "no-mail",
        "SMTP_URL",
        "Messages are stored and not mailed: set SMTP_URL or RESEND_API_KEY.",
      ),
    ];
  }
  if (mail.isHeld) {
    return [
      problem(
        "mail-held",
        "npm run restore -- --live",
        "Outgoing mail is held, because this site was restored from a backup: run npm run restore -- --live if it is the live site.",
      ),
    ];
  }
  if (mail.problem === null) return [];
  return [
    problem(
      "mail-unreachable",
      "SMTP_URL",
      `The mail service cannot be used (${mail.problem}): correct SMTP_URL or RESEND_API_KEY.`,
    ),
  ];
}

function checkOwner({ owner }: SiteFacts): Check[] {
  const checks: Check[] = [];
  if (owner?.hasDefaultEmail) {
    checks.push(
      problem(
        "default-owner",
        "/manage/account",
        "The owner's account is still owner@example.com: change its e-mail address under /manage/account.",
      ),
    );
  }
  if (owner?.hasGeneratedPassword) {
    checks.push(
      warning(
        "generated-password",
        "/manage/account",
        "The owner still has the password that was printed at the first start: choose another one under /manage/account.",
      ),
    );
  }
  return checks;
}

/** In milliseconds. */
const backupAge = 48 * 60 * 60_000;
const gigabyte = 1024 ** 3;

function checkMachine({ machine, now }: SiteFacts): Check[] {
  if (!machine) return [];
  const { lastBackup, freeBytes } = machine;
  const checks: Check[] = [];
  if (!lastBackup) {
    checks.push(
      warning("backup", "npm run backup", "There is no backup yet: run npm run backup every day."),
    );
  } else if (now.getTime() - lastBackup.getTime() > backupAge) {
    const day = lastBackup.toISOString().slice(0, 10);
    checks.push(
      warning(
        "backup",
        "npm run backup",
        `The last backup is of ${day}, more than 48 hours ago: run npm run backup every day.`,
      ),
    );
  }
  if (freeBytes < gigabyte) {
    const free = `${Math.round(freeBytes / 1024 ** 2)} MB`;
    const check = freeBytes < gigabyte / 4 ? problem : warning;
    checks.push(
      check("disk", "DATA_DIR", `Only ${free} are free on the disk of DATA_DIR: make room there.`),
    );
  }
  return checks;
}
