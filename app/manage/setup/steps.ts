// The steps of the setup, their order, and the progress that this browser stores. The database stores the entries.
import { z } from "zod";
import { recordOf } from "../../../supabase/functions/_shared/object-keys.ts";
import { browserStorage } from "../../browser/site-data.ts";

export const steps = [
  {
    id: "firm",
    title: "Your firm",
    lead: "The name appears in the header, the footer, page titles and search results.",
  },
  {
    id: "adviser",
    title: "About you",
    lead: "Visitors read this on your home page.",
  },
  {
    id: "contact",
    title: "How to reach you",
    lead: "Shown in the footer and beside the contact forms. What you leave empty is not shown.",
  },
  {
    id: "licenses",
    title: "Your licenses",
    lead: "Most states ask for the license number wherever you advertise insurance.",
  },
  {
    id: "samples",
    title: "Sample content",
    lead: "Your new site has posts and testimonials by invented people, so that you see how it can look. The law does not allow invented testimonials on a real site (16 CFR 465.2).",
  },
  {
    id: "testimonials",
    title: "Testimonials",
    lead: "Visitors can leave a testimonial, which the home page shows.",
  },
  {
    id: "mail",
    title: "Your mail",
    lead: "You find the messages of visitors in your inbox here. Who else gets them by email?",
  },
  {
    id: "look",
    title: "Photo and colors",
    lead: "Your face and your colors make the site yours. What you leave out can follow at any time.",
  },
  {
    id: "home",
    title: "First impression",
    lead: "What visitors see first: the headline, a few words and the main picture of your home page.",
  },
] as const;

export type StepId = (typeof steps)[number]["id"];
const stepIds: readonly StepId[] = steps.map(({ id }) => id);

/** Draft: saved and not published. Waiting: the owner's part is done, and the server cannot send mails yet. */
export type StepState = "open" | "draft" | "skipped" | "waiting" | "done";
export type StepStates = Record<StepId, StepState>;

export interface SetupFacts {
  /** The sections of the settings whose questions are answered and published. */
  published: ReadonlySet<string>;
  drafts: ReadonlySet<string>;
  skipped: readonly StepId[];
  samplesRemoved: boolean;
  sendsMail: boolean;
}

/**
 * The steps whose questions are answered. Removing the sample content publishes the section of the testimonials without the
 * answer to its question.
 */
export function answeredSections(
  published: Partial<Record<string, { document: unknown }>>,
): Set<string> {
  const sections = Object.entries(published).filter(
    ([section, row]) =>
      section !== "look" && (section !== "testimonials" || "approveFirst" in Object(row?.document)),
  );
  const look = { ...Object(published.look?.document), ...Object(published.adviser?.document) };
  const hasLook = look.portrait || look.logo || look.mainColor || look.accentColor;
  return new Set([...sections.map(([section]) => section), ...(hasLook ? ["look"] : [])]);
}

export function stepStates(facts: SetupFacts): StepStates {
  const { published, drafts, skipped, samplesRemoved, sendsMail } = facts;
  return recordOf(stepIds, (id): StepState => {
    const isDone = id === "samples" ? samplesRemoved : published.has(id);
    if (isDone && !drafts.has(id)) return id === "mail" && !sendsMail ? "waiting" : "done";
    if (skipped.includes(id)) return "skipped";
    return drafts.has(id) ? "draft" : "open";
  });
}

function isUnfinished(state: StepState): boolean {
  return state === "open" || state === "draft";
}

/** The next unfinished step after this one, else an earlier one; null when only skipped ones are left. */
export function stepAfter(current: StepId, states: StepStates): StepId | null {
  const place = stepIds.indexOf(current);
  const later = [...stepIds.slice(place + 1), ...stepIds.slice(0, place)];
  return later.find((id) => isUnfinished(states[id])) ?? null;
}

/** The step at which the setup continues: the last open one, or the first unfinished one; null at the end. */
export function resumeAt(states: StepStates, lastOpen: StepId | null): StepId | null {
  if (lastOpen && isUnfinished(states[lastOpen])) return lastOpen;
  return stepIds.find((id) => isUnfinished(states[id])) ?? null;
}

const stepId = z.enum(stepIds);
const progressSchema = z.object({
  lastOpen: z.nullable(stepId),
  skipped: z.array(stepId),
  samplesRemoved: z.boolean(),
  finished: z.boolean(),
});
export type SetupProgress = z.infer<typeof progressSchema>;

const storageKey = "setup-progress";
const notStarted: SetupProgress = {
  lastOpen: null,
  skipped: [],
  samplesRemoved: false,
  finished: false,
};

export function readProgress(): SetupProgress {
  return readStored() ?? notStarted;
}

/** Where it is not kept, the setup continues at the first unfinished step. */
export function storeProgress(progress: SetupProgress): void {
  browserStorage.setItem(storageKey, JSON.stringify(progress));
}

/** Whether the setup was started in this browser and not finished. */
export function isSetupUnfinished(): boolean {
  const stored = readStored();
  return stored !== null && !stored.finished;
}

/** Null when nothing is stored, or the value has another version. */
function readStored(): SetupProgress | null {
  try {
    const stored: unknown = JSON.parse(browserStorage.getItem(storageKey) ?? "null");
    return progressSchema.safeParse(stored).data ?? null;
  } catch {
    return null;
  }
}
