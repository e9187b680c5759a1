// A site for the tests of one file, which change what every page shows or read the site's mails.
import { type SmtpServer, startSmtp } from "../smtp-server.ts";
import { startNewSite } from "../start-site.ts";
import { test as base } from "./test.ts";

interface OwnSite {
  /** Receives the site's mails. */
  smtp: SmtpServer;
}

/** A function, because Playwright gives files with the same fixtures the same site. */
export function ownSiteTest() {
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
        const site = await startNewSite({ SMTP_URL: smtp.url, ...siteEnvironment });
        await use(site);
        await site.stop();
      },
      { scope: "worker", timeout: 120_000 },
    ],
  });
}
