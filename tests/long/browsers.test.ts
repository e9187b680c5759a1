// One flow in Firefox and WebKitGTK, against the built site. A browser that is not installed is skipped; with
// BROWSERS=required (`npm run test:browsers`) one must be.
import { expect, onTestFinished, test } from "vitest";
import { findBrowsers, installHint } from "../browsers/browsers.ts";
import { takeProblems, withScript } from "../browsers/page-problems.ts";
import { byText, Tab } from "../browsers/tab.ts";
import { startFaultyProxy } from "../faulty-proxy.ts";
import { freePort } from "../free-port.ts";
import { ownerAccount as owner } from "../prepared-data-dir.ts";
import { startNewSite } from "../start-site.ts";

const browsers = findBrowsers();

test.runIf(process.env.BROWSERS === "required")("a browser is installed", () => {
  expect(
    browsers.map(({ start }) => start !== null),
    installHint,
  ).toContain(true);
});

for (const { name, start } of browsers) {
  test.skipIf(!start)(
    `${name}: a visitor writes, and the owner publishes`,
    {
      timeout: 180_000,
    },
    async () => {
      if (!start) return;
      const failedRequests: string[] = [];
      const port = await freePort();
      const proxy = await startFaultyProxy(`http://127.0.0.1:${port}`, (response) => {
        if (response.status >= 400) failedRequests.push(`${response.status} ${response.path}`);
        return withScript(response);
      });
      onTestFinished(() => proxy.stop());
      const options = { port };
      const site = await startNewSite({ SITE_URL: proxy.url }, options);
      onTestFinished(() => site.stop());
      const browser = await start();
      onTestFinished(() => browser.close());
      const tab = new Tab(browser, proxy.url);

      await tab.open("/", 390);
      const blog = `//header//a${byText("Blog")}`;
      await tab.expectHidden(blog);
      await tab.click("//header//summary");
      await tab.click(blog);
      await tab.arrived("/blog");
      await tab.expectHidden(blog);

      await tab.open("/savings-calculator");
      await tab.press("Project Savings");
      await tab.see("$1,193,434");

      await tab.open("/contact");
      await tab.type("Full Name", "Ada Lovelace");
      await tab.type("Email Address", "ada@example.com");
      await tab.type("Your Message", "Could we talk next week?");
      await tab.press("Send Message");
      await tab.see("Thanks for reaching out. I'll be in touch shortly.");
      await tab.until("the form is empty", 'document.querySelector("[name=message]").value === ""');

      await tab.open("/testimonials");
      await tab.press("Leave a Review");
      await tab.type("Your Name", "Grace");
      await tab.type("Your Review", "Clear and kind.");
      await tab.press("Submit Review");
      await tab.find('//main//figure[contains(., "Grace")]');

      await tab.open("/login");
      await tab.type("Email", owner.email);
      await tab.type("Password", owner.password);
      await tab.press("Log In");
      await tab.arrived("/blog");
      await tab.open("/blog/new");
      await tab.type("Title", "A post");
      await tab.type("Category", "Testing");
      await tab.type("Content", "The first paragraph.");
      await tab.upload("docs/design/home-390.webp");
      await tab.see("Image Uploaded");
      await tab.press("Publish Post");
      await tab.arrived("/blog");
      await tab.find('//article[contains(., "A post")]');
      await tab.until(
        "its image is shown",
        '[...document.querySelectorAll("article img")].some((image) => /\\.webp/.test(image.currentSrc) && image.naturalWidth > 1)',
      );

      // The slug check requests a single row and gets 406 when the slug is free.
      const isFree = /^406 \/rest\/v1\/posts\?select=slug/;
      expect(failedRequests.filter((request) => !isFree.test(request))).toEqual([]);
      expect(await tab.evaluate(takeProblems)).toEqual([]);
    },
  );
}
