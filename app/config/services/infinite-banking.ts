import type { ServiceInput } from "../site-schema.ts";

export const service: ServiceInput = {
  slug: "infinite-banking",
  title: "Infinite Banking Concept (IBC)",
  cardTitle: "Infinite Banking",
  description:
    "A sober look at borrowing against your own whole life policy, and at whether it suits you at all.",
  icon: "infinity",
  tagline: "A patient way to finance your own purchases, with the fine print read aloud.",
  fullDescription: `The Infinite Banking Concept is a way of using a participating whole life policy: you fund it heavily, let cash value build, and then borrow against that value for things you would otherwise finance elsewhere. You repay on your own schedule, and the policy stays in force underneath.

The name promises more than the mechanics do. You are not a bank. You own a life insurance policy, and the insurer lends you its money with your cash value as collateral, at interest. Used with discipline by the right household, that can be a useful source of flexible credit. Used carelessly, it is an expensive way to go without liquidity for a decade.

I help people decide which of the two it would be. Many of these conversations end with "not now", and I count that as good work.`,
  summary: [
    "You fund a whole life policy heavily and borrow against its cash value later.",
    "You are not a bank: the insurer lends, at interest, and is repaid or takes it from the death benefit.",
    "It needs steady surplus income and about ten years of patience.",
  ],
  fit: {
    content:
      "The policy has to make sense first as life insurance you want to keep for good. If the premium would be a stretch in a bad year, stop here: policies that lapse early lose most of what was paid in, and this strategy is built on large premiums.",
    yes: [
      "You own a business, buy equipment every few years and repay from revenue.",
      "You have an emergency fund and take the full match in a workplace retirement plan.",
      "You want permanent coverage anyway, and would like to use its value while you live.",
    ],
    no: [
      "You have credit-card debt: pay that first.",
      "You may need this money within about ten years.",
      "You mainly need a large death benefit for little money. Term insurance does that.",
      "You were told that it replaces a retirement plan, or that the loans are free.",
    ],
  },
  sections: [
    {
      title: "How it works",
      content:
        "A whole life policy is designed with a modest base premium and additional paid-up insurance, so that more of each dollar goes to cash value early on. After a few years there is enough value to borrow against. A loan does not need a credit check or a stated purpose; it does carry interest, and whatever is unpaid is subtracted from the death benefit.",
      points: [
        "The money you borrow comes from the insurer. Your cash value stays in the policy as security.",
        "Depending on the contract, the part that secures a loan may earn a different dividend. Ask whether the policy is 'direct recognition'.",
        "Dividends on participating policies are declared by the insurer each year and can be lower than before, or absent.",
        "Interest that you do not pay is added to the loan and compounds.",
      ],
    },
    {
      title: "What it costs you",
      content:
        "In the early years the cash value is usually less than what you have paid, because commissions and insurance costs come first. Breaking even often takes somewhere between seven and fifteen years, depending on design and on dividends that nobody can promise. I will show you the contractual column of the illustration, then the one with dividends, and then the year in which each passes the sum of your premiums.",
      points: [
        "Funding above federal limits turns the policy into a modified endowment contract, which changes how loans are taxed.",
        "A policy that lapses with a large loan can produce a tax bill with no cash to pay it.",
        "Loan rates may be fixed or variable: get the rule in writing.",
        "Tax treatment depends on your situation. Ask your tax professional before you borrow.",
      ],
    },
    {
      title: "What happens when we work together",
      content:
        "I begin with the reasons against it. If they do not apply to you, I ask two or three insurers for a design and read the illustrations with you, slowly. Nothing is lost if you take a year to decide.",
      points: [
        "Bring last year's tax return, a list of your debts and what you usually borrow for.",
        "We compare the loans you would take with what a bank or credit union asks for the same purpose.",
        "You get the break-even year in writing, once with dividends and once without.",
        "After that we look at an in-force illustration together every year, for as long as you keep the policy.",
      ],
    },
  ],
  questions: [
    {
      question: "Do I pay interest to myself?",
      answer:
        "No. You pay it to the insurer; it helps support the company's results, and your share of those is whatever dividend is declared.",
    },
    {
      question: "Can I skip repayments?",
      answer: "Yes, and the loan grows.",
    },
    {
      question: "Is it better than a home-equity line?",
      answer:
        "A line is often cheaper, a policy loan is more private and more flexible; we compare both with your numbers.",
    },
    {
      question: "How do I leave?",
      answer:
        "By surrendering or reducing the policy, and in the first years that is costly, so decide slowly.",
    },
  ],
};
