import { expect, test } from "vitest";
import { answeredSections, resumeAt, type SetupFacts, stepAfter, stepStates } from "./steps.ts";

const nothing: SetupFacts = {
  published: new Set(),
  drafts: new Set(),
  skipped: [],
  samplesRemoved: false,
  sendsMail: true,
};

test("a new site starts with the firm", () => {
  expect(resumeAt(stepStates(nothing), null)).toBe("firm");
});

test("a step is done when its section is published, unless it was changed again", () => {
  const published = new Set(["firm", "adviser"]);
  expect(stepStates({ ...nothing, published })).toMatchObject({ firm: "done", adviser: "done" });
  expect(stepStates({ ...nothing, published, drafts: new Set(["firm"]) }).firm).toBe("draft");
});

test("a skipped step that is published later is done", () => {
  const skipped = ["mail"] as const;
  expect(stepStates({ ...nothing, skipped }).mail).toBe("skipped");
  expect(stepStates({ ...nothing, skipped, published: new Set(["mail"]) }).mail).toBe("done");
});

test("the mail is not done while the server cannot send mails, and the setup ends all the same", () => {
  const published = new Set(Object.keys(stepStates(nothing)));
  const states = stepStates({ ...nothing, published, samplesRemoved: true, sendsMail: false });
  expect(states.mail).toBe("waiting");
  expect(resumeAt(states, "mail")).toBeNull();
});

test("a step that was changed and skipped is skipped, so that the setup ends", () => {
  const skipped = ["firm", "adviser"] as const;
  const states = stepStates({
    published: new Set(["contact", "licenses", "mail", "testimonials", "look", "home"]),
    drafts: new Set(skipped),
    skipped,
    samplesRemoved: true,
    sendsMail: true,
  });
  expect(states).toMatchObject({ firm: "skipped", adviser: "skipped", contact: "done" });
  expect(stepAfter("mail", states)).toBeNull();
});

test("the question about reviews is asked, also after the samples were removed", () => {
  const removed = { firm: { document: {} }, testimonials: { document: { samples: false } } };
  expect([...answeredSections(removed)]).toEqual(["firm"]);
  const answered = { testimonials: { document: { samples: false, approveFirst: false } } };
  expect([...answeredSections(answered)]).toEqual(["testimonials"]);
});

test("the step of the look is done once there is a photo, a logo or a color", () => {
  const withLook = (look: object, adviser: object) =>
    answeredSections({ look: { document: look }, adviser: { document: adviser } }).has("look");
  expect(withLook({ mainColor: null }, { portrait: null })).toBe(false);
  expect(withLook({ mainColor: "#123456" }, {})).toBe(true);
  expect(withLook({}, { portrait: { src: "/images/uploads/a.jpg" } })).toBe(true);
});

test("the samples are done once they are removed", () => {
  expect(stepStates(nothing).samples).toBe("open");
  expect(stepStates({ ...nothing, samplesRemoved: true }).samples).toBe("done");
});

test("the setup goes on at the step that was open last", () => {
  const published = new Set(["firm"]);
  expect(resumeAt(stepStates({ ...nothing, published }), "contact")).toBe("contact");
  expect(resumeAt(stepStates({ ...nothing, published }), "firm")).toBe("adviser");
});

test("after a step comes the next unfinished one, at the end an earlier one", () => {
  const states = stepStates({
    ...nothing,
    published: new Set(["adviser", "mail", "testimonials", "look", "home"]),
    skipped: ["contact"],
  });
  expect(stepAfter("firm", states)).toBe("licenses");
  expect(stepAfter("samples", { ...states, samples: "done" })).toBe("firm");
});

test("the setup ends when every step is done or skipped", () => {
  const states = stepStates({
    published: new Set(["firm", "adviser", "contact", "licenses", "testimonials", "look", "home"]),
    drafts: new Set(),
    skipped: ["mail"],
    samplesRemoved: true,
    sendsMail: true,
  });
  expect(resumeAt(states, null)).toBeNull();
  expect(stepAfter("mail", states)).toBeNull();
});
