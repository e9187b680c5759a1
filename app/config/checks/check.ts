// What the checks before going live know and say. The server, `npm run check-live` and the page /manage use them.
import type { SiteSettings } from "../site-schema.ts";

export interface Check {
  id: string;
  /** An error keeps the site from being ready for real visitors. */
  severity: "error" | "warning";
  /** One sentence: what is wrong, and where to fix it. */
  text: string;
  /** The page of the site that fixes it, or the name of the environment variable or command. */
  fixAt: string;
}

/** Everything the checks look at. Null where they cannot be known. */
export interface SiteFacts {
  now: Date;
  settings: SiteSettings;
  content: ContentFacts | null;
  address: AddressFacts;
  mail: MailFacts | null;
  owner: OwnerFacts | null;
  brokenLinks: BrokenLink[];
  machine: MachineFacts | null;
  /** The width in pixels of a text in the font of the firm's name. */
  measure: ((text: string, size: number) => number) | null;
}

export interface ContentFacts {
  /** Rows of supabase/seed.sql. */
  samplePosts: number;
  sampleTestimonials: number;
  /** Titles of the posts, other than samples, that mention the fictional firm. */
  fictionalPosts: string[];
  /** Authors of the testimonials, other than samples, that mention the fictional firm. */
  fictionalTestimonials: string[];
  /** Published sections of the settings that this version of the site cannot read. */
  unreadableSections: string[];
  /** Paths of images that came with the project and are shown. */
  shippedImages: string[];
}

export interface AddressFacts {
  siteUrl: string;
  /** Whether SITE_URL was given. */
  isSet: boolean;
  /** Who answers at SITE_URL; null when it was not asked. */
  answer: "this site" | "another site" | { problem: string } | null;
  trustedProxies: number;
  /** What proxies added to most of the recent requests; null when there were too few requests. */
  forwarded: ForwardedFacts | null;
}

export interface ForwardedFacts {
  /** Entries of X-Forwarded-For. */
  hops: number;
  /** Whether the connection came from this machine or a private network, as from a proxy. */
  fromProxy: boolean;
  host: string | null;
  protocol: string | null;
}

export interface MailFacts {
  isConfigured: boolean;
  /** Whether outgoing mail is held, as after a restore. */
  isHeld: boolean;
  /** Why the mail service cannot be used; null when it can, or was not asked. */
  problem: string | null;
}

export interface OwnerFacts {
  hasDefaultEmail: boolean;
  hasGeneratedPassword: boolean;
}

export interface BrokenLink {
  /** As the settings call it, such as "Facebook". */
  name: string;
  url: string;
  reason: string;
}

export interface MachineFacts {
  lastBackup: Date | null;
  freeBytes: number;
}

export function problem(id: string, fixAt: string, text: string): Check {
  return { id, severity: "error", text, fixAt };
}

export function warning(id: string, fixAt: string, text: string): Check {
  return { id, severity: "warning", text, fixAt };
}

/** "1 sample post", "8 sample posts" */
export function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}
