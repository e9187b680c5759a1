import { createContext } from "react-router";

/** The settings that a rendered page may know. */
export interface PageSettings {
  siteUrl: string;
  /** Address of the hosted project; null when the backend shares the site's origin. */
  supabaseUrl: string | null;
  /** Public by design. */
  anonKey: string;
  /** Null where the contact forms ask nobody whether their visitor is human. */
  turnstileSiteKey: string | null;
}

export const settingsContext = createContext<PageSettings>();
