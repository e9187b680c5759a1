// Runs in the preview's window: shows the settings that the form in the parent window sends.
import { derivePalette, type SchemeColors } from "../../config/palette.ts";
import { previewSite } from "../../config/use-site.ts";
import { type PreviewMessage, previewReady } from "./preview-message.ts";

const sheet = new CSSStyleSheet();
let isScrolled = false;

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
  const { site, anchor } = data as PreviewMessage;
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
  if (!isScrolled) requestAnimationFrame(() => scrollToElement(anchor));
  isScrolled = true;
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
