import { settingsContext } from "../config/request-context.ts";
import { xmlResponse } from "../seo/xml.ts";
import { clientContext } from "../supabase/client-context.ts";
import type { Route } from "./+types/atom-route";
import { feedLength, writeAtom } from "./feed.ts";
import { listPosts } from "./posts.ts";

export async function loader({ context }: Route.LoaderArgs): Promise<Response> {
  const posts = await listPosts(context.get(clientContext), 0, feedLength);
  return xmlResponse(
    writeAtom(context.get(settingsContext).siteUrl, posts),
    "application/atom+xml",
  );
}
