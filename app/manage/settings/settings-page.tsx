import { siteOf } from "../../config/use-site.ts";
import { lazyPart } from "../../loading/lazy-part.tsx";
import { Loaded } from "../../loading/loaded.tsx";
import { mayHaveSession } from "../../supabase/browser-client.ts";
import { LoadFailure, ReadFailure } from "../../ui/load-state.tsx";
import type { Route } from "./+types/settings-page";
import { loadStoredSettings } from "./load-stored-settings.ts";
import { Forbidden, SettingsFrame, SettingsLoading } from "./settings-frame.tsx";
import type { LoadedSettings } from "./settings-store.ts";

// Loaded separately, so that a visitor who opens this address does not load the code of the settings.
const SectionList = lazyPart(
  () => import("./section-list.tsx"),
  ({ onRetry }) => (
    <SettingsFrame title="Settings">
      <LoadFailure what="The settings" onRetry={onRetry} className="mt-8" />
    </SettingsFrame>
  ),
);

export async function clientLoader() {
  // Without a session the protected layout redirects to the login; skip the request.
  if (!mayHaveSession()) return { settings: null };
  return { settings: loadStoredSettings() };
}
clientLoader.hydrate = true as const;

export function meta({ matches }: Route.MetaArgs) {
  return [
    { title: `Settings | ${siteOf(matches).firm.name}` },
    { name: "robots", content: "noindex" },
  ];
}

export function HydrateFallback() {
  return <SettingsLoading title="Settings" />;
}

export default function SettingsPage({ loaderData: { settings } }: Route.ComponentProps) {
  if (!settings) return <SettingsLoading title="Settings" />;
  return (
    <Loaded<LoadedSettings>
      data={settings}
      of="settings"
      fallback={<SettingsLoading title="Settings" />}
      failure={(failed) => (
        <SettingsFrame title="Settings">
          <ReadFailure
            failed={failed}
            text="The settings can't be shown right now. Nothing of them is lost."
          />
        </SettingsFrame>
      )}
    >
      {(stored) => (stored === "forbidden" ? <Forbidden /> : <SectionList stored={stored} />)}
    </Loaded>
  );
}
