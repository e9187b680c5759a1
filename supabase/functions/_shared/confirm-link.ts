// The links of mails about an account, and the setup link, which the start of a new site prints. They lead to a page of the
// site whose button sends the token with POST, because mail scanners open links.

export const linkTypes = ["recovery", "invite", "email_change"] as const;
export type LinkType = (typeof linkTypes)[number];

/** The templates of a hosted project (supabase/templates) make the same links. */
export function confirmLink(siteUrl: string, type: LinkType | "setup", token: string): URL {
  const link = new URL("/confirm", siteUrl);
  // In the fragment, which is neither sent to the server nor logged.
  link.hash = String(new URLSearchParams({ token_hash: token, type }));
  return link;
}
