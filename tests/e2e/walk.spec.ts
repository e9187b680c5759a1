import { expect, test } from "./test.ts";
import { Walk } from "./walk.ts";
import { removeWalkers, startAs, walkers } from "./walker.ts";

/** The pages to which no link leads on a site without pages of the owner's own. Mails have links to some. */
const withoutLink = {
  visitor: ["/blog/preview/:token", "/confirm", "/:slug", "/*"],
  // A menu leads to the import. The list of settings leads to its first tab, for older links.
  owner: ["/manage/pages/:slug/edit", "/manage/posts/import", "/manage/settings"],
};

test.afterEach(async ({ page, owner }) => {
  // An open page would ask for what its account may no longer read.
  await page.close();
  await removeWalkers(owner);
});

for (const walker of walkers) {
  // Others than owners see some of an owner's pages.
  const tag = ["visitor", "owner"].includes(walker) ? [] : ["@long"];
  test(
    `as ${walker}, every link of every kind of page opens a page, and Back the one before`,
    {
      tag,
    },
    async ({ page, owner }, info) => {
      // More presses than the longest flow has.
      test.setTimeout(180_000);
      await startAs(walker, page, owner);
      const isVisitor = walker === "visitor";
      const walk = new Walk(page, { amongVisitorsPages: isVisitor, byAddress: isVisitor });
      await walk.run();

      info.annotations.push({ type: "not pressed", description: [...walk.notPressed].join(" ") });
      if (isVisitor) expect(walk.notFound({ owners: false })).toEqual(withoutLink.visitor);
      if (walker === "owner") expect(walk.notFound({ owners: true })).toEqual(withoutLink.owner);
      expect(walk.presses).toBeGreaterThan(20);
    },
  );
}
