import { setTimeout as sleep } from "node:timers/promises";
import type { Browser } from "./browsers.ts";
import { stopCollecting } from "./page-problems.ts";

/** Timeout of a condition in milliseconds, generous for a busy machine. */
const timeout = 20_000;

/** An XPath condition on the element's whole text, including text that only screen readers read. */
export function byText(text: string): string {
  return `[normalize-space()=${JSON.stringify(text)}]`;
}

/** Finds the field with this label. */
export function field(label: string): string {
  return `//*[@id=//label${byText(label)}/@for]`;
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

  async open(path: string): Promise<void> {
    await this.#browser.evaluate(stopCollecting);
    await this.#browser.goto(`${this.#siteUrl}${path}`);
  }

  async resize(width: number): Promise<void> {
    await this.#browser.resize(width);
    await this.until(`the page is ${width} px wide`, `innerWidth === ${width}`);
  }

  async click(xpath: string): Promise<void> {
    const found = await this.expectVisible(xpath);
    const scroll = `${matches(found)}[0].scrollIntoView({ block: "center", behavior: "instant" })`;
    // WebKit's driver rejects clicks on elements that it would have to scroll into view.
    await this.#browser.evaluate(`void ${scroll}`);
    await this.#browser.click(found);
  }

  async type(xpath: string, text: string): Promise<void> {
    await this.#browser.type(await this.expectVisible(xpath), text);
  }

  /** @param file relative to the project's folder */
  async upload(xpath: string, file: string): Promise<void> {
    await this.until(`${xpath} exists`, `${matches(xpath)}.length > 0`);
    await this.#browser.upload(xpath, `${process.cwd()}/${file}`);
  }

  /** Waits until an element with exactly this text is visible. */
  async see(text: string): Promise<void> {
    await this.expectVisible(`//body//*${byText(text)}`);
  }

  /** @returns the XPath of the first visible match. */
  async expectVisible(xpath: string): Promise<string> {
    const index = await this.until(`${xpath} is visible`, firstVisible(xpath));
    return `(${xpath})[${index}]`;
  }

  async expectHidden(xpath: string): Promise<void> {
    await this.until(`${xpath} is hidden`, `!${firstVisible(xpath)}`);
  }

  /** @returns a property of the first visible match. */
  async property(xpath: string, name: string): Promise<unknown> {
    const found = await this.expectVisible(xpath);
    return this.#browser.evaluate(`${matches(found)}[0].${name}`);
  }

  async arrived(path: string): Promise<void> {
    await this.until(`the address is ${path}`, `location.pathname === ${JSON.stringify(path)}`);
  }

  /** Waits for hydration. */
  async waitForHydration(): Promise<void> {
    await this.until("the page is hydrated", "window.isHydrated === true");
  }

  async expectNoSidewaysScrolling(): Promise<void> {
    const extra = await this.#browser.evaluate("document.documentElement.scrollWidth - innerWidth");
    if (Number(extra) > 0) throw new Error(`The page scrolls sideways by ${extra} px`);
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
