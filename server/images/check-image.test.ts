import { mkdtempSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, expect, test } from "vitest";
import { wideHeight } from "../../app/config/image-address.ts";
import { findImageProblem } from "./check-image.ts";
import { makeVariant } from "./make-variant.ts";

const folder = mkdtempSync(join(tmpdir(), "check-image-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Pixels that compress badly, so that a part of the file is as much of the image. */
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
  // The decoder shrinks a JPEG by powers of two.
  for (const width of [320, 640, 1600]) {
    for (const height of [null, wideHeight(width)]) {
      const shape = { width, height, format: "webp" } as const;
      await makeVariant(bytes, shape).catch(() => failed.push(`${width} x ${height}`));
    }
  }
  return failed;
}

const damaged = "The image is damaged or incomplete";
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

test.each(
  photo.flatMap(([kind, progressive, orientation]) =>
    cases.map(([state, problem, change]) => ({
      ...{ kind, progressive, orientation, state, problem, change },
    })),
  ),
)("a $kind JPEG $state: $problem; without a problem it is served in every size", async (each) => {
  for (const [width, height] of [
    [400, 300],
    [1000, 700],
  ] as const) {
    const jpeg = noise(width, height).jpeg({ progressive: each.progressive });
    const { orientation } = each;
    const bytes = each.change(await jpeg.withMetadata({ orientation }).toBuffer());
    expect(await problemOf(bytes)).toBe(each.problem);
    if (!each.problem) expect(await failedSizes(bytes)).toEqual([]);
  }
});

test.each(["png", "gif", "webp"] as const)(
  "a %s that is accepted after bytes were lost is served in every size",
  async (format) => {
    const bytes = await noise(500, 400).toFormat(format).toBuffer();
    const accepted: number[] = [];
    for (const count of [0, 1, 4, 12, 50, 5000]) {
      const rest = bytes.subarray(0, bytes.length - count);
      if ((await problemOf(rest)) !== null) continue;
      accepted.push(count);
      expect(await failedSizes(rest), String(count)).toEqual([]);
    }
    expect(accepted).toContain(0);
    expect(accepted).not.toContain(5000);
  },
);
