import { mkdtempSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, describe, expect, test } from "vitest";
import { wideHeight } from "../../app/config/image-address.ts";
import { findImageProblem } from "./check-image.ts";
import { makeVariant } from "./make-variant.ts";
import { damaged } from "./reduce-image.ts";

const folder = mkdtempSync(join(tmpdir(), "check-image-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Pixels that compress badly, so that a part of the file is as much of the image. Few, because encoding them is slow. */
function noise(width: number, height: number) {
  const noise = { type: "gaussian", mean: 128, sigma: 60 } as const;
  return sharp({ create: { width, height, channels: 3, background: "red", noise } });
}

async function problemOf(bytes: Buffer): Promise<string | null> {
  const path = join(folder, crypto.randomUUID());
  await writeFile(path, bytes);
  return findImageProblem(path);
}

/** The sizes in which no variant can be made. */
async function failedSizes(bytes: Buffer): Promise<string[]> {
  const failed: string[] = [];
  // The decoder shrinks a JPEG of 660 pixels for the first size.
  for (const width of [320, 640]) {
    for (const height of [null, wideHeight(width)]) {
      const shape = { width, height, format: "webp" } as const;
      await makeVariant(bytes, shape).catch(() => failed.push(`${width} x ${height}`));
    }
  }
  return failed;
}

const whole = (bytes: Buffer) => bytes;
const without = (count: number) => (bytes: Buffer) => bytes.subarray(0, -count);
const part = (share: number) => (bytes: Buffer) => bytes.subarray(0, bytes.length * share);
const before = (end: Buffer) => (bytes: Buffer) => Buffer.concat([bytes, end]);

const photo = [
  ["baseline", false, 1],
  ["progressive", true, 1],
  ["baseline, stored sideways", false, 6],
  ["progressive, stored sideways", true, 6],
] as const;
const cases: [string, string | null, (bytes: Buffer) => Buffer][] = [
  ["whole", null, whole],
  ["without its end marker", null, without(2)],
  ["with half of its end marker", null, without(1)],
  ["before other bytes", null, before(Buffer.alloc(99, 7))],
  ["cut off at 95 percent", damaged, part(0.95)],
  ["cut off in the middle", damaged, part(0.5)],
];

describe.each(photo)("a %s JPEG", async (_kind, progressive, orientation) => {
  const jpeg = noise(660, 60).jpeg({ progressive }).withMetadata({ orientation });
  const bytes = await jpeg.toBuffer();

  test.each(cases)("%s: %s; without a problem it is served in every size", async (...each) => {
    const [, problem, change] = each;
    expect(await problemOf(change(bytes))).toBe(problem);
    if (!problem) expect(await failedSizes(change(bytes))).toEqual([]);
  });
});

test.each(["png", "gif", "webp"] as const)(
  "a %s that is accepted after bytes were lost is served in every size",
  async (format) => {
    const bytes = await noise(330, 40).toFormat(format).toBuffer();
    const accepted: number[] = [];
    for (const count of [0, 1, 4, 12, 50, bytes.length / 2]) {
      const rest = bytes.subarray(0, bytes.length - count);
      if ((await problemOf(rest)) !== null) continue;
      accepted.push(count);
      expect(await failedSizes(rest), String(count)).toEqual([]);
    }
    expect(accepted).toContain(0);
    expect(accepted).not.toContain(bytes.length / 2);
  },
);

const drawing = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: "#1e4a4080" } });
const frames = Promise.all([noise(90, 60), drawing(90, 60)].map((each) => each.png().toBuffer()));
const animation = async () => sharp(await frames, { join: { animated: true } });

test.each([
  ["a CMYK JPEG", () => noise(90, 60).toColourspace("cmyk").jpeg()],
  ["a gray JPEG", () => noise(90, 60).toColourspace("b-w").jpeg()],
  ["a PNG of 16 bits", () => noise(90, 60).toColourspace("rgb16").png()],
  ["a gray PNG of 16 bits", () => noise(90, 60).toColourspace("grey16").png()],
  ["an interlaced PNG", () => noise(90, 60).png({ progressive: true })],
  ["a PNG with two colors", () => noise(90, 60).png({ palette: true, colours: 2 })],
  ["a transparent PNG", () => drawing(300, 200).png()],
  ["a lossless WebP", () => noise(90, 60).webp({ lossless: true })],
  ["an animated GIF", async () => (await animation()).gif()],
  ["an animated WebP", async () => (await animation()).webp()],
  ["an image of one pixel", () => noise(1, 1).png()],
  // No format that visitors get is that high.
  ["a very high image", () => drawing(20, 70_000).png()],
  ["a high image", () => drawing(100, 17_000).png()],
  ["a very wide image", () => drawing(70_000, 20).png()],
])("%s is accepted, and served in every size", async (_what, make) => {
  const bytes = await (await make()).toBuffer();
  expect(await problemOf(bytes)).toBeNull();
  expect(await failedSizes(bytes)).toEqual([]);
});

test.each([
  ["an empty file", Buffer.alloc(0)],
  ["a HEIC file", Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic", "latin1")],
  ["the first bytes of a PNG alone", Buffer.from("\x89PNG\r\n\x1a\n", "latin1")],
  ["the first bytes of a JPEG alone", Buffer.from("\xff\xd8\xff\xe0", "latin1")],
])("%s is rejected", async (_what, bytes) => {
  expect(await problemOf(bytes)).toBe(damaged);
});

test("a large image is decoded in another process, with the same result", async () => {
  const large = { create: { width: 2400, height: 1600, channels: 3, background: "tan" } } as const;
  const jpeg = await sharp(large).jpeg({ progressive: true }).toBuffer();
  expect(await problemOf(jpeg)).toBeNull();
  expect(await problemOf(jpeg.subarray(0, jpeg.length / 2))).toBe(damaged);
});

test("another process says as well what is wrong with an image", async () => {
  const all = { progressive: true, chromaSubsampling: "4:4:4" };
  const jpeg = await noise(30, 30).jpeg(all).toBuffer();
  const frame = jpeg.indexOf(Buffer.from("ffc2", "hex"));
  jpeg.writeUInt16BE(9000, frame + 5);
  jpeg.writeUInt16BE(9000, frame + 7);
  const problem =
    /a progressive JPEG like this may have at most 54 megapixels, and this one has 81/;
  expect(await problemOf(jpeg)).toMatch(problem);
  expect(await problemOf(Buffer.concat([jpeg, Buffer.alloc(5_000_000)]))).toMatch(problem);
});
