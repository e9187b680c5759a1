// Runs in the preview's window: shows the settings that the form in the parent window sends.
import { previewSite, type Site } from "../../config/use-site.ts";
import { type PreviewMessage, previewReady } from "./preview-message.ts";

let isScrolled = false;

if (window.parent !== window) {
  // Prevents submitting forms and leaving the page, which still scrolls.
  document.body.inert = true;
  window.addEventListener("message", show);
  window.parent.postMessage(previewReady, window.location.origin);
}

function show({ origin, source, data }: MessageEvent): void {
  if (origin !== window.location.origin || source !== window.parent) return;
  // Only the settings page of this site frames its pages (security-headers.ts).
  const { site, anchor, isDark } = data as PreviewMessage;
  previewSite(site);
  showColors(site);
  showScheme(isDark);
  if (!isScrolled) requestAnimationFrame(() => scrollToElement(anchor));
  isScrolled = true;
}

/** What root.tsx gives the root element, which a preview does not render again. */
function showColors({ colors, hasDark }: Site): void {
  const root = document.documentElement;
  root.toggleAttribute("data-colors", colors !== null);
  root.toggleAttribute("data-dark", hasDark);
  root.removeAttribute("style");
  for (const [name, color] of Object.entries(colors?.properties ?? {})) {
    root.style.setProperty(name, color);
  }
}

let darkRules: CSSMediaRule[] | undefined;

/** Shows one version on every device: the styles follow their media queries, drawings the color scheme. */
function showScheme(isDark: boolean): void {
  darkRules ??= [...document.styleSheets].flatMap(({ cssRules }) => findDarkRules(cssRules));
  for (const { media } of darkRules) media.mediaText = isDark ? "screen" : "not all";
  document.documentElement.style.colorScheme = isDark ? "dark" : "light";
}

function findDarkRules(rules: CSSRuleList): CSSMediaRule[] {
  return [...rules].flatMap((rule) => {
    if (rule instanceof CSSMediaRule && /prefers-color-scheme: ?dark/.test(rule.media.mediaText)) {
      return rule;
    }
    return "cssRules" in rule ? findDarkRules(rule.cssRules as CSSRuleList) : [];
  });
}

/** Unlike `scrollIntoView`, scrolls this window alone and not the one around it. */
function scrollToElement(anchor = ""): void {
  const header = 80;
  const place = document.getElementById(anchor)?.getBoundingClientRect();
  const top = place ? place.top + window.scrollY - header : 0;
  window.scrollTo(0, anchor === "end" ? document.documentElement.scrollHeight : top);
}
