import { createContext } from "react-router";

/** The settings that a rendered page may know. */
export interface PageSettings {
  siteUrl: string;
  /** Address of the hosted project; null when the backend shares the site's origin. */
  supabaseUrl: string | null;
  /** Public by design. */
  anonKey: string;
}

export const settingsContext = createContext<PageSettings>();
