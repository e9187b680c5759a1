// The site as a new installation shows it.
import { toPublicSite } from "../app/config/public-site.ts";
import { defaultSettings } from "../app/config/site.ts";

export const defaultSite = toPublicSite(defaultSettings);
