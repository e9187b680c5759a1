// Values that the server passes to the loaders and the rendering of one request.
import { createContext } from "react-router";
import type { Site } from "./public-site.ts";
import type { SiteSettings } from "./site-schema.ts";

export interface PageSettings {
  /** The public address, without a slash at the end. */
  siteUrl: string;
  /** Address of the hosted project; null when the backend shares the site's origin. */
  supabaseUrl: string | null;
  anonKey: string;
  /** Null when the contact forms use no Turnstile check. */
  turnstileSiteKey: string | null;
  /** Whether the site can send mails. True with a hosted project, which sends them itself. */
  sendsMail: boolean;
}

export const pageSettingsContext = createContext<PageSettings>();

export interface CurrentSite {
  site: Site;
  settings: SiteSettings;
  /** The slugs of pages of the owner's own, by their former ones. */
  formerPages: Readonly<Record<string, string>>;
  /** The version, which grows with each publication and each day. */
  version: number;
}

export const siteContext = createContext<CurrentSite>();

/** What the root route's loader sends to the browser. */
export interface RootData extends Pick<CurrentSite, "site" | "version"> {
  settings: PageSettings;
  /** Of the footer. From the server, because the browser may already be in the next one. */
  year: number;
}

/**
 * Marks the inline scripts of one rendering, so that the server hashes these for the CSP and no script that
 * stored text injected. The server removes it from the HTML.
 */
export const nonceContext = createContext<string>();
