// The buttons that a walk presses: those that change nothing outside the page. A request that does is a failure of the walk.
import type { Locator, Page, Request } from "@playwright/test";
import { legalPages, templates } from "../../app/manage/pages/templates.ts";

/** The first words of buttons that change something, or end the session. */
const changing = wordsFirst(
  ...[
    "add",
    "ask for approval",
    "approve",
    "back up",
    "clear",
    "copy",
    "create",
    "delete the message",
  ],
  ...["download", "end", "export", "flag", "hide", "import", "invite", "log in", "logout", "mark"],
  ...["i have read", "i have seen"],
  ...[
    "move",
    "not now",
    // It makes a link.
    "preview",
    "publish",
    "refuse",
    "remove",
    "replace",
    "reset",
    "restore",
    "run",
    "save",
  ],
  ...["schedule", "send message", "send reset", "send test", "show on", "sign out", "start from"],
  ...["submit", "turn on", "undo", "unpublish", "update", "upload", "use", "withdraw"],
);
/** In a dialog, also those that end what opened it. */
const ending = wordsFirst("delete", "discard", "continue", "confirm");
/** Templates of posts and pages. */
const ofText = [...templates, ...Object.values(legalPages)].map(({ title }) => title);
/** In the toolbar of a text, all others change it. */
const opensDialog = ["Link", "Image"];

function wordsFirst(...words: string[]): RegExp {
  return new RegExp(`^(${words.join("|")})\\b`, "i");
}

export function isChanging({ label, isInToolbar, isImage }: Button, isInDialog: boolean): boolean {
  if (isInToolbar) return !opensDialog.includes(label);
  // An image that is chosen goes into the text.
  if (isImage) return true;
  if (isInDialog) return changing.test(label) || ending.test(label);
  // It opens a dialog.
  if (label.endsWith("…")) return false;
  return changing.test(label) || ofText.includes(label);
}

/** Functions that read, the renewal of a session, and a calculator's result that fills in the contact form. */
const reading =
  /\/rpc\/(archive|count|find|get|list|my|outdated|read|sample|search|table|testimonial|visit)_\w+$|\/auth\/v1\/token$|^\/contact$/;

/** Messages and testimonials that were opened are marked as seen. */
const seen = /^\{"(read|seen)_at":"[^"]+"\}$/;

export function isReading(request: Request): boolean {
  const { pathname } = new URL(request.url());
  if (["GET", "HEAD"].includes(request.method()) || reading.test(pathname)) return true;
  return request.method() === "PATCH" && seen.test(request.postData() ?? "");
}

interface Button {
  /** Equal for those of one kind, as the same button of each row. */
  key: string;
  /** As people name it. */
  name: string;
  label: string;
  /** Whether all pages have it. */
  isShared: boolean;
  isInToolbar: boolean;
  /** Whether it consists of an image, whose description is its name. */
  isImage: boolean;
  find: (page: Page) => Locator;
}

interface Layer {
  /** The beginning of its text; empty when no dialog is open. */
  dialog: string;
  buttons: Button[];
  /** The HTML of buttons without a name. */
  unnamed: string[];
}

const selector = "button, summary, [role=tab], [role=menuitem]";

/** The buttons that a person can press: those of the dialog that is open, or those of the page. */
export async function buttonsOf(page: Page): Promise<Layer> {
  const { dialog, found } = await page.locator(selector).evaluateAll((elements) => {
    const dialog = [...document.querySelectorAll("dialog:modal")].at(-1);
    const title = dialog?.textContent.slice(0, 60) ?? "";
    const labels = new Set<string>();
    const counts = new Map<string, number>();
    const found = elements.flatMap((element) => {
      // A toast leaves by itself.
      const toasts = "[aria-label=Notifications] *";
      const blocked = `:disabled, [aria-disabled=true], [inert] *, [aria-hidden=true] *, ${toasts}`;
      if (dialog && !dialog.contains(element)) return [];
      if (!element.checkVisibility() || element.matches(blocked)) return [];
      const byId = (element.getAttribute("aria-labelledby") ?? "").split(" ");
      const labelledBy = byId.map((id) => document.getElementById(id)?.textContent ?? "").join(" ");
      const words = element.textContent.trim();
      const alt = words ? null : element.querySelector("img")?.alt;
      const text = element.ariaLabel ?? (labelledBy.trim() || words || (alt ?? ""));
      const label = text.replace(/\s+/g, " ").trim();
      const hasText = text === words;
      const isInToolbar = element.closest("[role=toolbar]") !== null;
      // Of the same button in each row, the first three.
      const kind = `${title} ${element.className} ${label.split(" ")[0]}`;
      const key = `${kind} ${label.replace(/\d+/g, "")}`;
      const count = counts.get(kind) ?? 0;
      if (label && (labels.has(key) || count >= 3)) return [];
      labels.add(key);
      counts.set(kind, count + 1);
      const isShared = element.closest("header[data-site], main ~ *, nav[aria-label=Manage]");
      const html = label ? "" : element.outerHTML.slice(0, 200);
      return {
        label,
        hasText,
        isShared: isShared !== null,
        isInToolbar,
        isImage: Boolean(alt),
        key,
        html,
      };
    });
    return { dialog: title, found };
  });
  const layer = dialog ? "dialog:modal" : "body";
  const named = found.filter(({ label }) => label);
  const buttons = named.map(({ hasText, html, ...button }) => ({
    ...button,
    name: `button "${button.label}"`,
    find: (page: Page) => {
      const { label } = button;
      const all = page.locator(layer).last().locator(selector);
      if (button.isImage) return all.filter({ has: page.getByAltText(label, { exact: true }) });
      if (!hasText) return all.and(page.getByLabel(label, { exact: true }));
      // A count may appear and change.
      const [text = ""] = label.split(/(?<=\D)(?=\d)/, 1);
      const words = text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
      return all.filter({ hasText: new RegExp(`^\\s*${words}\\s*(\\d|$)`) });
    },
  }));
  return { dialog, buttons, unnamed: found.map(({ html }) => html).filter(Boolean) };
}
