// Cloudflare Turnstile for the contact forms, where a site key is configured. Loaded when a visitor
// enters a form, so that no other browser connects to Cloudflare. Reviews are not checked: their insert
// goes to the database itself, which cannot verify a token.

interface Turnstile {
  render(container: HTMLElement, options: Record<string, unknown>): string | null | undefined;
  execute(widget: string): void;
  reset(widget: string): void;
}

declare global {
  interface Window {
    turnstile?: Turnstile;
  }
}

const script = "https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit";

/** The timeout in milliseconds of the script, and of a check without a question. */
const timeout = 15_000;

let loading: Promise<Turnstile> | undefined;

/** Loads the script once. After a failure, the next call tries again. */
export function loadTurnstile(): Promise<Turnstile> {
  loading ??= new Promise<Turnstile>((resolve, reject) => {
    const element = document.createElement("script");
    element.src = script;
    element.onload = () => {
      if (window.turnstile) resolve(window.turnstile);
      else reject(new Error("Turnstile did not start"));
    };
    element.onerror = () => reject(new Error("Turnstile could not be loaded"));
    setTimeout(() => reject(new Error("Turnstile took too long to load")), timeout);
    document.head.append(element);
  });
  loading.catch(() => {
    loading = undefined;
  });
  return loading;
}

/** A widget of the page and its current check. */
interface Widget {
  id: string;
  check: Check;
}

interface Check {
  end(token: string | null): void;
  /** Stops the timeout while Cloudflare waits for the visitor's click. */
  waitForVisitor(): void;
}

const widgets = new WeakMap<HTMLElement, Widget>();

/**
 * Runs Cloudflare's check. In doubt it asks the visitor for a click, inside the container.
 * @returns a token for one message, or null after a failure: the server then decides
 */
export async function getTurnstileToken(
  container: HTMLElement,
  siteKey: string,
): Promise<string | null> {
  try {
    const turnstile = await loadTurnstile();
    return await new Promise((resolve) => {
      const timer = setTimeout(resolve, timeout, null);
      startCheck(turnstile, container, siteKey, {
        end(token) {
          clearTimeout(timer);
          resolve(token);
        },
        waitForVisitor: () => clearTimeout(timer),
      });
    });
  } catch (error) {
    console.warn("Turnstile failed", error);
    return null;
  }
}

function startCheck(
  turnstile: Turnstile,
  container: HTMLElement,
  siteKey: string,
  check: Check,
): void {
  const widget = widgets.get(container);
  if (widget) {
    widget.check = check;
    // Reset, because a token is valid once.
    turnstile.reset(widget.id);
    turnstile.execute(widget.id);
    return;
  }
  const current = () => widgets.get(container)?.check ?? check;
  const id = turnstile.render(container, {
    sitekey: siteKey,
    execution: "execute",
    appearance: "interaction-only",
    "response-field": false,
    callback: (token: string) => current().end(token),
    "before-interactive-callback": () => current().waitForVisitor(),
    "timeout-callback": () => current().end(null),
    "unsupported-callback": () => current().end(null),
    "error-callback": () => {
      current().end(null);
      return true;
    },
  });
  if (!id) {
    check.end(null);
    return;
  }
  widgets.set(container, { id, check });
  turnstile.execute(id);
}
