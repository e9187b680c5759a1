import { expect, test } from "./test.ts";
import { Walk } from "./walk.ts";
import { removeWalkers, startAs, walkers } from "./walker.ts";

/** The pages to which no link leads on a site without pages of the owner's own. Mails have links to some. */
const withoutLink = {
  visitor: ["/blog/preview/:token", "/confirm", "/:slug", "/*"],
  owner: ["/manage/pages/:slug/edit"],
};

test.afterEach(({ owner }) => removeWalkers(owner));

for (const walker of walkers) {
  test(`as ${walker}, every link of every kind of page opens a page, and Back the one before`, async ({
    page,
    owner,
  }, info) => {
    test.setTimeout(600_000);
    await startAs(walker, page, owner);
    const walk = new Walk(page, {
      amongVisitorsPages: walker === "visitor",
      // An editor and an assistant have a part of the owner's pages.
      byAddress: walker === "visitor" || walker === "owner" ? "once" : "never",
    });
    await walk.run();

    info.annotations.push({
      type: "not pressed",
      description: [...walk.linksNotPressed].join(" "),
    });
    if (walker === "visitor") expect(walk.notFound({ owners: false })).toEqual(withoutLink.visitor);
    if (walker === "owner") expect(walk.notFound({ owners: true })).toEqual(withoutLink.owner);
    expect(walk.presses).toBeGreaterThan(40);
  });
}
