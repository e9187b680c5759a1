import { renderToString } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";
import { defaultSite } from "../../../tests/default-site.ts";
import { describeChange, toVisits, type VisitDay, type Visits } from "./visits.ts";
import { ShownVisits } from "./visits-panel.tsx";

const period = 7;
const keyCreated = { isHosted: true, key_created_at: "2026-11-20T10:00:00Z" };

/** The two weeks up to November 22, with these visits on the last days. */
function daysWith(...visits: number[]): VisitDay[] {
  return Array.from({ length: 2 * period }, (_, at) => ({
    day: new Date(Date.UTC(2026, 10, 9 + at)).toISOString().slice(0, 10),
    visits: visits[at - 2 * period + visits.length] ?? 0,
    pages: visits[at - 2 * period + visits.length] ?? 0,
    messages: 1,
    testimonials: 0,
  }));
}

type Summary = Parameters<typeof toVisits>[0];

function render(summary: Partial<Summary & Visits>, isOn = true): string {
  const { isHosted = false, ...rest } = summary;
  const parts = { days: daysWith(), top: [], key_created_at: null, began: null, ...rest };
  const value = { ...toVisits(parts, period), isHosted };
  const panel = <ShownVisits visits={value} isOn={isOn} />;
  const Stub = createRoutesStub([
    { id: "root", path: "/", Component: () => panel, loader: () => ({ site: defaultSite }) },
  ]);
  const hydrationData = { loaderData: { root: { site: defaultSite } } };
  return renderToString(<Stub hydrationData={hydrationData} />).replaceAll("<!-- -->", "");
}

/** Without markup. */
const textOf = (html: string) => html.replace(/<[^>]+>|\s/g, " ").replace(/ +/g, " ");

test.each([
  ["a new site", { began: "2026-11-22" }, /No visits yet Counting began on November 22, 2026\./],
  ["a site that has not begun to count", {}, /No visits yet The next visit(?!.*SITE_KEY)/],
  ["a hosted project without a key", { isHosted: true }, /not counted yet.*Create a key/],
  ["a hosted project without visits", keyCreated, /No visits yet.*SITE_KEY.*Create another key/],
])("%s says so, without empty lists", (_what, summary, text) => {
  const html = textOf(render(summary));
  expect(html).toMatch(text);
  expect(html).not.toMatch(/Most read posts|switched off/);
});

test("earlier counts stay visible while counting is off, with each day in words", () => {
  const html = render({ days: daysWith(7) }, false);
  expect(html).toMatch(/switched off(?!.*No visits yet)/);
  expect(html).toContain(">Sun, Nov 22, 2026</th><td>7</td><td>7</td><td>1</td><td>0</td>");
});

test("a period is compared in words only if counting began before the one before it", () => {
  const days = daysWith(4, 0, 0, 0, 0, 0, 0, 9, 3);
  expect(textOf(render({ began: "2026-11-09", days }))).toContain(
    "12 visits in the last 7 days, 8 more than in the 7 days before.",
  );
  const later = textOf(render({ began: "2026-11-10", days }));
  expect(later).toContain("12 visits in the last 7 days. Counting began on November 10, 2026.");
  expect(later).toContain("From November 23, 2026, this page also compares");
  expect(later).not.toMatch(/more|fewer|as many/);
});

test("a period in which counting began has only the days since then", () => {
  const html = textOf(render({ began: "2026-11-21", days: daysWith(9, 3) }));
  expect(html).toContain("12 visits since counting began on November 21, 2026.");
  expect(html).toContain("Messages 2");
  expect(html).not.toContain("Nov 20");
});

test("pages have titles, also those that are gone, and clicks are counted by what they open", () => {
  const row = { title: null, count: 2, before: 5 };
  const html = render({
    began: "2026-01-01",
    days: daysWith(9, 3),
    top: [
      { ...row, kind: "post", key: "/blog/term", title: "Term or Whole Life?" },
      { ...row, kind: "post", key: "/blog/a-deleted-post" },
      { ...row, kind: "page", key: "/services/life-insurance" },
      { ...row, kind: "page", key: "/blog/category/estate-planning" },
      { ...row, kind: "referrer", key: "direct" },
      { ...row, kind: "referrer", key: "google.com" },
      { ...row, kind: "action", key: "book" },
    ],
  });
  const names = [...html.matchAll(/<a [^>]*href="(\/[^"]*)"[^>]*>([^<]+)<\/a>/g)];
  expect(names.map(([, address, name]) => [address, name])).toEqual([
    ["/blog/term", "Term or Whole Life?"],
    ["/blog/a-deleted-post", "A deleted post"],
    ["/services/life-insurance", "Life Insurance"],
    ["/blog/category/estate-planning", "Posts about estate planning"],
  ]);
  expect(textOf(html)).toContain("What may lead to a talk Clicks on a consultation button 2");
  expect(textOf(html)).toContain("Direct or unknown 2 3 fewer google.com 2 3 fewer");
});

test.each([
  [1204, 4, "1,200\u00a0more"],
  [3, 4, "1\u00a0fewer"],
  [4, 4, "as\u00a0many"],
])("%i after %i is %s", (count, before, change) => {
  expect(describeChange(count, before)).toBe(change);
});
