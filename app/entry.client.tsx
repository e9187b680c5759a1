import { startTransition } from "react";
import { hydrateRoot, type RootOptions } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { showWithoutScripts } from "./layout/show-without-scripts.ts";
import { loadOwnerParts } from "./loading/lazy-part.tsx";
import { mayHaveSession } from "./supabase/browser-client.ts";
import { visitorsPages } from "./visitors-pages.ts";

// Globals that React Router itself defines.
declare global {
  interface Window {
    __reactRouterManifest: { routes: Record<string, unknown> };
    /** By the id of the route. React Router imports the files of the others when they are opened. */
    __reactRouterRouteModules: Record<string, unknown>;
  }
}

for (const id of Object.keys(window.__reactRouterManifest.routes)) {
  const file = id.startsWith("manage") ? "./layout/owner-page.tsx" : `./${id}.tsx`;
  const page = visitorsPages[file];
  if (page) window.__reactRouterRouteModules[id] = page;
}

/** In milliseconds, for the parts of a signed-in user, without which the page is hydrated then. */
const partsTimeout = 2000;

const options: RootOptions = {
  onCaughtError(error, { errorBoundary }) {
    console.error(error);
    // Ours, and that of React Router's Await, render their content again.
    if (errorBoundary && ("recovers" in errorBoundary || "resolve" in errorBoundary.props)) return;
    // The others show an error page. That of a signed-in user stays, whose pages need scripts.
    if (!mayHaveSession()) showWithoutScripts();
  },
  onUncaughtError(error) {
    reportError(error);
    showWithoutScripts();
  },
};

function hydrate(): void {
  startTransition(() => {
    hydrateRoot(document, <HydratedRouter />, options);
  });
}

// The user's controls are rendered with the page, not after it.
if (mayHaveSession()) {
  const timedOut = new Promise((resolve) => setTimeout(resolve, partsTimeout));
  void Promise.race([loadOwnerParts(), timedOut]).then(hydrate);
} else hydrate();

// Runs only inside the settings page, which frames this window (preview.tsx).
if (window.name === "settings-preview") import("./manage/settings/preview-frame.ts");
