import type { ServiceInput } from "../site-schema.ts";

export const service: ServiceInput = {
  slug: "estate-planning",
  title: "Estate Planning",
  description:
    "Put the names, the papers and the cash in order, so that what you leave arrives where you meant it to.",
  icon: "scroll-text",
  tagline: "Leave instructions, and leave the means to follow them.",
  fullDescription: `An estate plan answers ordinary questions ahead of time. Who decides for me if I cannot? Who raises the children? Who gets the house, and who pays its taxes until it is sold? Most families need only a few documents, and a good afternoon of talking before an attorney drafts them.

My part is the financial side: an inventory, the beneficiary forms, the titles on accounts, and the question of where cash will come from when it is needed. I coordinate with your attorney and tax professional. I do not draft documents or give legal advice.

There can be a particular reason to look early. Some states have an estate tax of their own, with a threshold far lower than the federal one. A paid-off house, a retirement account and a life policy can add up to more than people expect.`,
  summary: [
    "An inventory of what you own, and how each thing will pass.",
    "Beneficiary forms and titles put right, before an attorney drafts the documents.",
    "A flat fee, quoted in advance. I do not draft documents or give legal advice.",
  ],
  fit: {
    content:
      "Every adult should have a health-care directive, a power of attorney and current beneficiary forms. The fuller review pays off when the family or the property is less than simple.",
    yes: [
      "You have a blended family, or minor children.",
      "You own a business, or property in several places.",
      "You care for an adult child with a disability.",
      "Your state has its own estate tax, and your total with insurance may come near its threshold.",
    ],
    no: [
      "You are a young couple with one account each. Do the forms and a simple will, then come back.",
      "You want documents drafted or a legal question answered. An attorney does that, and I can work with yours.",
    ],
  },
  sections: [
    {
      title: "How it works",
      content:
        "We begin with a list of everything you own and owe, and beside each line the way it will pass: by beneficiary form, by joint title, by trust, or by will. The fourth column is where most surprises are found.",
      points: [
        "Meeting one: the inventory and your wishes, in your own words.",
        "Between meetings: I request beneficiary confirmations from each insurer and account provider.",
        "Meeting two: the gaps, a list for your attorney, and an estimate of the cash needed in the first year.",
        "Afterwards: a one-page map for the person who will have to use it.",
      ],
    },
    {
      title: "Where life insurance fits",
      content:
        "Insurance can provide cash on a date that nobody can choose. It is useful when an estate is large on paper and short of money: a house at the coast, a working farm, a family firm. It is unnecessary when the estate already holds enough cash.",
      points: [
        "Cash to pay final expenses, debts and taxes without a hurried sale.",
        "A fair share for the child who does not take over the business.",
        "Support for a second spouse while the first family's inheritance stays intact.",
        "Whether a policy counts toward a taxable estate can depend on who owns it. Your attorney decides that with you.",
      ],
    },
    {
      title: "What it costs you",
      content:
        "My review is a flat fee that I quote in advance. Attorneys charge separately, and a will costs much less than a trust. A trust can save time and keep matters private, but only if accounts are really moved into it; an empty trust is an expensive folder.",
      points: [
        "Ask an attorney for a fixed price and for what happens when the law changes.",
        "Joint title is simple, and it exposes the account to the other owner's creditors.",
        "A policy given to an irrevocable trust is out of your hands. That is the point, and the price.",
        "Estate and gift tax rules change; how they apply depends on your situation, so ask your tax professional.",
      ],
    },
  ],
  questions: [
    {
      question: "Does my will control my life insurance?",
      answer: "No. The beneficiary form does, even if it is twenty years old.",
    },
    {
      question: "Can I name my children directly?",
      answer:
        "Not sensibly while they are minors: a court may have to appoint someone to hold the money. Ask about a trust or a custodian.",
    },
    {
      question: "How often should we look at this?",
      answer:
        "After every birth, death, marriage, divorce or move to another state, and otherwise every three to five years.",
    },
    {
      question: "My parents will not talk about it. What can I do?",
      answer:
        "Ask one question only: 'Where would I look?' It is usually the one they are willing to answer.",
    },
  ],
};
