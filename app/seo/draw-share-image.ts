// The picture that stands beside a shared link: what the page is about, in the site's own type.
import { site } from "../config/site.ts";
import { fitLines, loadTypeface } from "./outline-text.ts";
import { type ShareText, shareSize } from "./share-address.ts";

const files = (family: string, weight: number) =>
  ["latin", "latin-ext"].map(
    (subset) => `@fontsource/${family}/files/${family}-${subset}-${weight}-normal.woff`,
  );
const serif = loadTypeface(files("newsreader", 500));
const sans = loadTypeface(files("figtree", 600));

const color = {
  deep: "#12332c",
  hill: "#17413a",
  nearHill: "#1e4a40",
  mist: "#b9cdbf",
  paper: "#fbf8f3",
  lamp: "#f2cf8f",
  lane: "#e7dcc6",
  roof: "#a1461f",
} as const;

const left = 76;
/** More characters than this never fit, and measuring costs time. */
const drawableLength = 160;

/** Draws the picture as an SVG that needs no fonts. */
export function drawShareSvg(text: ShareText): string {
  const kind = sans.readable(text.label).slice(0, drawableLength) || site.brand;
  const label = fitLines(sans, kind, {
    width: 860,
    steps: [{ size: 31, lines: 1 }],
  });
  // A title in a script that the site's type does not cover leaves the picture to the firm's motto.
  const words = serif.readable(text.headline).slice(0, drawableLength);
  const headline = fitLines(serif, /[\p{L}\p{N}]/u.test(words) ? words : site.tagline, {
    width: 920,
    steps: [
      { size: 92, lines: 2 },
      { size: 80, lines: 3 },
      { size: 66, lines: 4 },
    ],
  });
  const lineHeight = Math.round(headline.size * 1.1);
  const firstLine = 128 + Math.round(headline.size * 0.98);
  const { width, height } = shareSize;

  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<rect width="${width}" height="${height}" fill="${color.deep}"/>
${scene}
${path(sans.outline(label.lines.join(), left, 108, label.size), color.lamp)}
${headline.lines
  .map((line, index) =>
    path(serif.outline(line, left - 3, firstLine + index * lineHeight, headline.size), color.paper),
  )
  .join("\n")}
${mark(left, 524)}
${path(serif.outline(site.brand, left + 70, 562, 38), color.paper)}
</svg>`;
}

function path(data: string, fill: string): string {
  return `<path fill="${fill}" d="${data}"/>`;
}

/** A lane that climbs to a house with a light on. */
const scene = [
  path("M0 560C180 500 360 520 560 540S980 420 1200 400V630H0Z", color.hill),
  path("M420 630C620 560 860 500 1200 520V630Z", color.nearHill),
  path(
    "M1012 630C1040 596 1106 580 1092 552S1052 520 1062 492L1078 492C1076 518 1126 530 1136 558S1104 602 1112 630Z",
    color.lane,
  ),
  path("M1022 438L1070 396L1118 438V494H1022Z", color.paper),
  path("M1012 442L1070 390L1128 442L1119 450L1070 406L1021 450Z", color.roof),
  path("M1062 494V468a8 8 0 0 1 16 0V494Z", color.lamp),
  path("M1038 452h14v16h-14ZM1088 452h14v16h-14Z", color.lamp),
].join("\n");

/** The firm's mark, as in the header. */
function mark(x: number, y: number): string {
  return `<g transform="translate(${x} ${y}) scale(1.3)">
<rect width="40" height="40" rx="10" fill="${color.paper}"/>
<path d="M10 20 20 10l10 10v10H10Z" fill="${color.nearHill}"/>
<path d="M18 22h4v8h-4z" fill="${color.roof}"/>
<path d="M18 30h4l6 10H12z" fill="${color.nearHill}"/>
</g>`;
}
