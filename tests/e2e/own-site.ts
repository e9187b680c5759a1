// A site for the tests of one file, which change what every page shows or read the site's mails.
import { type SmtpServer, startSmtp } from "../smtp-server.ts";
import { type NewSiteOptions, startNewSite } from "../start-site.ts";
import { test as base } from "./test.ts";

interface OwnSite {
  /** Receives the site's mails. */
  smtp: SmtpServer;
}

/**
 * @param environment of the site, in addition to that of the project
 * @param options of the site
 *
 * A function, because Playwright gives files with the same fixtures the same site.
 */
export function ownSiteTest(environment = {}, options: NewSiteOptions = {}) {
  return base.extend<object, OwnSite>({
    smtp: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright requires an object pattern as the first parameter.
      async ({}, use) => {
        const smtp = await startSmtp();
        await use(smtp);
        smtp.server.close();
      },
      { scope: "worker" },
    ],

    site: [
      async ({ siteEnvironment, smtp }, use) => {
        const all = { SMTP_URL: smtp.url, ...siteEnvironment, ...environment };
        const site = await startNewSite(all, options);
        await use(site);
        await site.stop();
      },
      { scope: "worker", timeout: 120_000 },
    ],
  });
}
