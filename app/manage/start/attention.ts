// What needs attention, as one sentence each.

import { may, type Role, type Task } from "../../../supabase/functions/_shared/roles.ts";
import type { SectionName } from "../../config/site-schema.ts";
import type { Check } from "../checks/checks.ts";

export interface AttentionItem {
  id: string;
  text: string;
  /** Where to do something about it; null when that is not a page of the site. */
  to: string | null;
  isUrgent: boolean;
}

/** Undefined for what has not been read. */
export interface Findings {
  unread?: number;
  failedMails?: number;
  waitingTestimonials?: number;
  failedPosts?: number;
  draftPosts?: number;
  draftSections?: readonly SectionName[];
  checks?: readonly Check[];
}

/** The task that each finding belongs to. Policies hide it from accounts without the task. */
const tasks: Record<keyof Findings, Task> = {
  failedMails: "handle messages",
  failedPosts: "write posts",
  unread: "handle messages",
  waitingTestimonials: "moderate testimonials",
  checks: "manage the site",
  draftPosts: "write posts",
  draftSections: "manage the site",
};

export function findingsOf(role: Role): (keyof Findings)[] {
  const kinds = Object.keys(tasks) as (keyof Findings)[];
  return kinds.filter((kind) => may(role, tasks[kind]));
}

/** The most urgent first. */
export function attentionItems(role: Role, findings: Findings): AttentionItem[] {
  const items = findingsOf(role).flatMap((kind) => describe[kind](findings));
  return items.toSorted((a, b) => Number(b.isUrgent) - Number(a.isUrgent));
}

const describe: Record<keyof Findings, (findings: Findings) => AttentionItem[]> = {
  failedMails({ failedMails = 0 }) {
    if (failedMails === 0) return [];
    const text =
      failedMails === 1
        ? "1 message could not be emailed to you."
        : `${withSeparators(failedMails)} messages could not be emailed to you.`;
    return [{ id: "failed-mails", text, to: "/messages?filter=failed", isUrgent: true }];
  },
  unread({ unread = 0 }) {
    if (unread === 0) return [];
    const text =
      unread === 1 ? "1 message is unread." : `${withSeparators(unread)} messages are unread.`;
    return [{ id: "unread", text, to: "/messages", isUrgent: false }];
  },
  waitingTestimonials({ waitingTestimonials: waiting = 0 }) {
    if (waiting === 0) return [];
    const text =
      waiting === 1
        ? "1 testimonial waits for your approval."
        : `${withSeparators(waiting)} testimonials wait for your approval.`;
    return [{ id: "waiting-testimonials", text, to: "/manage/testimonials", isUrgent: false }];
  },
  checks({ checks = [] }) {
    return checks.map(({ id, severity, text, fixAt }) => ({
      id: `check-${id}`,
      text,
      // Or the name of a setting in the environment, which the sentence says.
      to: fixAt.startsWith("/") ? fixAt : null,
      isUrgent: severity === "error",
    }));
  },
  failedPosts({ failedPosts = 0 }) {
    if (failedPosts === 0) return [];
    const text =
      failedPosts === 1
        ? "1 scheduled post could not be published."
        : `${withSeparators(failedPosts)} scheduled posts could not be published.`;
    return [{ id: "failed-posts", text, to: "/manage/posts?filter=scheduled", isUrgent: true }];
  },
  draftPosts({ draftPosts = 0 }) {
    if (draftPosts === 0) return [];
    const text =
      draftPosts === 1
        ? "1 post has changes that are not published."
        : `${withSeparators(draftPosts)} posts have changes that are not published.`;
    return [{ id: "draft-posts", text, to: "/manage/posts?filter=draft", isUrgent: false }];
  },
  draftSections({ draftSections = [] }) {
    const [first] = draftSections;
    if (!first) return [];
    const names = new Intl.ListFormat("en-US").format(draftSections.map((name) => titles[name]));
    return [
      {
        id: "drafts",
        text: `Your changes to the settings ${names} are not published yet.`,
        to: draftSections.length === 1 ? `/manage/settings/${first}` : "/manage/settings",
        isUrgent: false,
      },
    ];
  },
};

const titles: Record<SectionName, string> = {
  firm: "Firm",
  adviser: "Adviser",
  contact: "Contact",
  mail: "Mail",
  licenses: "Licenses",
  disclosures: "Disclosures",
  home: "Home",
  services: "Services",
  blog: "Blog",
  testimonials: "Testimonials",
  site: "Site",
};

/** With thousands separators. */
function withSeparators(count: number): string {
  return count.toLocaleString("en-US");
}
