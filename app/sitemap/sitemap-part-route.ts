import { settingsContext } from "../config/request-context.ts";
import { xmlResponse } from "../seo/xml.ts";
import { clientContext } from "../supabase/client-context.ts";
import type { Route } from "./+types/sitemap-part-route";
import { listEntries } from "./list-entries.ts";
import { writeSitemapPart } from "./sitemap-xml.ts";

/** `/sitemap/2.xml`: a part of a sitemap that is too large for one file. */
export async function loader({ context, params }: Route.LoaderArgs): Promise<Response> {
  const [, number] = params.file.match(/^(\d{1,4})\.xml$/) ?? [];
  const entries = number ? await listEntries(context.get(clientContext)) : [];
  const part = writeSitemapPart(context.get(settingsContext).siteUrl, entries, Number(number));
  return part === null
    ? new Response("Not found", { status: 404 })
    : xmlResponse(part, "application/xml");
}
