// Draws the image for shared links (Open Graph) and the firm's icon, as SVG without text elements.
import type { Site } from "../config/public-site.ts";
import { type ShareText, shareSize } from "./page-meta.ts";
import { fitLines, sans, serif } from "./typeface.ts";

/** The colors of tokens.css and of the scene. */
const defaultColor = {
  deep: "#12332c",
  evergreen: "#1e4a40",
  hill: "#17413a",
  paper: "#fbf8f3",
  lamp: "#f2cf8f",
  lane: "#e7dcc6",
  roof: "#a1461f",
} as const;

const left = 76;
/** More characters never fit, and measuring them takes time. */
const maxLength = 160;

/** The parts of the settings that are drawn. */
export type DrawnSite = Pick<Site, "firm" | "monogram" | "colors">;

/** An image as a data URL, with its size in the drawing. */
export interface DrawnLogo {
  url: string;
  width: number;
  height: number;
  /** Whether the logo is made for dark backgrounds. */
  forDark: boolean;
}

/** Logos are scaled to fit into this frame, in pixels. */
export const logoFrame = { width: 420, height: 84 } as const;

/** @param logo replaces mark and name; null when the firm has none */
export function drawShareSvg(site: DrawnSite, text: ShareText, logo: DrawnLogo | null): string {
  const { firm, monogram } = site;
  const color = colorsOf(site);
  const kind = sans.supportedText(text.label).slice(0, maxLength) || firm.name;
  const label = fitLines(sans, kind, {
    width: 860,
    steps: [{ size: 31, lines: 1 }],
  });
  // The site's tagline or name replaces a title in an unsupported script.
  const words = serif.supportedText(text.headline).slice(0, maxLength);
  const headline = fitLines(
    serif,
    /[\p{L}\p{N}]/u.test(words) ? words : firm.tagline || firm.name,
    {
      width: 920,
      steps: [
        { size: 92, lines: 2 },
        { size: 80, lines: 3 },
        { size: 66, lines: 4 },
      ],
    },
  );
  const lineHeight = Math.round(headline.size * 1.1);
  const firstLine = 128 + Math.round(headline.size * 0.98);
  const { width, height } = shareSize;

  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<rect width="${width}" height="${height}" fill="${color.deep}"/>
${monogram === null ? laneScene : bands(color, !logo || logo.forDark)}
${path(sans.outline(label.lines.join(), left, 108, label.size), color.lamp)}
${headline.lines
  .map((line, index) =>
    path(
      serif.outline(line, left - 3, firstLine + index * lineHeight, headline.size),
      defaultColor.paper,
    ),
  )
  .join("\n")}
${logo ? drawLogo(logo) : nameWithMark(site)}
</svg>`;
}

/** The firm's monogram as an icon, in its colors. */
export function drawIconSvg(site: DrawnSite): string {
  const { evergreen } = colorsOf(site);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 64 64">
<rect width="64" height="64" rx="15" fill="${evergreen}"/>
${monogramPath(site.monogram ?? "", { center: 32, baseline: 43.5, size: 32, fill: defaultColor.paper })}
</svg>`;
}

type Colors = Record<"deep" | "evergreen" | "lamp", string>;

function colorsOf({ colors }: DrawnSite): Colors {
  const { properties = {} } = colors ?? {};
  const pick = (name: keyof Colors) => properties[`--light-${name}`] ?? defaultColor[name];
  return { deep: pick("deep"), evergreen: pick("evergreen"), lamp: pick("lamp") };
}

function path(data: string, fill: string): string {
  return `<path fill="${fill}" d="${data}"/>`;
}

/** The default firm's mark: a lane up to a lit house. */
const laneScene = [
  path("M0 560C180 500 360 520 560 540S980 420 1200 400V630H0Z", defaultColor.hill),
  path("M420 630C620 560 860 500 1200 520V630Z", defaultColor.evergreen),
  path(
    "M1012 630C1040 596 1106 580 1092 552S1052 520 1062 492L1078 492C1076 518 1126 530 1136 558S1104 602 1112 630Z",
    defaultColor.lane,
  ),
  path("M1022 438L1070 396L1118 438V494H1022Z", defaultColor.paper),
  path("M1012 442L1070 390L1128 442L1119 450L1070 406L1021 450Z", defaultColor.roof),
  path("M1062 494V468a8 8 0 0 1 16 0V494Z", defaultColor.lamp),
  path("M1038 452h14v16h-14ZM1088 452h14v16h-14Z", defaultColor.lamp),
].join("\n");

/** Quarter circles in the lower right corner, and a line above the name; a logo on a plate needs none. */
function bands({ evergreen, lamp }: Colors, hasLine: boolean): string {
  return [
    `<circle cx="1200" cy="630" r="330" fill="${evergreen}" fill-opacity="0.55"/>`,
    `<circle cx="1200" cy="630" r="215" fill="${evergreen}"/>`,
    `<circle cx="1200" cy="630" r="100" fill="${lamp}" fill-opacity="0.9"/>`,
    hasLine ? path("M76 496h120v3H76Z", lamp) : "",
  ].join("\n");
}

/** Draws a logo in place of mark and name. A logo for light backgrounds gets one. */
function drawLogo({ url, width, height, forDark }: DrawnLogo): string {
  const y = 550 - height / 2;
  const plate = `<rect x="${left - 14}" y="${y - 12}" width="${width + 28}" height="${height + 24}" rx="10" fill="${defaultColor.paper}"/>`;
  return `${forDark ? "" : plate}<image href="${url}" x="${left}" y="${y}" width="${width}" height="${height}"/>`;
}

function nameWithMark(site: DrawnSite): string {
  const name = fitLines(serif, serif.supportedText(site.firm.name) || site.firm.name, {
    width: 720,
    steps: [
      { size: 38, lines: 1 },
      { size: 30, lines: 1 },
      { size: 24, lines: 1 },
    ],
  });
  return `${mark(site, left, 524)}
${path(serif.outline(name.lines.join(), left + 70, 562, name.size), defaultColor.paper)}`;
}

/** Draws the mark as the header shows it. */
function mark(site: DrawnSite, x: number, y: number): string {
  const { evergreen } = colorsOf(site);
  const drawing =
    site.monogram === null
      ? `<path d="M10 20 20 10l10 10v10H10Z" fill="${evergreen}"/>
<path d="M18 22h4v8h-4z" fill="${defaultColor.roof}"/>
<path d="M18 30h4l6 10H12z" fill="${evergreen}"/>`
      : monogramPath(site.monogram, { center: 20, baseline: 27, size: 20, fill: evergreen });
  return `<g transform="translate(${x} ${y}) scale(1.3)">
<rect width="40" height="40" rx="10" fill="${defaultColor.paper}"/>
${drawing}
</g>`;
}

function monogramPath(
  monogram: string,
  {
    center,
    baseline,
    size,
    fill,
  }: Record<"center" | "baseline" | "size", number> & { fill: string },
): string {
  const width = serif.measure(monogram, size);
  return path(serif.outline(monogram, center - width / 2, baseline, size), fill);
}
