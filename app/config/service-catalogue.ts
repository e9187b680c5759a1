/** What every page may need to know of a service; its full text is in services/content. */
export interface ServiceCatalogueEntry {
  slug: string;
  /** On the service's own page and on the post forms. */
  title: string;
  /** On cards and in lists (section 2). */
  cardTitle: string;
  /** One sentence for the card. */
  description: string;
  icon: ServiceIcon;
}

export type ServiceIcon =
  | "shield"
  | "infinity"
  | "sunrise"
  | "umbrella"
  | "leaf"
  | "vault"
  | "scroll";

/** The seven services in their fixed order (section 2). */
export const serviceCatalogue = [
  {
    slug: "life-insurance",
    title: "Life Insurance",
    cardTitle: "Life Insurance",
    description:
      "Coverage sized to the people who depend on you, and explained until you could explain it yourself.",
    icon: "shield",
  },
  {
    slug: "infinite-banking",
    title: "Infinite Banking Concept (IBC)",
    cardTitle: "Infinite Banking",
    description:
      "A sober look at borrowing against your own whole life policy, and at whether it suits you at all.",
    icon: "infinity",
  },
  {
    slug: "retirement-planning",
    title: "Retirement Planning",
    cardTitle: "Retirement Planning",
    description:
      "Turn savings, Social Security and pensions into a monthly income you can plan a life around.",
    icon: "sunrise",
  },
  {
    slug: "family-protection",
    title: "Family Protection",
    cardTitle: "Family Protection",
    description:
      "One plan for the events that interrupt a family's income: death, disability, illness and long care.",
    icon: "umbrella",
  },
  {
    slug: "tax-free-growth",
    title: "Tax-Free Growth",
    cardTitle: "Tax-Free Growth",
    description:
      "Where the tax rules let savings grow without a yearly bill, what each place asks in return, and what to ask your tax professional.",
    icon: "leaf",
  },
  {
    slug: "high-cash-value-insurance",
    title: "High Cash Value Permanent Insurance",
    cardTitle: "High Cash Value Permanent Insurance",
    description:
      "Permanent policies designed for early cash value, for people who want lasting coverage and a reserve they can reach.",
    icon: "vault",
  },
  {
    slug: "estate-planning",
    title: "Estate Planning",
    cardTitle: "Estate Planning",
    description:
      "Put the names, the papers and the cash in order, so that what you leave arrives where you meant it to.",
    icon: "scroll",
  },
] as const satisfies readonly ServiceCatalogueEntry[];

export type ServiceSlug = (typeof serviceCatalogue)[number]["slug"];
