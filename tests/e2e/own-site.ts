// A site of their own for tests that change what every page shows, or accounts that other tests use.
import { type SmtpServer, startSmtp } from "../smtp-server.ts";
import { type NewSite, startNewSite } from "../start-site.ts";
import { test as base } from "./test.ts";

interface OwnSite {
  /** Environment variables of the site. */
  siteEnvironment: Record<string, string>;
  /** Receives the mails of the site. */
  smtp: SmtpServer;
  site: NewSite;
}

/** Playwright's test on a new site, which the tests of a worker share. */
export const test = base.extend<object, OwnSite>({
  siteEnvironment: [{}, { option: true, scope: "worker" }],

  smtp: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants to see what a fixture uses.
    async ({}, use) => {
      const smtp = await startSmtp();
      await use(smtp);
      smtp.server.close();
    },
    { scope: "worker" },
  ],

  site: [
    async ({ siteEnvironment, smtp }, use) => {
      const site = await startNewSite({ SMTP_URL: smtp.url, ...siteEnvironment });
      await use(site);
      await site.stop();
    },
    { scope: "worker" },
  ],

  siteUrl: [async ({ site }, use) => use(site.url), { scope: "worker" }],
});
