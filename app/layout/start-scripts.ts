type Field = HTMLInputElement | HTMLTextAreaElement;

interface ChangedField {
  field: Field;
  value: string;
}

/**
 * The inline script of every page: loads the page's other scripts after the first paint and replays the input from
 * before hydration. defer-scripts.ts writes its source into the page, so it may use nothing from outside of it.
 */
export function startScripts(): void {
  /** How many milliseconds a click on a form's button waits for the scripts. */
  const submitTimeout = 8000;
  const entry = document.getElementById("entry");
  let started = false;
  let clicked: HTMLButtonElement | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const changedValues = new Map<Field, string>();

  const main = document.querySelector("main");
  const sections = [...document.querySelectorAll<HTMLElement>("main > *")];
  for (const name of ["pointerdown", "keydown", "touchstart"]) {
    addEventListener(name, start, { capture: true, passive: true });
  }
  addEventListener("click", holdClick, true);
  addEventListener("input", rememberValue, true);
  addEventListener("scriptsfailed", fail);
  addEventListener("hydrated", replay, { once: true });
  const [navigation] = performance.getEntriesByType("navigation");
  // The entries of this type are of this class. A browser may hide them.
  const type = (navigation as PerformanceNavigationTiming | undefined)?.type;
  // The browser goes to a position in the page, for which it needs the height of what is above.
  if (type !== "navigate" || location.hash) document.documentElement.dataset.layout = "complete";
  // The page failed to render with them (show-without-scripts.ts). The next time, they are tried again.
  if (history.state?.withoutScripts) {
    started = true;
    history.replaceState({ ...history.state, withoutScripts: false }, "");
    fail();
  }
  addEventListener("load", () => {
    whenIdle(start);
    whenIdle(layOutNext);
  });

  function whenIdle(callback: () => void): void {
    // Short, so that all sections are laid out within two seconds. Safari has no requestIdleCallback.
    if ("requestIdleCallback" in window) requestIdleCallback(callback, { timeout: 200 });
    else setTimeout(callback, 200);
  }

  /**
   * Lays out the sections that app.css delays, with their images, each when the browser is idle: what captures whole pages
   * neither scrolls nor sends other input.
   */
  function layOutNext(): void {
    const section = sections.shift();
    if (!section) return;
    section.style.contentVisibility = "visible";
    for (const image of section.querySelectorAll("img")) {
      // The other slides of a carousel stay lazy.
      if (image.getBoundingClientRect().left < innerWidth) image.loading = "eager";
    }
    whenIdle(layOutNext);
  }

  function start(): void {
    if (started || !entry) return;
    started = true;
    for (const href of entry.dataset.modules?.split(" ") ?? []) {
      const link = document.createElement("link");
      link.rel = "modulepreload";
      link.href = href;
      document.head.append(link);
    }
    const script = document.createElement("script");
    script.type = "module";
    script.onerror = fail;
    script.textContent = entry.textContent;
    document.body.append(script);
  }

  function holdClick(event: MouseEvent): void {
    const button = event.target instanceof Element && event.target.closest("button");
    if (!button || button.hasAttribute("popovertarget")) return;
    event.preventDefault();
    // React would hydrate the page for this event and handle it, before the replay repeats it.
    event.stopPropagation();
    clicked = button;
    if (button.form) timer ??= setTimeout(() => clicked?.form && stopHolding(), submitTimeout);
  }

  /** Lets the browser submit forms, starting with the held one. */
  function stopHolding(): void {
    removeEventListener("click", holdClick, true);
    if (clicked?.form) clicked.click();
    clicked = null;
  }

  /** Called when the scripts cannot be loaded. The page then works as without JavaScript. */
  function fail(): void {
    document.documentElement.dataset.scripts = "failed";
    for (const element of document.querySelectorAll("noscript")) {
      element.outerHTML = element.textContent;
    }
    stopHolding();
  }

  function rememberValue({ target }: Event): void {
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) {
      changedValues.set(target, target.value);
    }
  }

  /** Waits after each step until React has rendered it. */
  function replay(): void {
    clearTimeout(timer);
    removeEventListener("click", holdClick, true);
    removeEventListener("input", rememberValue, true);
    // React has rendered the page anew, for example after a translator had changed it. layOutNext knows only the former sections.
    if (!main?.isConnected) document.documentElement.dataset.layout = "complete";
    const fields = [...changedValues].flatMap(([former, value]) => {
      const field = current(former);
      // Hydration resets the fields with numbers, which React controls, and keeps the others.
      return field && (field !== former || isNumber(field)) ? [{ field, value }] : [];
    });
    fields.forEach(changeValue);
    setTimeout(() => {
      fields.forEach(leaveField);
      setTimeout(() => clicked && current(clicked)?.click());
    });
  }

  function isNumber({ type, inputMode }: Field): boolean {
    return type === "range" || inputMode === "decimal";
  }

  /** The element itself or, where React replaced the page's markup, the one that now has its place. */
  function current<Type extends Element>(element: Type): Type | undefined {
    if (element.isConnected) return element;
    const [before = [], now = []] = [main, document.querySelector("main")].map((root) => [
      ...(root?.querySelectorAll<Type>(element.localName) ?? []),
    ]);
    return now[before.indexOf(element)];
  }

  /**
   * React handles an input event only if the value differs from the last one that it saw, which is why this bypasses React's
   * own setter on the element.
   */
  function changeValue({ field, value }: ChangedField): void {
    field.value = field.defaultValue;
    const prototype: unknown = Object.getPrototypeOf(field);
    Object.getOwnPropertyDescriptor(prototype, "value")?.set?.call(field, value);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function leaveField({ field }: ChangedField): void {
    if (document.activeElement === field) return;
    field.dispatchEvent(new FocusEvent("focusout", { bubbles: true }));
  }
}
