import { type RefObject, useRef } from "react";
import { loadModule } from "../loading/load-module.ts";
import { readPublicSettings } from "../supabase/browser-client.ts";

interface HumanCheck {
  /** Where a question to the visitor appears, if there is one. */
  place: RefObject<HTMLDivElement | null>;
  /** To be called when the visitor enters the form. */
  prepare(): void;
  /** A token to send along; null where no check is configured, or when it failed. */
  getToken(): Promise<string | null>;
}

const importTurnstile = () => loadModule(() => import("./turnstile.ts"));

/** The optional check by Turnstile. Without a key it does nothing and loads nothing. */
export function useHumanCheck(): HumanCheck {
  const place = useRef<HTMLDivElement>(null);
  return {
    place,
    async prepare() {
      if (!readPublicSettings().turnstileSiteKey) return;
      // A failure shows when the token is asked for.
      const turnstile = await importTurnstile().catch(() => null);
      turnstile?.loadTurnstile().catch(() => {});
    },
    async getToken() {
      const siteKey = readPublicSettings().turnstileSiteKey;
      if (!siteKey || !place.current) return null;
      const { getTurnstileToken } = await importTurnstile();
      return getTurnstileToken(place.current, siteKey);
    },
  };
}
