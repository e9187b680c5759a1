import type { ServiceInput } from "../site-schema.ts";

export const service: ServiceInput = {
  slug: "life-insurance",
  title: "Life Insurance",
  description:
    "Coverage sized to the people who depend on you, and explained until you could explain it yourself.",
  icon: "shield",
  tagline: "Enough to keep the house, the plans and the ordinary Tuesdays.",
  fullDescription: `Life insurance is a simple promise with a lot of paperwork around it: you pay premiums, and if you die while the policy is in force, the insurer pays the people you named. Everything else, from riders to rating classes to the difference between two kinds of permanent policy, is detail that only matters once the amount and the length of the coverage are right.

So that is where we start. We work out what your family would have to pay for without you, for how long, and what they already have. Often the answer is a plain term policy. Sometimes it is term plus a small permanent one. Now and then it is nothing at all, and I will say so.

As an independent adviser I can place policies with several insurers, so a health condition or a hobby that one company dislikes is a reason to ask another.`,
  summary: [
    "Money for the people who live on your income, if you die while the policy runs.",
    "For most families a plain term policy of the right size is enough.",
    "You pay premiums to the insurer. Talking to me costs you nothing.",
  ],
  fit: {
    content:
      "The test is short: would someone be in financial trouble if your income, or your unpaid work at home, stopped tomorrow? If nobody relies on you and your debts die with you, your money may do more in an emergency fund.",
    yes: [
      "You have young children, or a mortgage that two incomes pay.",
      "You support an aging parent, or a relative with a disability.",
      "You stay at home, and your work there would cost real money to replace.",
      "You have a business partner who would have to buy out your family.",
    ],
    no: [
      "You are single, and nobody depends on your income.",
      "You are retired, and savings and pensions already carry the survivor.",
      "You are really worried about not being able to work. Look at disability coverage first: a long illness is the more common interruption.",
    ],
  },
  sections: [
    {
      title: "How it works",
      content:
        "You choose an amount (the death benefit), a length of time and the people who should receive it. The insurer looks at your age, health, occupation and habits and puts you in a price class. Coverage starts once the application is approved and the first premium is paid, and it lasts as long as the premiums do.",
      points: [
        "Term insurance covers a set number of years, commonly 10, 20 or 30. It has no cash value, and that is why it costs the least per dollar of coverage.",
        "Permanent insurance is designed to last for life and builds a cash value. For the same benefit it can cost ten times as much as term, or more.",
        "Many term policies can be converted to a permanent one up to a certain age without new health questions. Check the deadline before you buy.",
        "After delivery you have a free-look period, set by state law, in which you can return the policy for a refund of your premium.",
      ],
    },
    {
      title: "What it costs you",
      content:
        "Price depends mostly on age, health and tobacco, then on the amount and the length. A healthy person of 35 may find a 20-year term policy for less than a household's streaming and phone bills; the same person at 55 will pay several times that. I show you quotes from more than one insurer side by side, including the ones I earn less on.",
      points: [
        "Compare the total over the whole term as well as the monthly figure.",
        "Paying once a year usually costs a little less than twelve monthly drafts.",
        "Ask what the premium becomes in the year after the level period ends. It is often startling.",
        "I am paid a commission by the insurer when a policy is issued. I will tell you the amount if you ask, and you should ask.",
      ],
    },
    {
      title: "What happens when we work together",
      content:
        "The first conversation takes about 45 minutes and ends with a number and the arithmetic behind it, on one page. If you want to go on, I compare insurers, help with the application and prepare you for the health questions. When the policy arrives we read it together before the free-look period runs out.",
      points: [
        "Bring a recent pay stub, your mortgage balance and any policies you already have, including the one from work.",
        "Answer every health question fully. A wrong answer is the most common avoidable reason for a disputed claim.",
        "We put a review in the calendar: after a birth, a move, a marriage or a new job, and otherwise every three years.",
      ],
    },
  ],
  questions: [
    {
      question: "Is the policy from my employer enough?",
      answer: "Rarely, and it usually ends with the job, so count it as a bonus.",
    },
    {
      question: "Will I need a medical exam?",
      answer:
        "For many healthy applicants and moderate amounts, no; the insurer uses records instead.",
    },
    {
      question: "Is the death benefit taxed?",
      answer:
        "It is generally not subject to federal income tax, but there are exceptions, and how it is treated depends on your situation, so ask your tax professional.",
    },
    {
      question: "What if I have a health history?",
      answer:
        "Tell me first. I can ask insurers informally, without your name, before anything is on file.",
    },
  ],
};
