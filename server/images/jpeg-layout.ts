// Reads from the headers of a JPEG whether a decoder has to hold the whole image: when its data comes in several scans,
// as in a progressive one.

/** The frame headers that decoders support. */
const frames = new Set([0xc0, 0xc1, 0xc2, 0xc9, 0xca]);
const progressive = new Set([0xc2, 0xca]);
const startOfScan = 0xda;
/** Four components without subsampling. */
const most = 8;

/**
 * @returns bytes of the coefficients that the decoder holds for each pixel; 0 when it decodes row by row; the most where the
 * headers cannot be read
 */
export function readJpegLayout(bytes: Buffer): number {
  let held = most;
  let components = 0;
  let isProgressive = false;
  for (let at = 2; at + 10 < bytes.length; ) {
    if (bytes[at] !== 0xff) {
      // Decoders skip bytes between segments.
      at += 1;
      continue;
    }
    const marker = bytes[at + 1] ?? 0;
    // Markers without a segment, and fill bytes.
    if (marker === 0xff || marker === 0 || marker === 1 || (marker >= 0xd0 && marker <= 0xd8)) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    if (frames.has(marker)) {
      components = bytes[at + 9] ?? 0;
      isProgressive = progressive.has(marker);
      held = coefficientBytes(bytes.subarray(at + 10, at + 10 + 3 * components));
    }
    if (marker === startOfScan) {
      // A frame with one component for each scan is held like a progressive one.
      const isOneScan = !isProgressive && bytes[at + 4] === components;
      return isOneScan ? 0 : held;
    }
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return most;
}

/** Coefficients have two bytes. A component with half the samples across has half as many. */
function coefficientBytes(components: Buffer): number {
  const samples: [across: number, down: number][] = [];
  for (let at = 1; at < components.length; at += 3) {
    const factors = components[at] ?? 0;
    samples.push([factors >> 4, factors & 15]);
  }
  const across = Math.max(...samples.map(([each]) => each));
  const down = Math.max(...samples.map(([, each]) => each));
  const sum = samples.reduce((total, [x, y]) => total + x * y, 0);
  return sum > 0 ? (2 * sum) / (across * down) : most;
}
