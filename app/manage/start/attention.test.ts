import { expect, test } from "vitest";
import type { Check } from "../checks/checks.ts";
import { attentionItems, type Findings } from "./attention.ts";

const findings: Findings = {
  unread: 10_000,
  failedMails: 1,
  waitingTestimonials: 2,
  failedPosts: 1,
  draftPosts: 2,
  draftSections: ["contact", "firm"],
  checks: [
    {
      id: "backup",
      severity: "warning",
      text: "The last backup is 3 days old.",
      fixAt: "SITE_URL",
    },
    {
      id: "no-license",
      severity: "error",
      text: "No license.",
      fixAt: "/manage/settings/licenses",
    },
  ] satisfies Check[],
};

const texts = (...parameters: Parameters<typeof attentionItems>) =>
  attentionItems(...parameters).map(({ text }) => text);

test("an owner sees everything, the urgent first", () => {
  expect(texts("owner", findings)).toEqual([
    "1 message could not be emailed to you.",
    "1 scheduled post could not be published.",
    "No license.",
    "10,000 messages are unread.",
    "2 testimonials wait for your approval.",
    "The last backup is 3 days old.",
    "2 posts have changes that are not published.",
    "Your changes to the settings Contact and Firm are not published yet.",
  ]);
});

test("an assistant sees messages and testimonials, an editor posts", () => {
  expect(attentionItems("assistant", findings).map(({ id }) => id)).toEqual([
    "failed-mails",
    "unread",
    "waiting-testimonials",
  ]);
  expect(attentionItems("editor", findings).map(({ id }) => id)).toEqual([
    "failed-posts",
    "draft-posts",
  ]);
});

test("a count of zero and a count that is not loaded need no attention", () => {
  expect(attentionItems("owner", {})).toEqual([]);
  expect(
    attentionItems("owner", {
      unread: 0,
      failedMails: 0,
      waitingTestimonials: 0,
      draftSections: [],
      checks: [],
    }),
  ).toEqual([]);
});

test("each item leads to the page where something can be done", () => {
  const places = Object.fromEntries(
    attentionItems("owner", findings).map(({ id, to }) => [id, to]),
  );
  expect(places).toEqual({
    "failed-mails": "/messages?filter=failed",
    "failed-posts": "/manage/posts?filter=scheduled",
    unread: "/messages",
    "waiting-testimonials": "/manage/testimonials",
    "check-backup": null,
    "check-no-license": "/manage/settings/licenses",
    "draft-posts": "/manage/posts?filter=draft",
    drafts: "/manage/settings",
  });
  expect(attentionItems("owner", { draftSections: ["mail"] })[0]?.to).toBe("/manage/settings/mail");
});
