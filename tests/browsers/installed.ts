// Finds Firefox and WebKitGTK on this machine.
import { existsSync, globSync } from "node:fs";

export const installHint = "On Debian: apt-get install firefox-esr webkit2gtk-driver xvfb";

export interface WebKitInstallation {
  driver: string;
  miniBrowser: string;
  /** Null when a display already exists. */
  xvfb: string | null;
}

/** @returns the path of the program, or null. FIREFOX overrides it. */
export function findFirefox(): string | null {
  const { FIREFOX } = process.env;
  return firstExisting(FIREFOX ? [FIREFOX] : ["/usr/bin/firefox-esr", "/usr/bin/firefox"]);
}

/** @returns null when a part is missing. WEBKIT_DRIVER and MINI_BROWSER override the programs. */
export function findWebKit(): WebKitInstallation | null {
  const { WEBKIT_DRIVER = "/usr/bin/WebKitWebDriver", MINI_BROWSER, DISPLAY } = process.env;
  const driver = firstExisting([WEBKIT_DRIVER]);
  const miniBrowser = firstExisting(
    MINI_BROWSER
      ? [MINI_BROWSER]
      : globSync([
          "/usr/lib/*/webkit2gtk-4.*/MiniBrowser",
          "/usr/libexec/webkit2gtk-4.*/MiniBrowser",
        ]),
  );
  // Prefer a separate display, where no window manager resizes the window.
  const xvfb = firstExisting(["/usr/bin/Xvfb"]);
  if (!driver || !miniBrowser || !(xvfb || DISPLAY)) return null;
  return { driver, miniBrowser, xvfb };
}

function firstExisting(paths: string[]): string | null {
  return paths.find((path) => existsSync(path)) ?? null;
}
