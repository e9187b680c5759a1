import { createClient } from "@supabase/supabase-js";
import sharp from "sharp";
import { expect, test, vi } from "vitest";
import { toPublicSite } from "../config/public-site.ts";
import { defaultSettings } from "../config/site.ts";
import type { Database } from "../supabase/database.ts";
import { drawShareSvg } from "./draw-share-image.ts";
import { shareImagePath } from "./page-meta.ts";
import { pageOfImage, shareImageResponse } from "./share-image.ts";
import { fitLines, loadTypeface } from "./typeface.ts";

const site = toPublicSite(defaultSettings);
// Without a logo, the client is not used.
const client = createClient<Database>("http://127.0.0.1:9", "key");
const drawn: string[] = [];
vi.mock("./draw-share-image.ts", async (importOriginal) => {
  const original = await importOriginal<typeof import("./draw-share-image.ts")>();
  return {
    ...original,
    drawShareSvg(...args: Parameters<typeof original.drawShareSvg>) {
      drawn.push(`start ${args[1].headline}`);
      return original.drawShareSvg(...args);
    },
  };
});

const typeface = loadTypeface(["@fontsource/newsreader/files/newsreader-latin-500-normal.woff"]);
const frame = {
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
])("%s fits the frame", (_what, text) => {
  const { size, lines } = fitLines(typeface, text.trim(), frame);
  expect(lines.length).toBeLessThanOrEqual(size === 92 ? 2 : 4);
  for (const line of lines) expect(typeface.measure(line, size)).toBeLessThanOrEqual(920);
  const whole = lines.join(" ").replace(/ /g, "") === text.replace(/ /g, "");
  expect(whole || lines.at(-1)?.endsWith("…")).toBe(true);
});

test("a short title is larger than a long one", () => {
  expect(fitLines(typeface, "Life", frame).size).toBe(92);
  expect(fitLines(typeface, "Life ".repeat(60).trim(), frame).size).toBe(66);
});

test("unsupported characters are removed", () => {
  expect(typeface.supportedText(" 退職計画 \n Plan 🎉 2026 ")).toBe("Plan 2026");
});

test.each(["How Much Life Insurance Is Enough?", "退職計画", "<b>&\"'</b>", "x".repeat(500), ""])(
  "the image of %j has valid outlines and no text elements",
  (headline) => {
    const svg = drawShareSvg(site, { label: headline, headline }, null);
    expect(svg).not.toMatch(/NaN|undefined|<text|<b>/);
    expect(svg.match(/<path/g)?.length).toBeGreaterThan(5);
  },
);

test("the response is a PNG of 1200 x 630 that is drawn once", async () => {
  const text = { label: "Taxes", headline: "A headline" };
  const [one, other] = await Promise.all([
    shareImageResponse({ client, site, text, cacheControl: "no-store" }),
    shareImageResponse({ client, site, text: { ...text }, cacheControl: "public" }),
  ]);
  const bytes = new Uint8Array(await one.arrayBuffer());
  expect(await sharp(bytes).metadata()).toMatchObject({ format: "png", width: 1200, height: 630 });
  expect(bytes.length).toBeLessThan(80_000);
  expect(new Uint8Array(await other.arrayBuffer())).toEqual(bytes);
  expect(other.headers.get("cache-control")).toBe("public");
});

test("images are drawn one at a time, also while a cached one is served", async () => {
  const get = (headline: string) =>
    shareImageResponse({
      client,
      site,
      text: { label: "Taxes", headline },
      cacheControl: "no-store",
    }).then(() => {
      drawn.push(`end ${headline}`);
    });
  await get("cached");
  drawn.length = 0;
  const first = get("first");
  await get("cached");
  await Promise.all([first, get("second")]);
  expect(drawn.filter((event) => !event.endsWith("cached"))).toEqual([
    "start first",
    "end first",
    "start second",
    "end second",
  ]);
});

test("the logo of the firm is on the image; a missing, damaged or hostile file leaves its name there", async () => {
  const square = (background: string) =>
    sharp({ create: { width: 84, height: 84, channels: 3, background } });
  const files: Record<string, Buffer | string> = {
    light: await square("#aa3322").png().toBuffer(),
    dark: await square("#33aa22").webp({ lossless: true }).toBuffer(),
    damaged: (await square("#aa3322").png().toBuffer()).subarray(0, 60),
    drawing: '<svg xmlns="http://www.w3.org/2000/svg" width="84" height="84"/>',
  };
  const requested = new Set<string>();
  const storage = createClient<Database>("http://127.0.0.1:9", "key", {
    global: {
      async fetch(input) {
        const url = input instanceof Request ? input.url : String(input);
        requested.add(new URL(".", url).href);
        const file = files[url.split("/").at(-1) ?? ""];
        return file
          ? new Response(Buffer.from(file))
          : Response.json({ message: "Object not found" }, { status: 404 });
      },
    },
  });
  const failures = vi.spyOn(console, "error").mockImplementation(() => {});
  const image = (name: string) => {
    return { src: `images/public/${name}`, alt: "", width: 84, height: 84 };
  };
  /** The color in the middle of the logo, or where the mark is beside the name. */
  async function colorWith(logo: string | null, logoDark: string | null = null) {
    const firm = {
      ...site.firm,
      logo: logo ? image(logo) : null,
      logoDark: logoDark ? image(logoDark) : null,
    };
    const text = { label: "Taxes", headline: "With a logo" };
    const shown = { ...site, firm, monogram: "" };
    const options = { client: storage, site: shown, text, cacheControl: "no-store" };
    const png = await (await shareImageResponse(options)).arrayBuffer();
    const pixel = { left: 118, top: 545, width: 1, height: 1 };
    return (await sharp(png).extract(pixel).removeAlpha().raw().toBuffer()).toString("hex");
  }

  const name = await colorWith(null);
  expect(await colorWith("light")).toBe("aa3322");
  expect(await colorWith("light", "dark")).toBe("33aa22");
  expect(failures).not.toHaveBeenCalled();
  for (const file of ["missing", "damaged", "drawing"]) expect(await colorWith(file)).toBe(name);
  expect(failures).toHaveBeenCalledTimes(3);
  expect([...requested]).toEqual(["http://127.0.0.1:9/storage/v1/object/images/public/"]);
  failures.mockRestore();
});

test("each page has a URL for its share image, which changes with the page and with the settings", () => {
  expect(shareImagePath("/")).toBe("/share/home.png");
  expect(shareImagePath("/blog?page=2")).toBe("/share/blog.png");
  expect(shareImagePath("/blog/a", "2026-01-01T00:00:00Z")).toBe(
    "/share/blog/a.png?t=1767225600000",
  );
  expect(shareImagePath("/", undefined, 7)).toBe("/share/home.png?t=7");
  expect(shareImagePath("/", undefined, 7.20785)).toBe("/share/home.png?t=7");
  expect(shareImagePath("/blog/a", "2026-01-01T00:00:00Z", 7)).toBe(
    "/share/blog/a.png?t=1767225600007",
  );
  expect(pageOfImage("a.png")).toBe("a");
  expect(pageOfImage("a.jpg")).toBeNull();
});
