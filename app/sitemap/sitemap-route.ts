import { settingsContext } from "../config/request-context.ts";
import { xmlResponse } from "../seo/xml.ts";
import { clientContext } from "../supabase/client-context.ts";
import type { Route } from "./+types/sitemap-route";
import { listEntries } from "./list-entries.ts";
import { writeSitemap } from "./sitemap-xml.ts";

export async function loader({ context }: Route.LoaderArgs): Promise<Response> {
  const entries = await listEntries(context.get(clientContext));
  const { siteUrl } = context.get(settingsContext);
  return xmlResponse(writeSitemap(siteUrl, entries), "application/xml");
}
