/** The links of the header, in order (section 2). */
export const navigation = [
  { to: "/", label: "Home" },
  { to: "/services", label: "Services" },
  { to: "/testimonials", label: "Testimonials" },
  { to: "/blog", label: "Blog" },
  { to: "/savings-calculator", label: "Savings Calculator" },
  { to: "/contact", label: "Contact" },
] as const;

/** Whether a link is the active tab: by path prefix on a segment boundary, Home by the exact path. */
export function isActiveTab(to: string, pathname: string): boolean {
  if (to === "/") return pathname === "/";
  return pathname === to || pathname.startsWith(`${to}/`);
}
