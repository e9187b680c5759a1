import fc from "fast-check";
import { expect, test } from "vitest";
import { findSizeProblem, isOpaque, largestPart, scaleDown, zoomLimit } from "./crop-image.ts";

const sides = fc.record({
  width: fc.integer({ min: 16, max: 12_000 }),
  height: fc.integer({ min: 16, max: 12_000 }),
});
const aspects = fc.constantFrom(1, 4 / 3, 16 / 9, 3, 2 / 3, 1200 / 630);

test("the largest part of a shape touches two sides of the image", () => {
  expect(largestPart({ width: 4000, height: 3000 }, 1)).toEqual({ width: 3000, height: 3000 });
  expect(largestPart({ width: 3000, height: 4000 }, 1.5)).toEqual({ width: 3000, height: 2000 });
  fc.assert(
    fc.property(sides, aspects, (size, aspect) => {
      const part = largestPart(size, aspect);
      expect(part.width).toBeLessThanOrEqual(size.width);
      expect(part.height).toBeLessThanOrEqual(size.height);
      expect(part.width === size.width || part.height === size.height).toBe(true);
    }),
  );
});

test("the zoom ends where the part in the frame is as narrow as allowed", () => {
  expect(zoomLimit({ width: 1600, height: 1600 }, 1, 400)).toBe(4);
  expect(zoomLimit({ width: 8000, height: 8000 }, 1, 400)).toBe(5);
  expect(zoomLimit({ width: 400, height: 900 }, 1, 400)).toBe(1);
});

test("an image is too small when its part of the shape is too narrow", () => {
  expect(findSizeProblem({ width: 400, height: 400 }, 1, 400)).toBeNull();
  expect(findSizeProblem({ width: 399, height: 800 }, 1, 400)).toBe(
    "This image is too small: it is 399 pixels wide. Choose one with at least 400.",
  );
  expect(findSizeProblem({ width: 900, height: 300 }, 1, 400)).toBe(
    "This image is too small: it is 900 pixels wide, of which 300 fit the shape. Choose one with at least 400.",
  );
});

test("a large image is scaled to 2400 pixels, a small one keeps its size", () => {
  expect(scaleDown({ width: 4000, height: 3000 })).toEqual({ width: 2400, height: 1800 });
  expect(scaleDown({ width: 3000, height: 4000 })).toEqual({ width: 1800, height: 2400 });
  expect(scaleDown({ width: 300, height: 40 })).toEqual({ width: 300, height: 40 });
  expect(scaleDown({ width: 20_000, height: 2 })).toEqual({ width: 2400, height: 1 });
});

test("one translucent pixel makes an image transparent", () => {
  expect(isOpaque(new Uint8ClampedArray([1, 2, 3, 255, 0, 0, 0, 255]))).toBe(true);
  expect(isOpaque(new Uint8ClampedArray([1, 2, 3, 255, 0, 0, 0, 254]))).toBe(false);
});
