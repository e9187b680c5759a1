import { setTimeout as sleep } from "node:timers/promises";
import type { Browser } from "./browsers.ts";
import { stopCollecting } from "./page-problems.ts";

/** Timeout of a condition in milliseconds, generous for a busy machine. */
const timeout = 20_000;

/** An XPath condition on the element's whole text, including text that only screen readers read. */
export function byText(text: string): string {
  return `[normalize-space()=${JSON.stringify(text)}]`;
}

/**
 * A browser's tab on the site. Every operation waits for its element and fails after the timeout.
 */
export class Tab {
  readonly #browser: Browser;
  readonly #siteUrl: string;

  constructor(browser: Browser, siteUrl: string) {
    this.#browser = browser;
    this.#siteUrl = siteUrl;
  }

  /** Opens a page, which must fit this width, and waits for its hydration. */
  async open(path: string, width = 1280): Promise<void> {
    await this.#browser.evaluate(stopCollecting);
    await this.#browser.resize(width);
    await this.#browser.goto(`${this.#siteUrl}${path}`);
    await this.until("the page is hydrated", "window.isHydrated === true");
    await this.until(`the page is ${width} px wide`, `innerWidth === ${width}`);
    await this.until("it fits", "document.documentElement.scrollWidth <= innerWidth");
  }

  async click(xpath: string): Promise<void> {
    const found = await this.find(xpath);
    const scroll = `${matches(found)}[0].scrollIntoView({ block: "center", behavior: "instant" })`;
    // WebKit's driver rejects clicks on elements that it would have to scroll into view.
    await this.#browser.evaluate(`void ${scroll}`);
    await this.#browser.click(found);
  }

  press(button: string): Promise<void> {
    return this.click(`//button${byText(button)}`);
  }

  /** Types into the field with this label. */
  async type(label: string, text: string): Promise<void> {
    const xpath = await this.find(`//*[@id=//label${byText(label)}/@for]`);
    await this.#browser.type(xpath, text);
  }

  /** Chooses a file of the project in the page's file input. */
  upload(file: string): Promise<void> {
    return this.#browser.upload('//input[@type="file"]', `${process.cwd()}/${file}`);
  }

  /** Waits until an element with exactly this text is visible. */
  async see(text: string): Promise<void> {
    await this.find(`//body//*${byText(text)}`);
  }

  /** Waits for a visible match. @returns its XPath */
  async find(xpath: string): Promise<string> {
    const index = await this.until(`${xpath} is visible`, firstVisible(xpath));
    return `(${xpath})[${index}]`;
  }

  async expectHidden(xpath: string): Promise<void> {
    await this.until(`${xpath} is hidden`, `!${firstVisible(xpath)}`);
  }

  async arrived(path: string): Promise<void> {
    await this.until(`the address is ${path}`, `location.pathname === ${JSON.stringify(path)}`);
  }

  evaluate(expression: string): Promise<unknown> {
    return this.#browser.evaluate(expression);
  }

  /** @returns the first truthy value of the expression. */
  async until(what: string, expression: string): Promise<unknown> {
    const end = performance.now() + timeout;
    let error: unknown;
    do {
      try {
        const value = await this.#browser.evaluate(expression);
        if (value) return value;
      } catch (thrown) {
        // Navigation can destroy the page during the evaluation.
        error = thrown;
      }
      await sleep(50);
    } while (performance.now() < end);
    throw new Error(`Timed out after ${timeout / 1000} s: ${what}`, { cause: error });
  }
}

function matches(xpath: string): string {
  return `((found) => Array.from({ length: found.snapshotLength }, (_, at) => found.snapshotItem(at)))(
    document.evaluate(${JSON.stringify(xpath)}, document, null, 7, null))`;
}

/** The position of the first visible match, from 1; 0 without a match. */
function firstVisible(xpath: string): string {
  return `(${matches(xpath)}.findIndex((element) => element.checkVisibility({ visibilityProperty: true })) + 1)`;
}
