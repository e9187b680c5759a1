// The buttons that a walk presses: those that change nothing outside the page. A request that does is a failure of the walk.
import type { Locator, Page, Request } from "@playwright/test";
import { legalPages, templates } from "../../app/manage/pages/templates.ts";

/** The first words of buttons that change something, or end the session. */
const changing = [
  ...[
    "add",
    "ask for approval",
    "approve",
    "clear",
    "copy",
    "create",
    "delete the message",
    "download",
    "end",
    "export",
    "flag",
  ],
  ...[
    "hide",
    "import",
    "invite",
    "log in",
    "logout",
    "mark",
    "move",
    "publish",
    "refuse",
    "remove",
  ],
  ...["replace", "reset", "restore", "run", "save", "schedule", "send message", "send reset"],
  ...["send test", "show on", "sign out", "start from", "submit", "undo", "unpublish", "update"],
  ...["upload", "use ", "withdraw"],
];
/** Buttons that change the text of a post or page, which is saved while it is written. */
const ofText = [
  ...["Bold", "Italic", "Heading", "List", "Numbered list", "Quote", "Remember this", "Redo"],
  ...[...templates.map(({ title }) => title), ...Object.values(legalPages)],
];
/** These open a dialog, in which everything but its end is left alone. */
const asking = ["delete", "discard"];

export function isChanging({ label }: Button, isInDialog: boolean): boolean {
  const starts = (words: readonly string[]) =>
    words.some((word) => label.toLowerCase().startsWith(word));
  if (isInDialog) return starts([...changing, ...asking, "continue", "confirm", "submit"]);
  // It opens a dialog.
  if (label.endsWith("…")) return false;
  return starts(changing) || ofText.includes(label);
}

/** Functions that read, the renewal of a session, and a calculator's result that fills in the contact form. */
const reading =
  /\/rpc\/(archive|count|find|get|list|my|read|sample|search|table|testimonial|visit)_\w+$|\/auth\/v1\/token$|^\/contact$/;

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
  find: (page: Page) => Locator;
}

interface Layer {
  /** The beginning of its text; empty when no dialog is open. */
  dialog: string;
  buttons: Button[];
}

const selector = "button, summary, [role=tab], [role=menuitem], [role=switch]";

/** The buttons that a person can press: those of the dialog that is open, or those of the page. */
export async function buttonsOf(page: Page): Promise<Layer> {
  const { dialog, found } = await page.locator(selector).evaluateAll((elements) => {
    const dialog = [...document.querySelectorAll("dialog:modal")].at(-1);
    const title = dialog?.textContent.slice(0, 60) ?? "";
    const counts = new Map<string, number>();
    const found = elements.flatMap((element) => {
      const blocked = ":disabled, [aria-disabled=true], [inert] *, [aria-hidden=true] *";
      if (dialog && !dialog.contains(element)) return [];
      if (!element.checkVisibility() || element.matches(blocked)) return [];
      const text = element.ariaLabel ?? element.textContent;
      const label = text.replace(/\s+/g, " ").trim();
      const isShared =
        element.closest("header[data-site], main ~ *, nav[aria-label=Manage]") !== null;
      // Of the same button in each row, the first three.
      const kind = `${title} ${element.className} ${label.split(" ")[0]}`;
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      const hasLabel = element.ariaLabel !== null;
      return count > 3 || !label ? [] : { label, hasLabel, isShared, key: `${kind} ${count}` };
    });
    return { dialog: title, found };
  });
  const layer = dialog ? "dialog:modal" : "body";
  const buttons = found.map(({ label, hasLabel, isShared, key }) => ({
    ...{ key, label, isShared, name: `button "${label}"` },
    find: (page: Page) => {
      const all = page.locator(layer).last().locator(selector);
      return hasLabel
        ? all.and(page.getByLabel(label, { exact: true }))
        : // Without a count, which may change.
          all.filter({ hasText: label.replace(/(?<=\D)\d.*$/, "") });
    },
  }));
  return { dialog, buttons };
}
