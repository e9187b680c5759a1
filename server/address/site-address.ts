// The public address of the site: SITE_URL, or the address that an owner has confirmed in the browser. It is never derived from
// request headers, which clients control.
import { z } from "zod";
import type { ServerSettings } from "../../app/config/server-settings.ts";
import { isPublicAddress } from "../../app/config/site.ts";

export interface SiteAddress {
  /** Without a slash at the end. */
  url: string;
  /** Null when neither is known, and `url` is where the site listens. */
  source: "environment" | "confirmed" | null;
  /** Whether the site is set up for real visitors. */
  isPublic: boolean;
}

/** The row of `public_site_settings` with the confirmed address. */
export const addressSection = "address";
const documentSchema = z.object({ origin: z.url({ protocol: /^https?$/ }) });

/** @param stored the document of its row */
export function chooseAddress(
  { siteUrl, isSiteUrlSet }: Pick<ServerSettings, "siteUrl" | "isSiteUrlSet">,
  stored: unknown,
): SiteAddress {
  const { data } = documentSchema.safeParse(stored);
  if (isSiteUrlSet || !data) {
    const isPublic = isSiteUrlSet && isPublicAddress(siteUrl);
    return { url: siteUrl, source: isSiteUrlSet ? "environment" : null, isPublic };
  }
  return { url: data.origin, source: "confirmed", isPublic: isPublicAddress(data.origin) };
}

/** @param rows of `public_site_settings` */
export function addressIn(
  settings: Pick<ServerSettings, "siteUrl" | "isSiteUrlSet">,
  rows: readonly { section: string; document?: unknown }[],
): SiteAddress {
  const row = rows.find(({ section }) => section === addressSection);
  return chooseAddress(settings, row?.document);
}
