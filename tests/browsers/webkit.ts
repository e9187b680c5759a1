import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import freePort from "get-port";
import { Builder, By } from "selenium-webdriver";
import type { Browser } from "./browser.ts";
import { createTemporaryFolder, endAtExit, endNow, remove } from "./cleanup.ts";
import type { WebKitInstallation } from "./installed.ts";

const timeout = 30_000;

/** The MiniBrowser of WebKitGTK over WebDriver, on a separate display when Xvfb is installed. */
export async function startWebKit(installed: WebKitInstallation): Promise<Browser> {
  const home = createTemporaryFolder("webkit-home");
  // The toolbar's buttons make the window wider than a phone unless they may shrink.
  mkdirSync(join(home, "gtk-3.0"));
  writeFileSync(
    join(home, "gtk-3.0/gtk.css"),
    "* { min-width: 0; padding: 0; margin: 0; border-width: 0; }",
  );
  const screen = installed.xvfb ? await startXvfb(installed.xvfb) : null;
  const port = await freePort();
  const driver = spawn(installed.driver, [`--port=${port}`, "--host=127.0.0.1"], {
    detached: true,
    stdio: "ignore",
    env: {
      ...process.env,
      ...(screen ? { DISPLAY: screen.display, GDK_BACKEND: "x11" } : {}),
      HOME: home,
      XDG_CONFIG_HOME: home,
      XDG_CACHE_HOME: home,
      XDG_DATA_HOME: home,
    },
  });
  endAtExit(driver);
  const server = `http://127.0.0.1:${port}`;
  await waitForServer(`${server}/status`, driver);
  const webkit = await new Builder()
    .usingServer(server)
    .withCapabilities({
      browserName: "MiniBrowser",
      "webkitgtk:browserOptions": { binary: installed.miniBrowser, args: ["--automation"] },
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
      await Promise.race([webkit.quit().catch(() => {}), sleep(5_000)]);
      await endNow(driver);
      if (screen) await endNow(screen.process);
      remove(home);
    },
  };
}

async function startXvfb(program: string): Promise<{ process: ChildProcess; display: string }> {
  // Xvfb picks a free display and writes its number to file descriptor 3.
  const xvfb = spawn(
    program,
    ["-displayfd", "3", "-screen", "0", "1400x1000x24", "-nolisten", "tcp"],
    { detached: true, stdio: ["ignore", "ignore", "ignore", "pipe"] },
  );
  endAtExit(xvfb);
  const output = xvfb.stdio[3] as Readable;
  const number = await Promise.race([
    new Promise<Buffer>((resolve) => output.once("data", resolve)),
    sleep(timeout, null, { ref: false }),
  ]);
  if (!number) throw new Error("Xvfb did not start");
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
