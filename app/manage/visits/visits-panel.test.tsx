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
  const value = { days, top: [], needsKey: false, isHosted: false, ...visits };
  const Stub = createRoutesStub([
    { path: "/", Component: () => <VisitsPanel visits={{ value }} period={30} isOn={isOn} /> },
  ]);
  return renderToString(<Stub />);
}

test("a site that counts and has no visits yet says so", () => {
  const html = render({});
  expect(html).toContain("No visits counted yet");
  expect(html).not.toContain("VISITS_KEY");
});

test("a hosted project without a key explains how to switch counting on", () => {
  const html = render({ isHosted: true, needsKey: true });
  expect(html).toContain("Visits are not counted yet");
  expect(html).toContain("Create a key");
});

test("a hosted project with a key but without visits names the setting to compare", () => {
  const html = render({ isHosted: true });
  expect(html).toContain("VISITS_KEY");
  expect(html).toContain("Create another key");
});

test("while counting is off, the panel says so and still shows earlier counts", () => {
  const html = render({ days: days.map((day) => ({ ...day, loads: 7 })) }, false);
  expect(html).toContain("switched off");
  expect(html).toContain('aria-valuetext="Sun, Nov 22, 2026: 7 page loads, 1 message, 0 reviews"');
  expect(html).not.toContain("No visits counted yet");
});
