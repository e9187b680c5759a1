import {
  Archive,
  ChartLine,
  Files,
  FileText,
  House,
  Inbox,
  LayoutGrid,
  MessageSquareQuote,
  Palette,
  Settings,
} from "lucide";
import { matchPath } from "react-router";
import { may, type Role } from "../../supabase/functions/_shared/roles.ts";
import type { ManagePage, Place, Tab } from "./manage-frame.tsx";

/** The pages for signed-in users. The places of the navigation are below. */
export const managePages: readonly ManagePage[] = [
  {
    path: "/manage",
    heading: "Home",
    noun: "overview",
    file: () => import("./start/overview.tsx"),
  },
  {
    path: "/manage/setup",
    access: { task: "manage the site", action: "set up the site" },
    heading: "Set up your site",
    noun: "settings",
    file: () => import("./setup/setup.tsx"),
  },
  {
    path: "/messages",
    access: { task: "handle messages", action: "read messages" },
    heading: "Inbox",
    noun: "messages",
    skeleton: "rows",
    file: () => import("./messages/inbox.tsx"),
  },
  {
    path: "/manage/posts",
    access: { task: "write posts", action: "manage posts" },
    heading: "Posts",
    shownOn: { path: "/blog", name: "The blog" },
    noun: "posts",
    skeleton: "rows",
    file: () => import("./posts/posts-list.tsx"),
  },
  {
    path: "/manage/pages",
    access: { task: "write posts", action: "manage pages" },
    heading: "Pages",
    lead: "Pages of your own, in the order of the menu and the footer. Where a page is linked, and whether it is hidden, changes at once.",
    noun: "pages",
    skeleton: "rows",
    file: () => import("./posts/posts-list.tsx"),
  },
  {
    path: "/manage/pages/new",
    access: { task: "write posts", action: "write pages" },
    heading: "Create New Page",
    noun: "page editor",
    file: () => import("./posts/editor-page.tsx"),
  },
  {
    path: "/manage/pages/:slug/edit",
    access: { task: "write posts", action: "edit pages" },
    heading: "Edit Page",
    noun: "page editor",
    file: () => import("./posts/editor-page.tsx"),
  },
  {
    path: "/manage/posts/import",
    access: { task: "write posts", action: "import posts" },
    heading: "Import posts",
    lead: "The posts of your former site become drafts. Nothing is published by itself.",
    noun: "import",
    file: () => import("./import/import-page.tsx"),
  },
  {
    path: "/manage/testimonials/requests",
    access: { task: "moderate testimonials", action: "ask for testimonials" },
    heading: "Ask a client",
    lead: "A link for one client opens the form. It works once, for 30 days. The card of the testimonial says that you asked for it.",
    noun: "links",
    skeleton: ["h-72", "h-40"],
    file: () => import("./testimonials/requests-page.tsx"),
  },
  {
    path: "/manage/testimonials/decisions",
    access: { task: "moderate testimonials", action: "see the decisions about testimonials" },
    heading: "Decisions",
    lead: "How many testimonials you show, refused and deleted, by stars. If mostly low ratings are refused, visitors get a wrong picture, which the FTC forbids. Keep the file for an examiner.",
    noun: "decisions",
    skeleton: ["h-72"],
    file: () => import("./testimonials/decisions-page.tsx"),
  },
  {
    path: "/manage/testimonials/:decision?",
    access: { task: "moderate testimonials", action: "manage testimonials" },
    heading: "Testimonials",
    shownOn: { path: "/testimonials", name: "The page of the testimonials" },
    noun: "testimonials",
    skeleton: "rows",
    file: () => import("./testimonials/moderation-list.tsx"),
  },
  {
    path: "/manage/consents",
    access: { task: "handle messages", action: "see consents" },
    heading: "Consents",
    lead: "What visitors agreed to, word for word. A withdrawal is recorded at the message, at the testimonial, or here.",
    noun: "consents",
    skeleton: "rows",
    file: () => import("./consents/consents-page.tsx"),
  },
  {
    path: "/manage/settings",
    access: { task: "manage the site", action: "change the settings" },
    heading: "Settings",
    noun: "settings",
    skeleton: "rows",
    file: () => import("./settings/settings-page.tsx"),
  },
  {
    path: "/manage/settings/:section",
    access: { task: "manage the site", action: "change the settings" },
    heading: "Settings",
    noun: "settings",
    skeleton: "rows",
    file: () => import("./settings/section-editor.tsx"),
  },
  {
    path: "/manage/visits",
    access: { task: "manage the site", action: "see the visits" },
    heading: "Visits",
    noun: "visits",
    skeleton: ["h-16", "h-52"],
    file: () => import("./visits/visits-page.tsx"),
  },
  {
    path: "/manage/archive",
    access: { task: "manage the site", action: "read the archive" },
    heading: "Archive",
    lead: "Every page as visitors saw it, with the dates. For an examiner, your broker-dealer or an insurer who asks what your site said.",
    noun: "archive",
    skeleton: ["h-32", "h-96"],
    file: () => import("./archive/archive-page.tsx"),
  },
  {
    path: "/manage/people",
    access: { task: "manage the site", action: "manage people" },
    heading: "People",
    lead: "Who helps to manage this site, and what each of them may do.",
    noun: "people",
    skeleton: ["h-40", "h-96"],
    file: () => import("./people/people-page.tsx"),
  },
  {
    path: "/manage/backups",
    access: { task: "manage the site", action: "see the backups" },
    heading: "Backups",
    noun: "backups",
    skeleton: "rows",
    file: () => import("./backups/backups-page.tsx"),
  },
  {
    path: "/manage/personal-data",
    access: { task: "manage the site", action: "manage personal data" },
    heading: "Privacy requests",
    lead: "When a client or visitor asks what you store about them, or asks you to delete it, enter their email address.",
    noun: "form",
    file: () => import("./personal-data/personal-data-page.tsx"),
  },
  {
    path: "/manage/account",
    title: "Your Account",
    heading: "Your account",
    noun: "account",
    skeleton: ["h-44", "h-52", "h-72"],
    file: () => import("./account/account-page.tsx"),
  },
  {
    path: "/blog/new",
    access: { task: "write posts", action: "write posts" },
    heading: "Create New Blog Post",
    noun: "post editor",
    file: () => import("./posts/editor-page.tsx"),
  },
  {
    path: "/blog/:slug/edit",
    access: { task: "write posts", action: "edit posts" },
    heading: "Edit Post",
    noun: "post editor",
    file: () => import("./posts/editor-page.tsx"),
  },
];

/** @param pattern of the route that React Router has found: `manage/settings/:section` */
export function pageOf(pattern: string): ManagePage | undefined {
  return managePages.find(({ path }) => path === `/${pattern}`);
}

interface PlaceEntry extends Pick<Place, "name" | "icon" | "isContent"> {
  /** The names of its pages, by their addresses. */
  tabs: Readonly<Record<string, string>>;
}

/** The navigation, in its order. */
const entries: readonly PlaceEntry[] = [
  { name: "Home", icon: House, tabs: { "/manage": "Home" } },
  { name: "Inbox", icon: Inbox, tabs: { "/messages": "Inbox" } },
  {
    ...{ name: "Posts", icon: FileText, isContent: true },
    tabs: { "/manage/posts": "Posts", "/manage/settings/blog": "Blog page" },
  },
  { name: "Pages", icon: Files, isContent: true, tabs: { "/manage/pages": "Pages" } },
  {
    ...{ name: "Services", icon: LayoutGrid, isContent: true },
    tabs: { "/manage/settings/services": "Services" },
  },
  {
    ...{ name: "Testimonials", icon: MessageSquareQuote, isContent: true },
    tabs: {
      "/manage/testimonials": "Testimonials",
      "/manage/testimonials/requests": "Ask a client",
      "/manage/settings/testimonials": "Review form",
    },
  },
  {
    ...{ name: "Site design", icon: Palette },
    tabs: {
      "/manage/settings/look": "Logo and colors",
      "/manage/settings/home": "Home page",
      "/manage/settings/pages": "Menu",
      "/manage/settings/calculators": "Calculators",
      "/manage/settings/notice": "Notice",
    },
  },
  { name: "Visits", icon: ChartLine, tabs: { "/manage/visits": "Visits" } },
  {
    ...{ name: "Records", icon: Archive },
    tabs: {
      "/manage/archive": "Archive",
      "/manage/consents": "Consents",
      "/manage/personal-data": "Privacy requests",
      "/manage/testimonials/decisions": "Decisions",
    },
  },
  {
    ...{ name: "Settings", icon: Settings },
    tabs: {
      "/manage/settings/firm": "Firm",
      "/manage/settings/adviser": "You",
      "/manage/settings/contact": "Contact",
      "/manage/settings/mail": "Email",
      "/manage/settings/licenses": "Licenses",
      "/manage/settings/disclosures": "Disclosures",
      "/manage/people": "People",
      "/manage/backups": "Backups",
      "/manage/settings/site": "Technical",
    },
  },
];

/** @returns undefined for an address without a page of the owner's */
function pageAt(path: string): ManagePage | undefined {
  return managePages.find((page) => matchPath(page.path, path));
}

/** The places that a role may open, each with the pages that it may open. An account without a role manages nothing. */
export function placesOf(role: Role | null): Place[] {
  if (!role) return [];
  return entries.flatMap(({ tabs, ...entry }) => {
    const open = Object.entries(tabs).flatMap(([to, label]) => {
      const access = pageAt(to)?.access;
      return access && !may(role, access.task) ? [] : [{ to, label }];
    });
    const [first] = open;
    return first ? [{ ...entry, to: first.to, tabs: open }] : [];
  });
}

/** The tab with the longest address that an address is within, and its place; neither for an address outside the navigation. */
export function placeAt(places: readonly Place[], pathname: string): { place?: Place; tab?: Tab } {
  const found = places
    .flatMap((place) => place.tabs.map((tab) => ({ place, tab })))
    .filter(({ tab }) => isWithin(pathname, tab.to))
    .toSorted((a, b) => b.tab.to.length - a.tab.to.length);
  return found[0] ?? {};
}

function isWithin(pathname: string, to: string): boolean {
  return pathname === to || (to !== "/manage" && pathname.startsWith(`${to}/`));
}
