import { expect, openPage, test } from "../test.ts";
import { findingsOfPage } from "./axe.ts";

test.use({ expectedErrors: /status of 404/ });

// States of pages are checked where other tests reach them. The pages are split into two tests, so that two processors
// can run them.
for (const [subject, paths] of [
  [
    "on the blog and the services",
    [
      ...["/services", "/services/life-insurance", "/blog", "/blog/a-policy-loan-step-by-step"],
      ...["/blog?page=99", "/blog?q=insurance", "/blog?q=no-such-word"],
      ...["/blog/category/life-insurance", "/blog/category/none"],
    ],
  ],
  [
    "on the home page and the pages with forms",
    [
      ...["/", "/testimonials", "/savings-calculator", "/contact"],
      ...["/login", "/forgot-password", "/confirm", "/no-such-page"],
    ],
  ],
] as const) {
  test(`axe reports no violation ${subject}`, { tag: "@long" }, async ({ page }) => {
    for (const path of paths) {
      await openPage(page, path);
      expect.soft(await findingsOfPage(page), path).toEqual([]);
    }
  });
}
