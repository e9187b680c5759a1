import { ownSiteTest } from "./own-site.ts";
import { expect } from "./test.ts";
import { Walk } from "./walk.ts";
import { arriveLate } from "./walk-late.ts";
import { addContent, inRandomOrder, startAs } from "./walker.ts";

const test = ownSiteTest();

// Without a mail service, an invitation shows its link.
test.use({ siteEnvironment: { SMTP_URL: "" } });

const phone = { width: 390, height: 844 };
const desktop = { width: 1280, height: 800 };
const walks = [
  { walker: "visitor", viewport: phone, late: "data" },
  { walker: "visitor", viewport: desktop, late: "scripts" },
  { walker: "owner", viewport: phone, late: "data" },
  { walker: "owner", viewport: desktop, late: "scripts" },
  { walker: "editor", viewport: phone, late: "scripts" },
  { walker: "assistant", viewport: phone, late: "data" },
] as const;

for (const { walker, viewport, late } of walks) {
  test.describe(() => {
    test.use({ viewport });

    test(`as ${walker}, ${viewport.width} px wide, with late ${late}, every link and button shows a page`, async ({
      page,
      owner,
      visitor,
    }) => {
      // The owner's has about 200 presses, each with answers that are held back.
      test.setTimeout(1_200_000);
      await addContent(owner, visitor);
      await startAs(walker, page, owner);
      await arriveLate(page, late);
      const seed = Number(process.env.WALK_SEED ?? Date.now() % 1_000_000);
      console.log(`${walker}, ${viewport.width} px: WALK_SEED=${seed}`);
      const walk = new Walk(page, {
        ...{ amongVisitorsPages: walker === "visitor", byAddress: true },
        ...{ buttons: true, order: inRandomOrder(seed) },
      });
      await walk.run();

      console.log(`Pressed ${walk.presses} times, also ${[...walk.buttonsPressed].join("; ")}`);
      console.log(`Not pressed: ${[...walk.notPressed, ...walk.buttonsNotPressed].join("; ")}`);
      // It leads to the first tab, for older links.
      const former = ["/manage/settings"];
      if (walker === "owner") expect(walk.notFound({ owners: true })).toEqual(former);
      // A visitor has 10 or 11, as the button of a chart comes with late scripts.
      expect(walk.buttonsPressed.size).toBeGreaterThanOrEqual(10);
    });
  });
}
