import {
  Archive,
  ChartLine,
  Files,
  FileText,
  Mail,
  MessageSquareQuote,
  Settings,
  Signature,
  User,
  UserSearch,
  Users,
} from "lucide";
import { may, type Role } from "../../supabase/functions/_shared/roles.ts";
import type { ManagePage, PageLink } from "./manage-frame.tsx";

/** The pages for signed-in users. Those with a label are in the order of the navigation. */
export const managePages: readonly ManagePage[] = [
  {
    path: "/manage",
    label: "Overview",
    title: "Manage",
    heading: "Manage your site",
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
    label: "Messages",
    access: { task: "handle messages", action: "read messages" },
    card: {
      icon: Mail,
      text: "What visitors wrote through the contact forms",
    },
    heading: "Messages",
    noun: "messages",
    skeleton: "rows",
    file: () => import("./messages/inbox.tsx"),
  },
  {
    path: "/manage/posts",
    label: "Posts",
    access: { task: "write posts", action: "manage posts" },
    card: {
      icon: FileText,
      text: "Write, edit and delete posts of the blog",
      create: { to: "/blog/new", label: "Create New Post" },
    },
    heading: "Posts",
    shownOn: { path: "/blog", name: "The blog" },
    noun: "posts",
    skeleton: "rows",
    file: () => import("./posts/posts-list.tsx"),
  },
  {
    path: "/manage/pages",
    label: "Pages",
    access: { task: "write posts", action: "manage pages" },
    card: {
      icon: Files,
      text: "Your own pages, such as the team, Form CRS or privacy",
      create: { to: "/manage/pages/new", label: "Create New Page" },
    },
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
    heading: "Shown and refused testimonials",
    lead: "How many testimonials you show, refused and deleted, by stars. If mostly low ratings are refused, visitors get a wrong picture, which the FTC forbids. Keep the file for an examiner.",
    noun: "decisions",
    skeleton: ["h-72"],
    file: () => import("./testimonials/decisions-page.tsx"),
  },
  {
    path: "/manage/testimonials/:decision?",
    label: "Testimonials",
    access: { task: "moderate testimonials", action: "manage testimonials" },
    card: {
      icon: MessageSquareQuote,
      text: "Approve and remove testimonials",
    },
    heading: "Testimonials",
    shownOn: { path: "/testimonials", name: "The page of the testimonials" },
    noun: "testimonials",
    skeleton: "rows",
    file: () => import("./testimonials/moderation-list.tsx"),
  },
  {
    path: "/manage/consents",
    label: "Consents",
    access: { task: "handle messages", action: "see consents" },
    card: {
      icon: Signature,
      text: "Who agreed to calls or to a published testimonial, and who withdrew it",
    },
    heading: "Consents",
    lead: "What visitors agreed to, word for word. A withdrawal is recorded at the message, at the testimonial, or here.",
    noun: "consents",
    skeleton: "rows",
    file: () => import("./consents/consents-page.tsx"),
  },
  {
    path: "/manage/settings",
    label: "Settings",
    access: { task: "manage the site", action: "change the settings" },
    card: {
      icon: Settings,
      text: "Your firm, texts, services and colors",
      create: { to: "/manage/settings/notice", label: "Show a notice" },
    },
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
    label: "Visits",
    access: { task: "manage the site", action: "see the visits" },
    card: { icon: ChartLine, text: "How often pages are visited" },
    heading: "Visits",
    noun: "visits",
    skeleton: ["h-16", "h-52"],
    file: () => import("./visits/visits-page.tsx"),
  },
  {
    path: "/manage/archive",
    label: "Archive",
    access: { task: "manage the site", action: "read the archive" },
    card: { icon: Archive, text: "Proof of what your site said on any day" },
    heading: "Archive",
    lead: "Every page as visitors saw it, with the dates. For an examiner, your broker-dealer or an insurer who asks what your site said.",
    noun: "archive",
    skeleton: ["h-32", "h-96"],
    file: () => import("./archive/archive-page.tsx"),
  },
  {
    path: "/manage/people",
    label: "People",
    access: { task: "manage the site", action: "manage people" },
    card: { icon: Users, text: "Who manages this site with you" },
    heading: "People",
    lead: "Who helps to manage this site, and what each of them may do.",
    noun: "people",
    skeleton: ["h-40", "h-96"],
    file: () => import("./people/people-page.tsx"),
  },
  {
    path: "/manage/personal-data",
    label: "Privacy requests",
    access: { task: "manage the site", action: "manage personal data" },
    card: {
      icon: UserSearch,
      text: "When a person asks what you store about them, or to delete it",
    },
    heading: "Privacy requests",
    lead: "When a client or visitor asks what you store about them, or asks you to delete it, enter their email address.",
    noun: "form",
    file: () => import("./personal-data/personal-data-page.tsx"),
  },
  {
    path: "/manage/account",
    label: "Account",
    card: { icon: User, text: "Your email address, password and sessions" },
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

const links: readonly PageLink[] = managePages.flatMap((page) => {
  const { label, path } = page;
  // The path without an optional segment.
  return label ? [{ ...page, label, to: path.replace(/\/[^/]+\?$/, "") }] : [];
});

/** The pages that a role may open, for the navigation. An account without a role manages nothing. */
export function linksOf(role: Role | null): PageLink[] {
  return role ? links.filter(({ access }) => !access || may(role, access.task)) : [];
}

/** The link in the navigation that a page belongs to: the one with the longest address. */
export function linkTo({ path }: ManagePage): PageLink | undefined {
  // The editor of a post belongs to the list of posts.
  const place = path.startsWith("/blog/") ? "/manage/posts" : path;
  return links
    .filter(({ to }) => place === to || place.startsWith(`${to}/`))
    .toSorted((a, b) => b.to.length - a.to.length)[0];
}
