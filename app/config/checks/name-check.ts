// Whether the firm's name fits the header. The numbers are those of app/layout/header.tsx and app/layout/brand.tsx, measured
// in a browser where each layout of the header is narrowest.
import { type Check, type SiteFacts, warning } from "./check.ts";

interface HeaderLayout {
  /** In pixels, of the window. */
  width: number;
  /** In pixels, between the mark and the tabs or buttons, with a scheduling page. */
  room: number;
  /** Whether the short name replaces the name. */
  isShort: boolean;
  /** Of names of at most 18, 40 and more characters, in pixels. */
  sizes: [oneLine: number, long: number, veryLong: number];
}

const layouts: readonly HeaderLayout[] = [
  { width: 320, room: 172, isShort: true, sizes: [22, 17, 15] },
  { width: 640, room: 296, isShort: false, sizes: [22.8, 20, 17] },
  { width: 1024, room: 206, isShort: true, sizes: [23.8, 20, 17] },
  { width: 1280, room: 326, isShort: false, sizes: [24, 20, 17] },
];
/** At 1024 px, a long name without a short one replaces the button. */
const roomWithoutButton = 390;
/** What 'Get in touch', the button without a scheduling page, leaves to the name. */
const shorterButton = 52;
const letterSpacing = -0.025;
const maxLines = 3;

export function checkName({ settings, measure }: SiteFacts): Check[] {
  const { name, shortName, logo } = settings.firm;
  // The logo replaces the name.
  if (!measure || logo) return [];
  const tooNarrow = layouts.filter((layout) => {
    const text = (layout.isShort && shortName) || name;
    const isLong = text.length > 18;
    const size = layout.sizes[text.length > 40 ? 2 : isLong ? 1 : 0];
    const widthOf = (part: string) => measure(part, size) + [...part].length * letterSpacing * size;
    const room = roomOf(layout, settings.contact.schedulingUrl !== "", !shortName && isLong);
    return countLines(text, room, widthOf) > (isLong ? maxLines : 1);
  });
  const [first] = tooNarrow;
  if (!first) return [];
  const widths = tooNarrow
    .filter(({ isShort }) => !shortName || isShort === first.isShort)
    .map(({ width }) => width);
  const text = (first.isShort && shortName) || name;
  const advice = first.isShort ? `${shortName ? "shorter " : ""}short name` : "shorter name";
  const at = "/manage/settings/firm";
  return [
    warning(
      "name-width",
      at,
      `The name "${text}" does not fit the header at ${widths.join(", ")} px: give a ${advice} under ${at}.`,
    ),
  ];
}

function roomOf(
  { width, room }: HeaderLayout,
  hasSchedulingPage: boolean,
  hidesButton: boolean,
): number {
  if (width === 1024 && hidesButton) return roomWithoutButton;
  return width === 320 || hasSchedulingPage ? room : room + shorterButton;
}

/** Lines break between words, and inside a word that is wider than the space. */
function countLines(text: string, room: number, widthOf: (part: string) => number): number {
  let lines = 1;
  let line = "";
  for (const character of text) {
    const longer = line + character;
    if (widthOf(longer.trimEnd()) <= room) {
      line = longer;
      continue;
    }
    lines++;
    const lastWord = longer.slice(longer.lastIndexOf(" ") + 1);
    line = lastWord.length < longer.length ? lastWord : character;
  }
  return lines;
}
