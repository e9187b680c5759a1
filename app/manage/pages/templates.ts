// What pages of the owner's own can start from, in the marks of the content field.

export interface Template {
  title: string;
  slug: string;
  text: string;
}

/** Pages about the site itself, which legal-drafts.ts writes from the settings. */
export const legalPages = {
  privacy: "Privacy",
  terms: "Terms of use",
  accessibility: "Accessibility",
} as const;
export type LegalPage = keyof typeof legalPages;

export const templates: readonly Template[] = [
  {
    title: "About",
    slug: "about",
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
    text: `[Who works here, in one sentence.]

## [Name]

[Role and licenses. What clients turn to this person for.]

## [Name]

[Role and licenses. What clients turn to this person for.]`,
  },
  {
    title: "Resources",
    slug: "resources",
    text: `[What is here, and for whom.]

## Checklists

- [A link, with one sentence about it]

## Elsewhere

- https://www.investor.gov: tools of the SEC for research about firms and people
- https://www.naic.org: the insurance departments of all states
- https://www.ssa.gov/myaccount: your Social Security statement`,
  },
];
