import { loadModule } from "../../loading/load-module.ts";
import type { Result } from "../../loading/loaded.tsx";
import type { LoadedSettings } from "./settings-store.ts";

/** Loads the settings, and the code for it: a visitor who opens the address needs neither. */
export async function loadStoredSettings(): Promise<Result<LoadedSettings>> {
  try {
    const { loadSettings } = await loadModule(() => import("./settings-store.ts"));
    return await loadSettings();
  } catch {
    return { failed: true };
  }
}
