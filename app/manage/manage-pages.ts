import type { Role } from "../auth/roles.ts";

export type ManagePath =
  | "/manage"
  | "/messages"
  | "/manage/posts"
  | "/manage/testimonials"
  | "/manage/settings"
  | "/manage/visits"
  | "/manage/people"
  | "/manage/account";

interface ManagePage {
  to: ManagePath;
  label: string;
  roles: readonly Role[];
}

/** The pages that manage the site, in the order of their links. */
export const managePages: readonly ManagePage[] = [
  { to: "/manage", label: "Overview", roles: ["owner", "editor", "assistant"] },
  { to: "/messages", label: "Messages", roles: ["owner", "assistant"] },
  { to: "/manage/posts", label: "Posts", roles: ["owner", "editor"] },
  { to: "/manage/testimonials", label: "Testimonials", roles: ["owner", "assistant"] },
  { to: "/manage/settings", label: "Settings", roles: ["owner"] },
  { to: "/manage/visits", label: "Visits", roles: ["owner"] },
  { to: "/manage/people", label: "People", roles: ["owner"] },
  { to: "/manage/account", label: "Account", roles: ["owner", "editor", "assistant"] },
];

/** An account without a role manages nothing. */
export function pagesOf(role: Role | null): ManagePage[] {
  return role ? managePages.filter(({ roles }) => roles.includes(role)) : [];
}

/** The page of the list that a path belongs to: the one with the longest address. */
export function pageAt(pathname: string): ManagePage | undefined {
  return managePages
    .filter(({ to }) => pathname === to || pathname.startsWith(`${to}/`))
    .toSorted((a, b) => b.to.length - a.to.length)[0];
}
