import { renderToString } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";
import type { Visits } from "./visits.ts";
import VisitsPanel from "./visits-panel.tsx";

const days = ["2026-11-21", "2026-11-22"].map((day) => ({
  day,
  loads: 0,
  messages: 1,
  testimonials: 0,
}));

function render(visits: Partial<Visits>, isOn = true): string {
  const value = { days, top: [], key_created_at: null, isHosted: false, ...visits };
  const Stub = createRoutesStub([
    { path: "/", Component: () => <VisitsPanel visits={{ value }} period={30} isOn={isOn} /> },
  ]);
  return renderToString(<Stub />);
}

test.each([
  ["a site without visits", {}, true, /No visits counted yet(?!.*VISITS_KEY)/],
  ["a hosted project without a key", { isHosted: true }, true, /not counted yet.*Create a key/],
  [
    "a hosted project with a key but without visits",
    { isHosted: true, key_created_at: "2026-11-20T10:00:00Z" },
    true,
    /No visits counted yet.*VISITS_KEY.*Create another key/,
  ],
  ["a site that does not count", {}, false, /switched off(?!.*No visits counted yet)/],
])("%s says so", (_what, visits, isOn, text) => {
  expect(render(visits, isOn)).toMatch(text);
});

test("earlier counts stay visible while counting is off, with each day in words", () => {
  const html = render({ days: days.map((day) => ({ ...day, loads: 7 })) }, false);
  expect(html).toContain('aria-valuetext="Sun, Nov 22, 2026: 7 page loads, 1 message, 0 reviews"');
});
