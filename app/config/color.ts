// sRGB and OKLCH colors, and their contrast.
// 2026-11-22: not the package culori. It and its types are two dependencies for these two conversions.

/** Lightness from 0 to 1, chroma from 0 to about 0.3, hue in degrees. */
export interface Oklch {
  lightness: number;
  chroma: number;
  hue: number;
}

type Triple = [number, number, number];

/** @param hex such as "#1e4a40" */
export function toOklch(hex: string): Oklch {
  const [red, green, blue] = channels(hex).map(toLinear) as Triple; // Three in, three out.
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const lightness = 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short;
  const a = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short;
  const b = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short;
  const hue = (Math.atan2(b, a) * 180) / Math.PI;
  return { lightness, chroma: Math.hypot(a, b), hue: (hue + 360) % 360 };
}

/** Reduces the chroma until the color exists in sRGB. */
export function toHex({ lightness, chroma, hue }: Oklch): string {
  const level = Math.min(1, Math.max(0, lightness));
  let rgb = toRgb({ lightness: level, chroma, hue });
  for (let factor = 0.95; !rgb.every(isInGamut) && factor > 0; factor -= 0.05) {
    rgb = toRgb({ lightness: level, chroma: chroma * factor, hue });
  }
  const bytes = rgb.map((channel) => Math.round(Math.min(1, Math.max(0, channel)) * 255));
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** @param share of the other color, from 0 to 1 */
export function mix(one: string, other: string, share: number): string {
  const others = channels(other);
  const mixed = channels(one).map((channel, index) => {
    const byte = 255 * (channel * (1 - share) + (others[index] ?? 0) * share);
    return Math.round(byte).toString(16).padStart(2, "0");
  });
  return `#${mixed.join("")}`;
}

/** WCAG 2 contrast ratio, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function toRgb({ lightness, chroma, hue }: Oklch): number[] {
  const angle = (hue * Math.PI) / 180;
  const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)];
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ].map(toGamma);
}

function isInGamut(channel: number): boolean {
  return channel > -0.0005 && channel < 1.0005;
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = channels(hex).map(toLinear);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channels(hex: string): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(hex.slice(start, start + 2), 16) / 255);
}

function toLinear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
}

function toGamma(channel: number): number {
  if (channel < 0) return -toGamma(-channel);
  return channel <= 0.0031308 ? channel * 12.92 : 1.055 * channel ** (1 / 2.4) - 0.055;
}
