// What pages of the owner's own can start from, in the marks of the content field.

export interface Template {
  title: string;
  slug: string;
  text: string;
}

/** A template as it is offered. */
interface OfferedTemplate extends Template {
  /** What the page is for, in a few words. */
  about: string;
}

/** Pages about the site itself, which legal-drafts.ts writes from the settings. */
export const legalPages = {
  privacy: { title: "Privacy", about: "What the site stores about visitors" },
  terms: { title: "Terms of use", about: "No offer, no advice, estimates only" },
  accessibility: { title: "Accessibility", about: "How everyone can use the site" },
} as const;
export type LegalPage = keyof typeof legalPages;

const teamMember = `![](/images/neutral/person.svg "800x1000 portrait")

## [Name]

[Role and licenses]

[What clients turn to this person for, in two or three sentences.]`;

export const templates: readonly OfferedTemplate[] = [
  {
    title: "About",
    slug: "about",
    about: "Who you are and how you work",
    text: `[Who you are, where you work and whom you serve, in two or three sentences.]

## How I came to this work

[What you did before, and why you do this now.]

## How I work

- [What happens in a first conversation]
- [What you prepare, and how long it takes]
- [How often you meet afterwards]

## How I am paid

[Commissions, fees or both, and from whom.]

## Outside of work

[A sentence or two.]`,
  },
  {
    title: "Questions and answers",
    slug: "questions",
    about: "What clients ask first",
    text: `## What does a first conversation cost?

[Your answer.]

## Do you represent one insurer or several?

[Your answer.]

## How are you paid?

[Your answer.]

## What should I bring?

[Your answer.]

## Can we meet by video?

[Your answer.]`,
  },
  {
    title: "Form CRS and disclosures",
    slug: "form-crs",
    about: "What regulators want you to show",
    text: `## Client Relationship Summary (Form CRS)

[Link the current Form CRS, which the firm keeps as a PDF file, and say which firm it is from and its date.]

Free and simple tools are available to research firms and financial professionals at https://www.investor.gov/CRS, which also provides educational materials about broker-dealers, investment advisers and investing.

## Form ADV Part 2

[Link the brochure and the supplement, or remove this part.]

## Conflicts of interest

[What you are paid by others, and for what.]

## Complaints

[Whom clients can write to, and the insurance department of your state.]`,
  },
  {
    title: "Team",
    slug: "team",
    about: "The people who work with you",
    text: `[Who works here, in one sentence.]

${teamMember}

${teamMember}

${teamMember}`,
  },
  {
    title: "Resources",
    slug: "resources",
    about: "Checklists and useful links",
    text: `[What is here, and for whom.]

## Checklists

- [A link, with one sentence about it]

## Elsewhere

- https://www.investor.gov: tools of the SEC for research about firms and people
- https://www.naic.org: the insurance departments of all states
- https://www.ssa.gov/myaccount: your Social Security statement`,
  },
];

/**
 * The first words of each placeholder, at most three, so that a placeholder is still found after its end was edited. The
 * database rejects them as well (private.require_filled).
 */
export const placeholderStarts: readonly string[] = [
  ...new Set(
    templates.flatMap(({ text }) =>
      [...text.matchAll(/\[([^\]]+)\]/g)].map(([, words = ""]) => startOf(words)),
    ),
  ),
].sort();

/** A placeholder of one word keeps its closing bracket: "[Name]" is one, "[Name of the firm]" is not. */
function startOf(words: string): string {
  const start = words.split(" ").slice(0, 3).join(" ").replace(/[.,]$/, "");
  return start.includes(" ") ? start : `${start}]`;
}

/** @returns the placeholders in a text, each as often as it is there */
export function findPlaceholders(text: string): string[] {
  return text.match(new RegExp(`\\[(?=${placeholderStarts.join("|")})[^\\]]*\\]?`, "g")) ?? [];
}
