import { expect, test } from "vitest";
import { panelSpans } from "./service-grid.tsx";

test("the grid has no hole for any number of services, in 2 and in 3 columns", () => {
  for (let cards = 0; cards <= 24; cards += 1) {
    const [, medium, large] =
      panelSpans(cards)
        .match(/^md:col-span-(\d) lg:col-span-(\d)$/)
        ?.map(Number) ?? [];
    expect([cards, (cards + (medium ?? 0)) % 2, (cards + (large ?? 0)) % 3]).toEqual([cards, 0, 0]);
  }
});
