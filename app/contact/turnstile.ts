// Cloudflare's Turnstile on the contact forms, for sites that have a key. Loaded only there, and only
// once a visitor is in a form: nobody else's browser talks to Cloudflare. Reviews go without: their
// insert goes to the database itself (section 7), which can't ask Cloudflare.

interface Turnstile {
  render(container: HTMLElement, options: Record<string, unknown>): string | null | undefined;
  execute(widget: string): void;
  reset(widget: string): void;
}

const script = "https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit";

/** For the script, and for a check that Cloudflare neither ends nor shows. In milliseconds. */
const patience = 15_000;

let loading: Promise<Turnstile> | undefined;

/** Starts to load the script, so that a visitor who is done writing need not wait for it. */
export function loadTurnstile(): Promise<Turnstile> {
  loading ??= new Promise<Turnstile>((resolve, reject) => {
    const element = document.createElement("script");
    element.src = script;
    element.onload = () => {
      const { turnstile } = window as unknown as { turnstile?: Turnstile };
      if (turnstile) resolve(turnstile);
      else reject(new Error("Turnstile did not start"));
    };
    element.onerror = () => reject(new Error("Turnstile could not be loaded"));
    setTimeout(() => reject(new Error("Turnstile took too long to load")), patience);
    document.head.append(element);
  });
  // After a failure the next try starts anew.
  loading.catch(() => {
    loading = undefined;
  });
  return loading;
}

/** A widget of the page, and the check that it is busy with. */
interface Widget {
  id: string;
  check: Check;
}

interface Check {
  end(token: string | null): void;
  /** Whoever is asked takes the time that it takes. */
  waitForVisitor(): void;
}

const widgets = new WeakMap<HTMLElement, Widget>();

/**
 * Has Cloudflare check the visitor; it asks for a click, inside the container, where it is in doubt.
 * @returns a token for one message, or null when there is none: the server then says what to do.
 */
export async function getTurnstileToken(
  container: HTMLElement,
  siteKey: string,
): Promise<string | null> {
  try {
    const turnstile = await loadTurnstile();
    return await new Promise((resolve) => {
      const timer = setTimeout(resolve, patience, null);
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
    // A token works once.
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
