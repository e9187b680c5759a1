import type { ServiceContent } from "../services.ts";

export const retirementPlanning: ServiceContent = {
  tagline: "From a pile of statements to a paycheck you understand.",
  fullDescription: `Most people arrive with a number they read somewhere and a drawer of statements. What they want to know is simpler: when can I stop, what can I spend each month, and what happens to my spouse if I go first?

We answer these three in order. First we put on one page what comes in, what goes out and what is owed. Then we test it: a bad first decade in the markets, a long life, a year of care, a widow's single Social Security check. A plan that only works when everything goes well is a wish.

I do not manage investment accounts or pick funds. I build the income plan, look after the insurance side of it, and work openly with whoever handles your investments and taxes.`,
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
      title: "Who it is for, and who it is not for",
      content:
        "The work is most useful from about ten years before you want to stop until a few years after. Younger savers need less than they fear: a workplace plan, the full match and time.",
      points: [
        "A good fit: people from 50 on, couples with an age gap, the newly widowed, owners whose retirement is tied up in a business.",
        "Not a fit: anyone who wants stock picks, market timing or a promised rate of return. I do not offer these.",
        "Also not a fit yet: households with costly short-term debt. We would start there.",
      ],
    },
    {
      title: "Costs and trade-offs",
      content:
        "A stand-alone plan is a flat fee, quoted in writing before we start. If an insurance product turns out to be part of the answer, such as an income annuity or a survivor policy, I am paid a commission on it, and you hear about that before you decide.",
      points: [
        "Income annuities trade access to your money for income. Never use all of your savings for one.",
        "Surrender charges can last seven to ten years. Read the schedule first.",
        "Promises in an annuity contract rest on the insurer's ability to pay.",
        "Every projection uses assumptions that will be wrong. That is why we review it each year.",
      ],
    },
    {
      title: "Questions people ask",
      content:
        "How much do I need? Enough to cover the gap between what you spend and what arrives without touching savings; we calculate the gap, and it is rarely a round number. Should I pay off the house first? Often it lets you sleep, and sometimes it drains the account you need for emergencies; we try both. Do I still need life insurance once I stop working? Only if someone's income would fall when you die, or if your estate has a bill to pay. Can I use the calculator on this site? Yes, for a first feeling. It assumes the same return every year, and real years do not behave like that.",
    },
  ],
};
