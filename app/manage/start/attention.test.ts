import { expect, test } from "vitest";
import { isForServer, textForServer } from "../checks/run-checks.ts";
import { attentionItems, type Found, kindsFor } from "./attention.ts";

const found: Found = {
  unread: 10_000,
  failedMails: 1,
  waitingTestimonials: 2,
  newTestimonials: 1,
  failedPosts: 1,
  waitingPosts: 1,
  waitingPages: 1,
  draftPosts: 2,
  draftPages: 1,
  draftSections: ["contact", "firm"],
  checks: [
    {
      id: "backup",
      severity: "warning",
      text: "The last backup is 3 days old.",
      fixAt: "npm run backup",
    },
    {
      id: "initial-password",
      severity: "warning",
      text: "Choose a password.",
      fixAt: "/manage/account",
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

test("an owner sees what visitors wait for, then the urgent, without what only the server's people can fix", () => {
  expect(texts("owner", found)).toEqual([
    "10,000 messages are unread.",
    "2 testimonials wait for your approval.",
    "1 new testimonial is on your site.",
    "1 message could not be emailed to you.",
    "1 scheduled post could not be published.",
    "No license.",
    "1 post waits for approval.",
    "1 page waits for approval.",
    "Choose a password.",
    "2 posts have changes that are not published.",
    "1 page has changes that are not published.",
    "Your changes to the settings Contact and Firm are not published yet.",
  ]);
});

test("an assistant sees messages and testimonials, an editor posts", () => {
  expect(texts("assistant", found)).toEqual([
    "10,000 messages are unread.",
    "2 testimonials wait for your approval.",
    "1 new testimonial is on your site.",
    "1 message could not be emailed to you.",
  ]);
  expect(texts("editor", found)).toEqual([
    "1 scheduled post could not be published.",
    "2 posts have changes that are not published.",
    "1 page has changes that are not published.",
  ]);
});

test("while the reviews are switched off, neither waiting nor new ones need attention", () => {
  expect(kindsFor("assistant", ["/testimonials"])).toEqual(["unread", "failedMails"]);
  expect(kindsFor("assistant", ["/blog"])).toHaveLength(4);
});

test("while the setup is open, it stands for all that is wrong with the settings", () => {
  const { checks } = found;
  const [before, after] = [
    attentionItems("owner", { checks }),
    attentionItems("owner", { checks }, true),
  ];
  expect(before.map(({ text }) => text)).toEqual(["No license.", "Choose a password."]);
  expect(after.map(({ text }) => text)).toEqual(["Choose a password."]);
  expect(attentionItems("owner", { draftSections: ["firm"] }, true)).toHaveLength(1);
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
    "/messages",
    "/manage/testimonials",
    "/manage/testimonials/approved",
    "/messages?filter=failed",
    "/manage/posts?filter=scheduled",
    "/manage/settings/licenses",
    "/manage/posts?filter=waiting",
    "/manage/pages?filter=waiting",
    "/manage/account",
    "/manage/posts?filter=draft",
    "/manage/pages?filter=draft",
    "/manage/settings",
  ]);
  expect(attentionItems("owner", { draftSections: ["mail"] })[0]?.to).toBe("/manage/settings/mail");
});

test("what only the server's people can fix is one text to send", () => {
  const notes = found.checks?.filter(isForServer) ?? [];
  expect(textForServer("https://www.example.com", notes)).toBe(
    "What the site at https://www.example.com needs from whoever runs its server:\n- The last backup is 3 days old.",
  );
});
