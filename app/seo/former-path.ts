// The addresses that imported posts and pages had on the site before. They redirect once the post is public.
import { redirect } from "react-router";
import { importedPosts } from "../../supabase/functions/_shared/database-limits.ts";
import type { Client } from "../supabase/client-context.ts";

const maxParameters = 50;

/** Parameters that other sites add to links. */
const ignored = /^(?:utm(?:_\w+)?|fbclid|gclid|msclkid|yclid|mc_[ce]id|_ga|_gl)$/i;

interface FormerAddress {
  /** In lower case, without a slash at its end. */
  path: string;
  /** In lower case and sorted, such as 'id=5'. */
  parameters: string[];
}

/** The parts of an address that tell it from those of other posts. Null for a home page. */
function partsOf({ pathname, searchParams }: URL): FormerAddress | null {
  const path = pathname.replace(/\/+$/, "");
  const parameters = [...searchParams]
    .filter(([name]) => !ignored.test(name))
    .map(([name, value]) => String(new URLSearchParams([[name, value]])).toLowerCase())
    .sort();
  if (path) return { path: path.toLowerCase(), parameters };
  // WordPress without readable addresses. The home page has no other parameters: its cached renderings serve them all.
  const post = parameters.find((parameter) => /^(?:p|page_id)=\d{1,9}$/.test(parameter));
  return post ? { path: "/", parameters: [post] } : null;
}

/** A former address as it is stored: '/2019/my-post', '/post.aspx?id=5' or '/?p=12'. Null for a home page. */
export function formerPathOf(url: URL): string | null {
  const { path, parameters } = partsOf(url) ?? {};
  if (!path || !parameters) return null;
  const query = parameters.length > 0 ? `?${parameters.join("&")}` : "";
  return path.length + query.length <= importedPosts.former_path &&
    parameters.length <= maxParameters
    ? path + query
    : null;
}

/**
 * The redirect of an address that has no page, if an imported post had it.
 * @returns null when none had it, or when it is not known now
 */
export async function findFormerPath(client: Client, request: Request): Promise<Response | null> {
  const address = partsOf(new URL(request.url));
  if (!address || address.path.length > importedPosts.former_path) return null;
  if (address.parameters.length > maxParameters) return null;
  const { data: path } = await client.rpc("find_former_path", { ...address });
  return path ? movedPermanently(path) : null;
}

/** Limits how long browsers cache the 301: another page may take the address later. */
export function movedPermanently(path: string): Response {
  const headers = { "cache-control": "public, max-age=3600" };
  return redirect(path, { status: 301, headers });
}
