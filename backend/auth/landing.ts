// The one place that decides where a mailed link and the answer to it lead.

/**
 * A page of the site: of the wanted address only the path counts, whatever else it names.
 * @param wanted an absolute address, as supabase-js sends it. Anything else leads to the home page.
 */
export function landingOnSite(siteUrl: string, wanted: string | null | undefined): URL {
  const landing = new URL("/", siteUrl);
  const url = wanted && /^https?:\/\//i.test(wanted) ? URL.parse(wanted) : null;
  // One slash: a path that begins with two would name a host where it is read as a relative address.
  if (url) landing.pathname = url.pathname.replace(/^\/+/, "/");
  return landing;
}
