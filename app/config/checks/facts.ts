// The facts that the checks before going live use. The server and `npm run check-live` collect them.
import type { SenderFinding } from "../../../supabase/functions/_shared/sender-domain.ts";
import type { SiteSettings } from "../site-schema.ts";

/** A fact is null when it is unknown. */
export interface SiteFacts {
  now: Date;
  settings: SiteSettings;
  content: ContentFacts;
  address: AddressFacts;
  mail: MailFacts | null;
  owner: OwnerFacts | null;
  machine: MachineFacts | null;
  archive: ArchiveFact;
  /** Missing where only `npm run check-live` looks. */
  findings?: Findings;
}

/** Problems as first halves of sentences; null or missing where the check could not look. */
export type Findings = Partial<Record<Area, readonly string[] | null>>;
export type Area =
  | ("headers" | "tls" | "changes")
  | ("auth" | "functions" | "database" | "schedule");

export interface ContentFacts {
  /** The number of rows from supabase/seed.sql. */
  samplePosts: number;
  sampleTestimonials: number;
  /** Titles of the posts, other than samples, that mention the fictional firm. */
  fictionalPosts: string[];
  /** Authors of the testimonials, other than samples, that mention the fictional firm. */
  fictionalTestimonials: string[];
  /** Whether the page /privacy is published and not hidden. */
  hasPrivacyPage: boolean;
  /** Published sections of the settings that this version of the site cannot read. */
  unreadableSections: string[];
  /** Titles of the posts, and sections of the settings, with an address of this machine or of a bucket. */
  localPosts: string[];
  localSections: string[];
  /** Paths of images that came with the project and are shown. */
  shippedImages: string[];
}

export interface AddressFacts {
  siteUrl: string;
  /** SITE_URL, or what an owner confirmed; null when neither is known. */
  source: "environment" | "confirmed" | null;
  /** Whether an owner may confirm the address in the browser. */
  mayConfirm: boolean;
  /** The origin of the page with which an owner asked for the checks. */
  reachedAt: string | null;
  /** The site that responds at the address; null when it was not requested. */
  answer: "this site" | "another site" | { problem: string } | null;
  trustedProxies: number;
  /** How many proxies added an address to the request of an owner who opened the site at its address. */
  proxies: number | null;
}

export interface MailFacts {
  isConfigured: boolean;
  /** Whether owners decide how mails are sent, because the environment does not. */
  isEntered: boolean;
  /** Whether the password that an owner entered cannot be read, as after a restore on another machine. */
  isUnreadable: boolean;
  /** Whether outgoing mail is held, as after a restore. */
  isHeld: boolean;
  /** The reason why the mail service cannot be used; null when it can, or was not contacted. */
  problem: string | null;
  /** What DNS says of the sender's domain; null when it was not asked, or could not be. */
  sender: readonly SenderFinding[] | null;
  /** Whether the function accepts mails about accounts from Auth. */
  takesAccountMails: boolean;
}

export interface OwnerFacts {
  hasDefaultEmail: boolean;
  hasInitialPassword: boolean;
}

export type ArchiveFact = "on" | "off" | "no key" | "failing" | "changed";

export interface MachineFacts {
  lastBackup: Date | null;
  /** When the site was made; null when it is unknown. */
  firstDay: Date | null;
  /** What was wrong with the last nightly backup. */
  backupProblem: string | null;
  /** The last attempt to restore a backup. */
  trial: { at: Date; problem: string | null } | null;
  /** The last attempt to copy a backup to a bucket. */
  copy: { at: Date; problem: string | null } | null;
  freeBytes: number;
}
