import { createPath, type Location, matchRoutes } from "react-router";
import { loadModule } from "../loading/load-module.ts";
import { showToast } from "../ui/toast.ts";

// What React Router itself keeps on the window of a page that it rendered.
declare global {
  interface Window {
    __reactRouterManifest?: { routes: Record<string, object> };
    __reactRouterDataRouter?: import("react-router").DataRouter;
  }
}

/**
 * Imports a file of a route in place of React Router's own `import()` (vite.route-files.ts), which
 * answers a failure by reloading the page: offline, that takes it away with everything typed. Here the
 * browser navigates to the next page when the server can be reached, which after a deployment brings
 * its new files. Otherwise the page stays, with a message, and the next navigation tries again.
 */
export async function importRouteFile(address: string): Promise<unknown> {
  for (;;) {
    try {
      return await loadModule(() => import(/* @vite-ignore */ address));
    } catch (error) {
      console.error(`Loading ${address} failed`, error);
      // A page needs several files at once. They fail together, and one of them acts on it.
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
  // The visitor may have gone somewhere else meanwhile.
  if (router.state.navigation.location !== target) return;
  if (reachable) {
    window.location.assign(createPath(target));
    return new Promise(() => {});
  }
  const { location } = router.state;
  // A navigation to the page that is already shown, without loading its data, cancels the other one.
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

/** Resolves when a navigation starts that needs the file. */
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
