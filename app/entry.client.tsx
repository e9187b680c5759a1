import { startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";

startTransition(() => {
  hydrateRoot(document, <HydratedRouter />);
});

// Runs only inside the settings page, which frames this window (preview.tsx).
if (window.name === "settings-preview") import("./manage/settings/preview-frame.ts");
