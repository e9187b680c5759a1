import { expect, test } from "vitest";
import { finishingSteps } from "../../config/checks/checks.ts";
import { type Check, isForServer, textForServer } from "../checks/run-checks.ts";
import { type Found, kindsFor, tasksOf } from "./tasks.ts";

const check = { severity: "error", action: "Open", step: null } as const;
const checks: Check[] = [
  {
    ...{ ...check, id: "backup", text: "The last backup is 3 days old.", action: null },
    fixAt: "npm run backup",
  },
  {
    ...{ ...check, id: "license-expired", text: "Your license expired" },
    fixAt: "/manage/settings/licenses",
  },
  {
    ...{ ...check, id: "no-license", text: "Add your license number", step: "licenses" },
    fixAt: "/manage/settings/licenses",
  },
  {
    ...{ ...check, id: "initial-password", text: "Choose a password", step: "account" },
    ...{ severity: "warning", fixAt: "/manage/account" },
  },
];

const found: Found = {
  failedMails: 1,
  waitingTestimonials: 10_000,
  newTestimonials: 1,
  failedPosts: 1,
  waitingPosts: 1,
  waitingPages: 2,
  draftPages: 1,
  draftSections: ["contact", "firm"],
  report: { checks, release: null },
};

const textsOf = (...parameters: Parameters<typeof tasksOf>) =>
  tasksOf(...parameters).toDo.map(({ text }) => text);

test("an owner sees the urgent, then what visitors wait for, without what only the server's people can do", () => {
  expect(textsOf("owner", found)).toEqual([
    "A scheduled post could not be published",
    "A message could not be emailed to you",
    "Your license expired",
    "10,000 testimonials wait for your approval",
    "A new testimonial is on your site",
    "A post waits for your approval",
    "2 pages wait for your approval",
    "A page has changes that are not public",
    "2 sections have changes that are not public",
  ]);
});

test("what finishes a new site is a list of its own, calm, with what is done already", () => {
  const { finishing, doneSteps } = tasksOf("owner", found);
  expect(finishing.map(({ text }) => text)).toEqual([
    "Add your license number",
    "Choose a password",
  ]);
  expect(finishing.some(({ isUrgent }) => isUrgent)).toBe(false);
  expect(doneSteps).toBe(finishingSteps.length - 2);
});

test("an owner without recovery codes is asked for them once the setup is done", () => {
  const asked = ["Print recovery codes, so that a forgotten password does not lock you out"];
  expect(textsOf("owner", { recoveryCodes: 0 })).toEqual(asked);
  expect(textsOf("owner", { recoveryCodes: 0 }, true)).toEqual([]);
  expect(textsOf("owner", { recoveryCodes: 3 })).toEqual([]);
});

test("an assistant sees testimonials and failed mails, an editor posts", () => {
  expect(textsOf("assistant", found)).toEqual([
    "A message could not be emailed to you",
    "10,000 testimonials wait for your approval",
    "A new testimonial is on your site",
  ]);
  expect(textsOf("editor", found)).toEqual([
    "A scheduled post could not be published",
    "A page has changes that are not public",
  ]);
});

test("while the reviews are switched off, neither waiting nor new ones need attention", () => {
  expect(kindsFor("assistant", ["/testimonials"])).toEqual(["failedMails"]);
  expect(kindsFor("assistant", ["/blog"])).toHaveLength(3);
});

test("while the setup is open, it stands for what finishes the site, apart from the account", () => {
  expect(tasksOf("owner", { report: found.report }, true)).toMatchObject({
    toDo: [{ text: "Your license expired" }, { text: "Choose a password" }],
    finishing: [],
  });
  expect(textsOf("owner", { draftSections: ["firm"] }, true)).toHaveLength(1);
});

test("a count of zero and a count that is not loaded are no tasks", () => {
  expect(textsOf("owner", {})).toEqual([]);
  expect(
    textsOf("owner", {
      failedMails: 0,
      waitingTestimonials: 0,
      draftSections: [],
      report: { checks: [], release: null },
    }),
  ).toEqual([]);
});

test("each task leads to the page where it is done", () => {
  expect(tasksOf("owner", found).toDo.map(({ to }) => to)).toEqual([
    "/manage/posts?filter=scheduled",
    "/messages?filter=failed",
    "/manage/settings/licenses",
    "/manage/testimonials",
    "/manage/testimonials/approved",
    "/manage/posts?filter=waiting",
    "/manage/pages?filter=waiting",
    "/manage/pages?filter=draft",
    "/manage/settings",
  ]);
  expect(tasksOf("owner", { draftSections: ["mail"] }).toDo).toMatchObject([
    { text: "Your changes to your email settings are not public", to: "/manage/settings/mail" },
  ]);
});

test("what only the server's people can fix is one text to send", () => {
  const notes = checks.filter(isForServer);
  expect(textForServer("https://www.example.com", notes)).toBe(
    "What the site at https://www.example.com needs from whoever runs its server:\n- The last backup is 3 days old.",
  );
});
