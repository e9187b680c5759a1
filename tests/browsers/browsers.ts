// Firefox and WebKitGTK, as far as they are installed on this machine.
import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { launch } from "puppeteer-core";
import { Builder, By } from "selenium-webdriver";
import { freePort } from "../free-port.ts";

/** The browser operations that the flows use, in one open tab. Elements are found by XPath. */
export interface Browser {
  /** Sets the width of the page's viewport, with a suitable height. In CSS pixels. */
  resize(width: number): Promise<void>;
  /** Resolves after the page's `load` event. */
  goto(url: string): Promise<void>;
  click(xpath: string): Promise<void>;
  /** Types a text into a field. */
  type(xpath: string, text: string): Promise<void>;
  /** Chooses a file in a file input, which may be hidden. */
  upload(xpath: string, file: string): Promise<void>;
  /** @returns the value of a JavaScript expression, which must be serializable as JSON. */
  evaluate(expression: string): Promise<unknown>;
  /** Ends the browser and every process that was started for it. */
  close(): Promise<void>;
}

export const installHint = "On Debian: apt-get install firefox-esr webkit2gtk-driver xvfb";
const timeout = 30_000;
/** How many milliseconds a browser gets to close by itself. */
const closeTimeout = 5_000;

/** @returns functions that start each browser; null for one that is not installed */
export function findBrowsers(): { name: string; start: (() => Promise<Browser>) | null }[] {
  const { FIREFOX, WEBKIT_DRIVER, MINI_BROWSER, DISPLAY } = process.env;
  const firefox = firstExisting(FIREFOX ? [FIREFOX] : globSync("/usr/bin/firefox{-esr,}"));
  const driver = firstExisting([WEBKIT_DRIVER ?? "/usr/bin/WebKitWebDriver"]);
  const miniBrowser = firstExisting(
    MINI_BROWSER ? [MINI_BROWSER] : globSync("/usr/lib{/*,exec}/webkit2gtk-4.*/MiniBrowser"),
  );
  // Prefer a separate display, where no window manager resizes the window.
  const xvfb = firstExisting(["/usr/bin/Xvfb"]);
  const hasWebKit = driver && miniBrowser && (xvfb || DISPLAY);
  return [
    { name: "Firefox", start: firefox ? () => startFirefox(firefox) : null },
    { name: "WebKitGTK", start: hasWebKit ? () => startWebKit(driver, miniBrowser, xvfb) : null },
  ];
}

function firstExisting(paths: string[]): string | null {
  return paths.find((path) => existsSync(path)) ?? null;
}

/** Headless Firefox over WebDriver BiDi. */
async function startFirefox(executablePath: string): Promise<Browser> {
  const firefox = await launch({
    ...{ browser: "firefox", executablePath, headless: true },
    ...{ timeout, protocolTimeout: timeout },
  });
  const page = await firefox.newPage();

  async function find(xpath: string) {
    const element = await page.$(`xpath/${xpath}`);
    if (!element) throw new Error(`No element ${xpath}`);
    return element;
  }

  return {
    resize: (width) => page.setViewport({ width, height: 800 }),
    goto: async (url) => void (await page.goto(url, { waitUntil: "load", timeout })),
    click: async (xpath) => (await find(xpath)).click(),
    type: async (xpath, text) => (await find(xpath)).type(text),
    async upload(xpath, file) {
      const input = await (await find(xpath)).toElement("input");
      await input.uploadFile(file);
    },
    evaluate: (expression) => page.evaluate(expression),
    async close() {
      await Promise.race([firefox.close(), sleep(closeTimeout)]);
      firefox.process()?.kill("SIGKILL");
    },
  };
}

/** The MiniBrowser of WebKitGTK over WebDriver, on a separate display when Xvfb is installed. */
async function startWebKit(
  driverPath: string,
  miniBrowser: string,
  xvfb: string | null,
): Promise<Browser> {
  const home = await mkdtemp(join(tmpdir(), "webkit-home-"));
  // The toolbar's buttons make the window wider than a phone unless they may shrink.
  await mkdir(join(home, "gtk-3.0"));
  await writeFile(
    join(home, "gtk-3.0/gtk.css"),
    "* { min-width: 0; padding: 0; margin: 0; border-width: 0; }",
  );
  const screen = xvfb ? await startXvfb(xvfb) : null;
  const port = await freePort();
  const driver = spawnGroup(driverPath, [`--port=${port}`, "--host=127.0.0.1"], {
    stdio: "ignore",
    env: {
      ...process.env,
      ...(screen ? { DISPLAY: screen.display, GDK_BACKEND: "x11" } : {}),
      ...{ HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home, XDG_DATA_HOME: home },
    },
  });
  const server = `http://127.0.0.1:${port}`;
  await waitForServer(`${server}/status`, driver);
  const webkit = await new Builder()
    .usingServer(server)
    .withCapabilities({
      browserName: "MiniBrowser",
      "webkitgtk:browserOptions": { binary: miniBrowser, args: ["--automation"] },
    })
    .build();
  await webkit.manage().setTimeouts({ pageLoad: timeout, script: timeout, implicit: 0 });
  const find = (xpath: string) => webkit.findElement(By.xpath(xpath));

  return {
    async resize(width) {
      await webkit.manage().window().setRect({ width, height: 836 });
    },
    goto: (url) => webkit.get(url),
    click: (xpath) => find(xpath).click(),
    type: (xpath, text) => find(xpath).sendKeys(text),
    upload: (xpath, file) => find(xpath).sendKeys(file),
    evaluate: (expression) => webkit.executeScript(`return ${expression}`),
    async close() {
      await Promise.race([webkit.quit().catch(() => {}), sleep(closeTimeout)]);
      endGroup(driver);
      if (screen) endGroup(screen.process);
      // A killed process may still be writing.
      await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}

async function startXvfb(program: string): Promise<{ process: ChildProcess; display: string }> {
  // Xvfb picks a free display and writes its number to file descriptor 3.
  const xvfb = spawnGroup(
    program,
    ["-displayfd", "3", "-screen", "0", "1400x1000x24", "-nolisten", "tcp"],
    { stdio: ["ignore", "ignore", "ignore", "pipe"] },
  );
  const [number] = await once(xvfb.stdio[3] as Readable, "data", {
    signal: AbortSignal.timeout(timeout),
  });
  return { process: xvfb, display: `:${String(number).trim()}` };
}

async function waitForServer(url: string, driver: ChildProcess): Promise<void> {
  for (let waited = 0; waited < timeout; waited += 100) {
    if (driver.exitCode !== null) break;
    const response = await fetch(url).catch(() => null);
    if (response?.ok) return;
    await sleep(100);
  }
  throw new Error("WebKitWebDriver did not start");
}

/** Starts a program in a process group of its own, which ends with this process at the latest. */
function spawnGroup(program: string, parameters: string[], options: SpawnOptions): ChildProcess {
  const child = spawn(program, parameters, { ...options, detached: true });
  process.once("exit", () => endGroup(child));
  return child;
}

function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid) process.kill(-pid, "SIGKILL");
  } catch {
    // The group has already exited.
  }
}
