import sharp, { type Sharp } from "sharp";
import { expect, test } from "vitest";
import { findSizeProblem } from "./decoding-memory.ts";

const small = (channels: 3 | 4 = 3) =>
  sharp({ create: { width: 16, height: 16, channels, background: "tan" } });
const jpeg = { progressive: true, chromaSubsampling: "4:4:4" };
const progressive = () => small().jpeg({ progressive: true });
/** Changes bytes of a JPEG. @param changes by their distance from the first marker */
const patch = (marker: string, changes: Record<number, number>) => (bytes: Buffer) => {
  const at = bytes.indexOf(Buffer.from(marker, "hex"));
  for (const [offset, value] of Object.entries(changes)) bytes[at + Number(offset)] = value;
};
const oneComponentInScan = patch("ffda", { 4: 1 });
const sameFactors = patch("ffc2", { 11: 0x22, 14: 0x22, 17: 0x22 });

/** The problem of a file whose header declares so many megapixels. */
async function problemOf(image: Sharp, megapixels: number, change = (_bytes: Buffer) => {}) {
  const bytes = await image.toBuffer();
  const metadata = await sharp(bytes).metadata();
  change(bytes);
  const size = { width: 5000, height: megapixels * 200 };
  return findSizeProblem(bytes, { ...metadata, ...size, autoOrient: size });
}

const png = { progressive: true };
test.each<[string, Sharp, number, ((bytes: Buffer) => void)?]>([
  ["a baseline JPEG", small().jpeg(), 100],
  ["a progressive JPEG", progressive(), 100],
  ["a progressive JPEG with all colors", small().jpeg(jpeg), 54],
  ["a progressive JPEG with all colors, in other words", progressive(), 54, sameFactors],
  [
    "a JPEG with several scans",
    small().jpeg({ ...jpeg, progressive: false }),
    54,
    oneComponentInScan,
  ],
  ["a progressive CMYK JPEG", small().toColourspace("cmyk").jpeg(jpeg), 41],
  ["a PNG", small(4).png(), 100],
  ["an interlaced PNG", small().png(png), 88],
  ["a transparent interlaced PNG", small(4).png(png), 66],
  ["an interlaced PNG of 16 bits", small(4).toColourspace("rgb16").png(png), 33],
  ["a GIF", small().gif(), 60],
  ["a WebP image", small().webp(), 60],
  ["an AVIF image", small().avif({ effort: 0 }), 18],
])(
  "%s may have as many pixels as its decoder has memory for",
  async (_kind, image, most, change) => {
    expect(await problemOf(image, most, change)).toBeNull();
    expect(await problemOf(image, most + 1, change)).toContain(`at most ${most} megapixels`);
  },
);

test("the sentence about an image that is too large says what to do", async () => {
  expect(await problemOf(small().gif(), 80)).toBe(
    "The image is too large: a GIF may have at most 60 megapixels, and this one has 80. Please export it as a PNG or JPEG, or scaled to at most 4,355 x 13,937 pixels",
  );
  expect(await problemOf(small().jpeg(), 144)).toBe(
    "The image is too large: at most 100 megapixels, and this one has 144. Please export it scaled to at most 4,166 x 24,000 pixels",
  );
});

test("rows may be as long as the memory for 2,000 of them allows", async () => {
  const problemOfShape = async (image: Sharp, width: number, height: number) => {
    const bytes = await image.toBuffer();
    const metadata = await sharp(bytes).metadata();
    return findSizeProblem(bytes, { ...metadata, width, height, autoOrient: { width, height } });
  };
  const deep = () => small(4).toColourspace("rgb16").png();
  expect(await problemOfShape(deep(), 20_000, 5_000)).toBeNull();
  expect(await problemOfShape(small().jpeg(), 40_000, 2_500)).toBeNull();
  const problem = await problemOfShape(deep(), 100_000, 1_000);
  const [, width = "", height = ""] =
    /at most ([\d,]+) x ([\d,]+) pixels$/.exec(problem ?? "") ?? [];
  const scaled = [width, height].map((side) => Number(side.replace(",", "")));
  expect(await problemOfShape(deep(), scaled[0] ?? 0, scaled[1] ?? 0)).toBeNull();
});
