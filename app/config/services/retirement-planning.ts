import type { ServiceInput } from "../site-schema.ts";

export const service: ServiceInput = {
  slug: "retirement-planning",
  title: "Retirement Planning",
  description:
    "Turn savings, Social Security and pensions into a monthly income you can plan a life around.",
  icon: "sunrise",
  tagline: "From a pile of statements to a paycheck you understand.",
  fullDescription: `Most people arrive with a number they read somewhere and a drawer of statements. What they want to know is simpler: when can I stop, what can I spend each month, and what happens to my spouse if I go first?

We answer these three in order. First we put on one page what comes in, what goes out and what is owed. Then we test it: a bad first decade in the markets, a long life, a year of care, a widow's single Social Security check. A plan that only works when everything goes well is a wish.

I do not manage investment accounts or pick funds. I build the income plan, look after the insurance side of it, and work openly with whoever handles your investments and taxes.`,
  summary: [
    "A written plan for when you can stop and what you can spend each month.",
    "Tested against bad markets, a long life and the loss of one Social Security check.",
    "A flat fee, quoted before we start. I do not manage investments.",
  ],
  fit: {
    content:
      "The work is most useful from about ten years before you want to stop until a few years after. Younger savers need less than they fear: a workplace plan, the full match and time.",
    yes: [
      "You are past 50 and cannot say what you may spend each month.",
      "You are a couple with an age gap, or with very different pensions.",
      "You have been widowed, and the decisions are suddenly yours.",
      "Your retirement is tied up in a business.",
    ],
    no: [
      "You want stock picks, market timing or a promised rate of return. I do not offer these.",
      "You have costly short-term debt. We would start there.",
      "You are under 40 and take your full employer match. Keep going, and come back later.",
    ],
  },
  sections: [
    {
      title: "How the planning works",
      content:
        "Two meetings and some homework. In the first we list your income sources, essential spending and wishes. Between meetings I model several dates and claiming ages. In the second you see the results as monthly amounts in today's dollars, including the versions that do not work.",
      points: [
        "Essential spending is matched, as far as possible, with income that lasts as long as you do.",
        "Wishes are paid from savings, with a rule for what you cut back in a poor year.",
        "We keep one to two years of planned withdrawals out of the market's way, if your savings allow it.",
        "You leave with a written plan and the assumptions behind it, so that anyone can check it.",
      ],
    },
    {
      title: "Decisions that matter most",
      content:
        "A few choices move the result more than any product. They are also hard to undo, so they deserve an afternoon rather than a form filled in at the counter.",
      points: [
        "When each of you claims Social Security. For couples, the higher earner's choice also sets the survivor's check.",
        "Whether a pension is taken with a survivor's share, and how large.",
        "How you are covered for health care between your last workday and Medicare at 65.",
        "Which account you spend first. The tax effect depends on your situation, so we bring in your tax professional.",
      ],
    },
    {
      title: "What it costs you",
      content:
        "A stand-alone plan is a flat fee, quoted in writing before we start. If an insurance product turns out to be part of the answer, such as an income annuity or a survivor policy, I am paid a commission on it, and you hear about that before you decide.",
      points: [
        "Income annuities trade access to your money for income. Never use all of your savings for one.",
        "Surrender charges can last seven to ten years. Read the schedule first.",
        "Promises in an annuity contract rest on the insurer's ability to pay.",
        "Every projection uses assumptions that will be wrong. That is why we review it each year.",
      ],
    },
  ],
  questions: [
    {
      question: "How much do I need?",
      answer:
        "Enough to cover the gap between what you spend and what arrives without touching savings; we calculate the gap, and it is rarely a round number.",
    },
    {
      question: "Should I pay off the house first?",
      answer:
        "Often it lets you sleep, and sometimes it drains the account you need for emergencies; we try both.",
    },
    {
      question: "Do I still need life insurance once I stop working?",
      answer:
        "Only if someone's income would fall when you die, or if your estate has a bill to pay.",
    },
    {
      question: "Can I use an online calculator?",
      answer:
        "Yes, for a first feeling. It assumes the same return every year, and real years do not behave like that.",
    },
  ],
};
