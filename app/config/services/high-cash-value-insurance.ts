import type { ServiceInput } from "../site-schema.ts";

export const service: ServiceInput = {
  slug: "high-cash-value-insurance",
  title: "High Cash Value Permanent Insurance",
  description:
    "Permanent policies designed for early cash value, for people who want lasting coverage and a reserve they can reach.",
  icon: "vault",
  tagline: "Lifelong coverage, built so that more of your premium stays within reach.",
  fullDescription: `Two whole life policies with the same premium can look very different after five years. One puts nearly everything into the base policy, with a large death benefit and little cash value early on. The other keeps the base small and directs the rest into paid-up additions, and the owner can reach most of the money far sooner.

The second design is what people mean by high cash value insurance. It also pays the person who sells it less, because commissions on paid-up additions are low. That is worth knowing when you compare proposals.

I design these policies when lifelong coverage is wanted for its own sake: for a business, for an estate, for a child who will always need support. Then the cash value is a real second use. Without that first need, there are simpler places to keep a reserve.`,
  summary: [
    "Whole life insurance, designed so that more of the premium becomes cash value early.",
    "It makes sense when you want lifelong coverage for its own sake.",
    "The early years are costly to leave: plan on fifteen years of premiums.",
  ],
  fit: {
    content:
      "These policies suit owners who are certain about the next fifteen years of premiums and have a reason for coverage that does not end with the mortgage. The design is forgiving about extra contributions and unforgiving about missed base premiums.",
    yes: [
      "You fund a buy-sell agreement in your business, or want to keep a key person.",
      "You have a child with a lifelong disability, and a special-needs trust drafted by an attorney.",
      "Your estate will need cash at a particular moment.",
      "Your workplace plan and Roth accounts are full, and you save conservatively.",
    ],
    no: [
      "Your main need is a large benefit during the working years.",
      "You compare it with stocks for growth. It is a different kind of asset, and expected to grow more slowly.",
      "You may want to stop within ten years, or your income swings widely and you have no reserve.",
    ],
  },
  sections: [
    {
      title: "How it works",
      content:
        "Each premium is split. A part pays for the base policy, a part buys small blocks of fully paid insurance. Those blocks have cash value almost at once, and they add to the death benefit as well. You can reach the value by withdrawing, borrowing or surrendering, each with its own consequences.",
      points: [
        "Cash value grows by a schedule in the contract, plus dividends if the insurer declares any.",
        "Contributions to paid-up additions are often flexible from year to year. The base premium is not.",
        "A seven-pay test under federal law limits how fast you may fund the policy before its tax treatment changes.",
        "Withdrawals and unpaid loans reduce both cash value and death benefit.",
      ],
    },
    {
      title: "What to look for in a proposal",
      content:
        "An illustration is a drawing of the future under stated assumptions, and it can be made to look handsome. I read three pages of it closely with you, and I mark the lines below before we talk about anything else.",
      points: [
        "Year-one cash value as a share of year-one premium.",
        "The year in which contractual cash value passes total premiums, with dividends set to zero.",
        "The same illustration with the dividend scale lowered by one percentage point.",
        "The base premium alone: the smallest amount that keeps the policy alive.",
        "What happens if you stop paying in year eight.",
      ],
    },
    {
      title: "What it costs you",
      content:
        "The premium is only the visible part. Insurance charges and commissions come out of it first, so in the early years the cash value is usually less than you have paid. Most of that cost falls in the first ten years, which is why leaving early is expensive and staying long is the whole idea.",
      points: [
        "The base premium is due every year. Know the smallest amount that keeps the policy alive, and be sure of it.",
        "Funding above federal limits turns the policy into a modified endowment contract, which changes how loans and withdrawals are taxed.",
        "Loans carry interest, and what is unpaid is taken from the death benefit.",
        "I am paid a commission by the insurer. It is lower on this design than on a standard policy, and I will tell you both amounts.",
      ],
    },
  ],
  questions: [
    {
      question: "Is my money safe?",
      answer:
        "The policy is a contract and depends on the insurer's ability to pay; state associations add a layer of protection with limits. We look at financial strength ratings before you choose.",
    },
    {
      question: "Can I lose money?",
      answer: "Yes, if you surrender early you will probably receive less than you paid.",
    },
    {
      question: "Whole life or universal life?",
      answer:
        "Whole life has fixed premiums and more certainty; universal life has more flexibility and needs watching every year.",
    },
    {
      question: "How is the cash value taxed?",
      answer:
        "That depends on how you take it out, on the policy's status and on your situation: ask your tax professional before each large step.",
    },
  ],
};
