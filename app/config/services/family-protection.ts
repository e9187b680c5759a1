import type { ServiceInput } from "../site-schema.ts";

export const service: ServiceInput = {
  slug: "family-protection",
  title: "Family Protection",
  description:
    "One plan for the events that interrupt a family's income: death, disability, illness and long care.",
  icon: "umbrella",
  tagline: "So that a hard year stays a hard year, and not the end of the plan.",
  fullDescription: `Families rarely come apart over a single missing product. They run into trouble in the gaps: a good life policy and no disability coverage, a will without a guardian, a beneficiary form that still names someone from two addresses ago.

Family protection is a review of all of it together. We look at what would happen in the first month, the first year and the years after if one of you died, could not work, or needed care. Then we close the gaps in the order in which they would hurt, as far as the budget goes.

Some of the most useful steps cost nothing. I will give you that list first.`,
  summary: [
    "One review of what would happen if you died, fell ill or could not work.",
    "The gaps are closed in the order in which they would hurt.",
    "The first steps are paperwork, and they are free.",
  ],
  fit: {
    content:
      "It suits households in which more than one person lives on somebody's paycheck, and single parents above all. It also suits adult children who have become the informal safety net of their parents.",
    yes: [
      "You have just become parents, or are about to.",
      "You are a blended family, or live together without being married.",
      "You are self-employed, without an employer's benefits.",
      "You look after a parent or a relative.",
    ],
    no: [
      "You are single with solid employer benefits. You may only need a disability check.",
      "You want a policy for every possible event. Insure what would break you; save for the rest.",
    ],
  },
  sections: [
    {
      title: "How it works",
      content:
        "We go through four events, one after the other, and write down who would pay for what. For each there is usually something in place already: sick leave, a group policy, savings, Social Security. What remains uncovered is the real need.",
      points: [
        "An early death: income, mortgage, child care and education.",
        "A disability: most people of working age have less coverage here than anywhere else.",
        "A serious illness: deductibles, travel, and months of reduced hours for the other parent.",
        "Long-term care for you or your parents, which Medicare covers only in narrow cases.",
      ],
    },
    {
      title: "Start with what is free",
      content:
        "Before any application, an hour of paperwork does more than most riders. I send you a checklist, and we go through it together if you like.",
      points: [
        "Check the beneficiaries on every policy and retirement account, and add a second name to each.",
        "Name a guardian for minor children in a will.",
        "Look up your survivor and disability estimates in your Social Security account.",
        "Write one page that says where everything is, and tell two people where that page is.",
      ],
    },
    {
      title: "What it costs you",
      content:
        "Most young families can cover the large risks with term life and disability insurance. Disability coverage often costs one to three percent of the income it protects; the exact price depends on occupation, health and how long you can wait before benefits begin. When the budget is short, we lengthen that wait before we shorten the benefit.",
      points: [
        "A 90-day waiting period costs much less than 30 days, if your savings can carry you.",
        "Riders for children are cheap, and they are also the easiest thing to leave out.",
        "Critical-illness policies pay for a list of diagnoses. Read the list before the price.",
        "Covering both parents moderately usually beats covering one of them heavily.",
      ],
    },
  ],
  questions: [
    {
      question: "We are healthy and thirty. Is it too early?",
      answer: "It is the cheapest time to ask.",
    },
    {
      question: "What about mortgage life insurance from the bank?",
      answer:
        "It pays the bank and shrinks with the loan; a term policy pays your family and lets them choose.",
    },
    {
      question: "Do children need a policy?",
      answer:
        "Seldom. If a family history makes later coverage doubtful, a small one can be reasonable.",
    },
    {
      question: "We live together and are not married. Does that change things?",
      answer:
        "Very much: survivor benefits and inheritance rules may pass you by, so names on forms matter twice as much.",
    },
  ],
};
