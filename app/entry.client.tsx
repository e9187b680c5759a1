import { startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";

// Without this, zod tries `eval`, which the Content-Security-Policy forbids and reports.
const zod = globalThis as { __zod_globalConfig?: { jitless?: boolean } };
zod.__zod_globalConfig ??= {};
zod.__zod_globalConfig.jitless = true;

startTransition(() => {
  hydrateRoot(document, <HydratedRouter />);
});

// Only inside the settings page, which frames this window (preview.tsx).
if (window.name === "settings-preview") import("./manage/settings/preview-frame.ts");
