import { data } from "react-router";
import { siteOf } from "../../config/use-site.ts";
import { lazyPart } from "../../loading/lazy-part.tsx";
import { loadModule } from "../../loading/load-module.ts";
import { Loaded } from "../../loading/loaded.tsx";
import { mayHaveSession } from "../../supabase/browser-client.ts";
import { LoadFailure, ReadFailure } from "../../ui/load-state.tsx";
import type { Route } from "./+types/section-page";
import { loadStoredSettings } from "./load-stored-settings.ts";
import { Forbidden, SettingsFrame, SettingsLoading } from "./settings-frame.tsx";
import type { LoadedSettings } from "./settings-store.ts";

const title = "Settings";

// Loaded separately, so that a visitor who opens this address does not load the code of the settings.
const SectionEditor = lazyPart(
  () => import("./section-editor.tsx"),
  ({ onRetry }) => (
    <SettingsFrame title={title}>
      <LoadFailure what="This form" onRetry={onRetry} className="mt-8" />
    </SettingsFrame>
  ),
);

export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  // Without a session the protected layout redirects to the login; skip the request.
  if (!mayHaveSession()) return { settings: null };
  // When this code cannot be loaded, the form cannot either, and says so.
  const names = await loadModule(() => import("./sections.ts")).catch(() => null);
  if (names?.isSectionName(params.section) === false) throw data(null, { status: 404 });
  return { settings: loadStoredSettings() };
}
clientLoader.hydrate = true as const;

export function meta({ matches }: Route.MetaArgs) {
  return [
    { title: `${title} | ${siteOf(matches).firm.name}` },
    { name: "robots", content: "noindex" },
  ];
}

export function HydrateFallback() {
  return <SettingsLoading title={title} />;
}

export default function SectionPage({ loaderData, params }: Route.ComponentProps) {
  const { settings } = loaderData;
  if (!settings) return <SettingsLoading title={title} />;
  return (
    <Loaded<LoadedSettings>
      data={settings}
      of="settings"
      fallback={<SettingsLoading title={title} />}
      failure={(failed) => (
        <SettingsFrame title={title}>
          <ReadFailure
            failed={failed}
            text="The settings can't be shown right now. Nothing of them is lost."
          />
        </SettingsFrame>
      )}
    >
      {(stored) =>
        stored === "forbidden" ? (
          <Forbidden />
        ) : (
          <SectionEditor key={params.section} section={params.section} stored={stored} />
        )
      }
    </Loaded>
  );
}
