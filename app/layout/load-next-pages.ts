import { loadModule } from "../loading/load-module.ts";

declare global {
  /** https://wicg.github.io/savedata/; not in Safari and Firefox. */
  interface Navigator {
    connection?: { saveData: boolean };
  }
}

/** Loads the code of the visitor's other pages, so that they open at once. Not for visitors who save data. */
export function loadNextPages(): void {
  const routes = navigator.connection?.saveData ? {} : window.__reactRouterManifest?.routes;
  for (const [id, { module, clientLoaderModule = module }] of Object.entries(routes ?? {})) {
    if (!/^(?!manage|auth|layout).*-page$/.test(id)) continue;
    for (const address of new Set([module, clientLoaderModule])) {
      // After a failure, opening the page tries again.
      loadModule(() => import(/* @vite-ignore */ address)).catch(() => {});
    }
  }
}
