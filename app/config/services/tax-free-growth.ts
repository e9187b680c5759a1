import type { ServiceInput } from "../site-schema.ts";

export const service: ServiceInput = {
  slug: "tax-free-growth",
  title: "Tax-Free Growth",
  description:
    "Where the tax rules let savings grow without a yearly bill, what each place asks in return, and what to ask your tax professional.",
  icon: "leaf",
  tagline: "Favorable rules exist. Each one comes with conditions.",
  fullDescription: `Federal tax law treats some kinds of saving gently. Qualified withdrawals from a Roth account can come out free of income tax. Health savings accounts can be favorable going in and coming out. Inside a life insurance policy, cash value generally grows without current tax, and the death benefit is generally paid to beneficiaries free of federal income tax.

Each of these has conditions, limits and ways to lose the advantage. "Tax-free" is a description of what the rules can do when you keep to them. It is not a property of a product, and the rules can change.

I help you see which of these places you are using, which you have overlooked, and in which order they make sense. I am not a tax preparer or an attorney. What applies to you depends on your situation, and we settle the details with your tax professional.`,
  summary: [
    "Some accounts and policies are taxed gently, each under conditions.",
    "The ordinary ones (a Roth account, an HSA, the employer match) usually come first.",
    "Whether a rule applies to you is a question for your tax professional.",
  ],
  fit: {
    content:
      "These tools help most when you have time and expect a similar or higher tax bracket later. They help less when you need the money soon, or when a deduction today is worth more to you than freedom from tax in twenty years.",
    yes: [
      "You already fill your workplace plan and can save more.",
      "You are a couple with very different tax years ahead.",
      "You own a business with uneven income.",
    ],
    no: [
      "You are in a peak-income year and would give up a large deduction.",
      "You would buy life insurance only for the tax treatment. Its cost then eats much of the advantage.",
      "You may need the money within a few years.",
    ],
  },
  sections: [
    {
      title: "The places, in plain words",
      content:
        "There are only a handful. For most households the ordinary ones come first, because they are cheaper and simpler. Life insurance belongs on the list when there is a lasting need for coverage as well.",
      points: [
        "Roth IRA and Roth workplace accounts: you pay tax on what goes in; qualified withdrawals are free of federal income tax, subject to age and five-year rules.",
        "Health savings accounts: for those with an eligible health plan, with favorable treatment of qualified medical spending.",
        "529 education accounts: growth can be free of federal tax when it is used for qualified education costs.",
        "Permanent life insurance: value grows tax-deferred. Loans are generally not taxed while the policy stays in force, unless it has become a modified endowment contract.",
      ],
    },
    {
      title: "A sensible order",
      content:
        "I like to see the simple steps finished before the complicated ones start. The order below fits many households and not all of them.",
      points: [
        "An emergency fund, and no high-interest debt.",
        "The full employer match in your workplace plan.",
        "An HSA or a Roth account, if you are eligible.",
        "Then, with steady surplus and a lasting need for coverage, a properly designed permanent policy.",
      ],
    },
    {
      title: "What it costs you",
      content:
        "Favorable treatment is paid for with limits on access. Withdraw too early, fund too fast or let a policy lapse, and the advantage can turn into a bill. We read those conditions before you commit.",
      points: [
        "Early withdrawals of earnings can be taxed and may carry a ten percent additional tax.",
        "If a policy lapses with a loan outstanding, the gain can become taxable in that year.",
        "Insurance charges reduce cash value every year, in good years and poor ones.",
        "State rules differ, and federal rules may change during your lifetime.",
      ],
    },
  ],
  questions: [
    {
      question: "Is it really free of tax?",
      answer:
        "Under current federal law it can be, for people who meet the conditions; whether you do depends on your situation, so ask your tax professional.",
    },
    {
      question: "Should I convert my IRA to a Roth?",
      answer:
        "Sometimes, and often in slices over several low-income years. I prepare the questions and your tax professional runs the return.",
    },
    {
      question: "Can I use life insurance instead of a Roth?",
      answer: "First use the Roth if you are eligible: it is simpler and costs less.",
    },
    {
      question: "How do you check that a policy stays within the limits?",
      answer:
        "I ask the insurer for the seven-pay figure in writing and look at it again at each review.",
    },
  ],
};
