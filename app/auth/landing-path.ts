/**
 * Where a person who has signed in arrives: on the page that redirected to the login, only of this site; else on the blog,
 * or on the overview of a site that is not set up.
 * @param state of the location
 */
export function landingPath(state: unknown, isDefault: boolean): string {
  const from = state && typeof state === "object" && "from" in state ? state.from : null;
  if (typeof from === "string" && /^\/(?!\/)/.test(from)) return from;
  return isDefault ? "/manage" : "/blog";
}
