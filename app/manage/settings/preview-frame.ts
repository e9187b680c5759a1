// Runs in the preview's window: shows the settings that the form in the parent window sends.
import { derivePalette, type SchemeColors } from "../../config/palette.ts";
import { previewSite } from "../../config/use-site.ts";
import { type PreviewMessage, previewReady } from "./preview-message.ts";

const sheet = new CSSStyleSheet();
/** The slug of the service that the page shows; null before the first settings. */
let shown: string | null | undefined = null;
let edited = "";
const rendered = new MutationObserver(() => {
  if (scrollToText(edited)) rendered.disconnect();
});

if (window.parent !== window) {
  document.adoptedStyleSheets.push(sheet);
  // Prevents submitting forms and leaving the page, which still scrolls.
  document.body.inert = true;
  window.addEventListener("message", show);
  window.parent.postMessage(previewReady, window.location.origin);
}

function show({ origin, source, data }: MessageEvent): void {
  if (origin !== window.location.origin || source !== window.parent) return;
  // Only the settings page of this site frames its pages (security-headers.ts).
  const { site, anchor, text } = data as PreviewMessage;
  previewSite(site);
  const { mainColor, accentColor } = site.firm;
  if (mainColor || accentColor) {
    const { light, dark } = derivePalette(mainColor, accentColor);
    // Repeats the selector, to override the published colors.
    const root = ":root:root:root";
    sheet.replaceSync(
      `${root}{${colors(light)}}@media (prefers-color-scheme:dark){${root}{${colors(dark)}}}`,
    );
  } else {
    sheet.replaceSync("");
  }
  const isOther = site.editedService?.slug !== shown;
  shown = site.editedService?.slug;
  rendered.disconnect();
  requestAnimationFrame(() => {
    if (isOther) scrollToElement(anchor);
    edited = text;
    if (scrollToText(edited)) return;
    // The page is still being hydrated, or its part still loaded.
    rendered.observe(document.body, { childList: true, subtree: true, characterData: true });
  });
}

function colors(scheme: SchemeColors): string {
  return Object.entries(scheme)
    .map(([name, color]) => `--color-${name}:${color}`)
    .join(";");
}

/** Unlike `scrollIntoView`, scrolls this window alone and not the one around it. */
function scrollToElement(anchor = ""): void {
  const header = 80;
  const place = document.getElementById(anchor)?.getBoundingClientRect();
  const top = place ? place.top + window.scrollY - header : 0;
  window.scrollTo(0, anchor === "end" ? document.documentElement.scrollHeight : top);
}

/** Shows the place of a text, unless it is in view. @returns false when the page does not have it */
function scrollToText(text: string): boolean {
  const [line = ""] = text.trim().split("\n");
  // Shorter ones are everywhere.
  if (line.length < 3) return true;
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const places: DOMRect[] = [];
  while (nodes.nextNode()) {
    if (!nodes.currentNode.nodeValue?.includes(line)) continue;
    const range = document.createRange();
    range.selectNode(nodes.currentNode);
    const place = range.getBoundingClientRect();
    if (place.height > 1) places.push(place);
  }
  const [first] = places;
  const isInView = places.some(({ top, bottom }) => top < window.innerHeight && bottom > 0);
  if (first && !isInView) window.scrollBy(0, first.top - window.innerHeight / 3);
  return first !== undefined;
}
