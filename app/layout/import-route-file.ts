import { createPath, type Location, matchRoutes } from "react-router";
import { loadModule } from "../loading/load-module.ts";
import { showToast } from "../ui/toast.ts";

// Globals that React Router itself defines.
declare global {
  interface Window {
    __reactRouterManifest?: {
      routes: Record<string, { module: string; clientLoaderModule?: string }>;
    };
    __reactRouterDataRouter?: import("react-router").DataRouter;
  }
}

/**
 * Imports a route's file in place of React Router's own `import()` (vite.route-files.ts), which reloads the
 * page after a failure: offline, that loses the page and everything typed. Here, if the server is reachable,
 * the browser loads the next page as a document, which gets the new files after a deployment. Otherwise the
 * current page stays, with a message, and the next navigation tries again.
 */
export async function importRouteFile(address: string): Promise<unknown> {
  for (;;) {
    try {
      return await loadModule(() => import(/* @vite-ignore */ address));
    } catch (error) {
      console.error(`Loading ${address} failed`, error);
      // A page needs several files, which fail together. One of them recovers for all.
      recovering ??= recover().finally(() => {
        recovering = undefined;
      });
      await recovering;
      await nextNavigationTo(address);
    }
  }
}

let recovering: Promise<void> | undefined;

async function recover(): Promise<void> {
  const router = window.__reactRouterDataRouter;
  const target = router?.state.navigation.location;
  if (!router || !target) return;
  const reachable = await isReachable(target);
  // The visitor may have started another navigation meanwhile.
  if (router.state.navigation.location !== target) return;
  if (reachable) {
    window.location.assign(createPath(target));
    return new Promise(() => {});
  }
  const { location } = router.state;
  // Cancels the failed navigation by navigating to the current page without reloading its data.
  await router.navigate(createPath(location), {
    replace: true,
    state: location.state,
    preventScrollReset: true,
    defaultShouldRevalidate: false,
  });
  showToast({
    tone: "error",
    title: "This page could not be loaded.",
    description: "Check your connection and try again.",
  });
}

async function isReachable(target: Location): Promise<boolean> {
  const signal = AbortSignal.timeout(10_000);
  return fetch(createPath(target), { method: "HEAD", signal }).then(
    ({ status }) => status < 500,
    () => false,
  );
}

/** Resolves when the next navigation that needs the file starts. */
function nextNavigationTo(address: string): Promise<void> {
  return new Promise((resolve) => {
    const stop = window.__reactRouterDataRouter?.subscribe(({ navigation }) => {
      if (!navigation.location || !needs(navigation.location, address)) return;
      stop?.();
      resolve();
    });
  });
}

function needs(location: Location, address: string): boolean {
  const matches = matchRoutes(window.__reactRouterDataRouter?.routes ?? [], location) ?? [];
  const routes = window.__reactRouterManifest?.routes ?? {};
  return matches.some(({ route }) => Object.values(routes[route.id ?? ""] ?? {}).includes(address));
}
