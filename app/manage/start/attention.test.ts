import { expect, test } from "vitest";
import { attentionItems, type Found } from "./attention.ts";

const found: Found = {
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
  ],
};

const texts = (...parameters: Parameters<typeof attentionItems>) =>
  attentionItems(...parameters).map(({ text }) => text);

test("an owner sees everything, the urgent first", () => {
  expect(texts("owner", found)).toEqual([
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
  expect(texts("assistant", found)).toEqual([
    "1 message could not be emailed to you.",
    "10,000 messages are unread.",
    "2 testimonials wait for your approval.",
  ]);
  expect(texts("editor", found)).toEqual([
    "1 scheduled post could not be published.",
    "2 posts have changes that are not published.",
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
  expect(attentionItems("owner", found).map(({ to }) => to)).toEqual([
    "/messages?filter=failed",
    "/manage/posts?filter=scheduled",
    "/manage/settings/licenses",
    "/messages",
    "/manage/testimonials",
    null,
    "/manage/posts?filter=draft",
    "/manage/settings",
  ]);
  expect(attentionItems("owner", { draftSections: ["mail"] })[0]?.to).toBe("/manage/settings/mail");
});
