// Reads who receives and who sends mails, and what each says about the firm, before each delivery.
import type { SupabaseClient } from "@supabase/supabase-js";
import { composeMailEnding } from "../_shared/licenses.ts";
import {
  chooseAddresses,
  type Documents,
  type MailAddresses,
  type MailEnvironment,
  textIn,
} from "../_shared/mail-addresses.ts";
import type { Brand } from "./layout.ts";

export interface Addressing extends MailAddresses {
  brand: Brand;
}

/** What the settings of the function say of the site's origin; the address that an owner has confirmed comes between them. */
export interface SiteSetting {
  set: string | null;
  fallback: string | null;
}

const sections = ["mail", "contact", "adviser", "firm", "look", "licenses", "disclosures"];

export function createAddressBook(
  client: SupabaseClient,
  environment: MailEnvironment,
  site: SiteSetting,
): () => Promise<Addressing> {
  let known: Record<string, unknown> = {};
  let confirmed: string | null = null;

  return async function readAddresses() {
    const [{ data, error }, address] = await Promise.all([
      client.from("site_settings").select("section, document").in("section", sections),
      client.from("public_site_settings").select("document").eq("section", "address"),
    ]);
    // Uses the last known addresses while the database is down, because a message may be waiting to be sent.
    if (!error)
      known = Object.fromEntries(data.map(({ section, document }) => [section, document]));
    if (!address.error) confirmed = textIn(address.data[0]?.document, "origin") || null;
    const origin = site.set ?? confirmed ?? site.fallback;
    return { ...chooseAddresses(known, environment), brand: brandOf(known, origin) };
  };
}

export function brandOf(documents: Documents, site: string | null): Brand {
  const { firm, look, contact } = documents;
  const color = textIn(look, "mainColor");
  return {
    name: textIn(firm, "name") || (site ? new URL(site).host : "Your website"),
    site,
    logo: site ? readLogo(look, site) : null,
    color: /^#[0-9a-f]{6}$/.test(color) ? color : "#1e4a40",
    ending: composeMailEnding(documents, Date.now()),
    timeZone: textIn(contact, "timeZone") || "UTC",
  };
}

/** The path of a file of the bucket, or of the site; mail programs show no SVG. */
function readLogo(look: unknown, site: string): Brand["logo"] {
  const { src, width, height } = Object(Object(look).logo);
  if (typeof src !== "string" || !(width > 0 && height > 0) || /\.svg/i.test(src)) return null;
  const upload = src.match(/^images\/public\/(.+)$/)?.[1];
  const path = upload ? `/images/640/uploads/${upload}` : src;
  return path.startsWith("/") ? { src: site + path, width, height } : null;
}
