import { useRef } from "react";
import { loadModule } from "../loading/load-module.ts";
import { readPublicSettings } from "../supabase/public-settings.ts";

const importTurnstile = () => loadModule(() => import("./turnstile.ts"));

/** The optional check by Cloudflare Turnstile. Without a site key it does nothing and loads nothing. */
export function useTurnstile() {
  /** Where Cloudflare shows its question, if it has one. */
  const container = useRef<HTMLDivElement>(null);
  return {
    container,
    /** Loads the script. To be called when the visitor enters the form. */
    async prepare(): Promise<void> {
      if (!readPublicSettings().turnstileSiteKey) return;
      // A failure is reported when the token is requested.
      const turnstile = await importTurnstile().catch(() => null);
      turnstile?.loadTurnstile().catch(() => {});
    },
    /** A token for one message; null where no check is configured, or when it failed. */
    async getToken(): Promise<string | null> {
      const siteKey = readPublicSettings().turnstileSiteKey;
      if (!siteKey || !container.current) return null;
      const { getTurnstileToken } = await importTurnstile();
      return getTurnstileToken(container.current, siteKey);
    },
  };
}
