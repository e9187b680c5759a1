import sharp from "sharp";
import { expect, test } from "vitest";
import { fitLines, loadTypeface } from "./outline-text.ts";
import { shareImagePath } from "./share-address.ts";
import { drawShareSvg } from "./share-drawing.ts";
import { pageOfImage, shareImageResponse } from "./share-image.ts";

const typeface = loadTypeface(["@fontsource/newsreader/files/newsreader-latin-500-normal.woff"]);
const room = {
  width: 920,
  steps: [
    { size: 92, lines: 2 },
    { size: 66, lines: 4 },
  ],
};

test.each([
  ["a short title", "Life"],
  ["a title of two lines", "How Much Life Insurance Is Enough for a Family?"],
  ["400 characters", "Retirement, taxes and family. ".repeat(14)],
  ["one word of 400 characters", "Pneumono".repeat(50)],
])("%s fits its room", (_what, text) => {
  const { size, lines } = fitLines(typeface, text.trim(), room);
  expect(lines.length).toBeLessThanOrEqual(size === 92 ? 2 : 4);
  for (const line of lines) expect(typeface.measure(line, size)).toBeLessThanOrEqual(920);
  const whole = lines.join(" ").replace(/ /g, "") === text.replace(/ /g, "");
  expect(whole || lines.at(-1)?.endsWith("…")).toBe(true);
});

test("a short title is set larger than a long one", () => {
  expect(fitLines(typeface, "Life", room).size).toBe(92);
  expect(fitLines(typeface, "Life ".repeat(60).trim(), room).size).toBe(66);
});

test("characters that the type lacks are left out", () => {
  expect(typeface.readable(" 退職計画 \n Plan 🎉 2026 ")).toBe("Plan 2026");
});

test.each(["How Much Life Insurance Is Enough?", "退職計画", "<b>&\"'</b>", "x".repeat(500), ""])(
  "the outlines of %j are numbers, and no text is left to set",
  (headline) => {
    const svg = drawShareSvg({ label: headline, headline });
    expect(svg).not.toMatch(/NaN|undefined|<text|<b>/);
    expect(svg.match(/<path/g)?.length).toBeGreaterThan(5);
  },
);

test("the answer is a PNG of 1200 x 630 that is drawn once", async () => {
  const text = { label: "Taxes", headline: "A headline" };
  const [one, other] = await Promise.all([
    shareImageResponse(text, "no-store"),
    shareImageResponse({ ...text }, "public"),
  ]);
  const bytes = new Uint8Array(await one.arrayBuffer());
  expect(await sharp(bytes).metadata()).toMatchObject({ format: "png", width: 1200, height: 630 });
  expect(bytes.length).toBeLessThan(80_000);
  expect(new Uint8Array(await other.arrayBuffer())).toEqual(bytes);
  expect(other.headers.get("cache-control")).toBe("public");
});

test("each page has an address for its image, which changes with the page", () => {
  expect(shareImagePath("/")).toBe("/share/home.png");
  expect(shareImagePath("/blog?page=2")).toBe("/share/blog.png");
  expect(shareImagePath("/blog/a", "2026-01-01T00:00:00Z")).toBe(
    "/share/blog/a.png?t=1767225600000",
  );
  expect(pageOfImage("a.png")).toBe("a");
  expect(pageOfImage("a.jpg")).toBeNull();
});
