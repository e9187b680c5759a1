import type { PageSettings } from "../config/request-context.ts";

/** Reads how to reach the backend from what root.tsx wrote into the head of the page. */
export function readPublicSettings(): Omit<PageSettings, "siteUrl"> {
  const content = (name: string) =>
    document.head.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content;
  return {
    supabaseUrl: content("supabase-url") || null,
    anonKey: content("supabase-anon-key") ?? "",
    turnstileSiteKey: content("turnstile-site-key") || null,
  };
}

/** Address of the backend: the hosted project, or this site itself. */
export function projectUrl(): string {
  return readPublicSettings().supabaseUrl ?? window.location.origin;
}
