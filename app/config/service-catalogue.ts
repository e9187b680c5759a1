import {
  type IconNode,
  Infinity as InfinityIcon,
  Leaf,
  ScrollText,
  Shield,
  Sunrise,
  Umbrella,
  Vault,
} from "lucide";

/** What every page may show about a service. Its full text is in `services/content/{slug}.ts`. */
export interface ServiceCatalogueEntry {
  slug: string;
  /** On the service's own page and on the post forms. */
  title: string;
  /** On cards and in lists (section 2). */
  cardTitle: string;
  /** One sentence for the card. */
  description: string;
  icon: IconNode;
}

/** The services in their order (section 2). */
export const serviceCatalogue: readonly ServiceCatalogueEntry[] = [
  {
    slug: "life-insurance",
    title: "Life Insurance",
    cardTitle: "Life Insurance",
    description:
      "Coverage sized to the people who depend on you, and explained until you could explain it yourself.",
    icon: Shield,
  },
  {
    slug: "infinite-banking",
    title: "Infinite Banking Concept (IBC)",
    cardTitle: "Infinite Banking",
    description:
      "A sober look at borrowing against your own whole life policy, and at whether it suits you at all.",
    icon: InfinityIcon,
  },
  {
    slug: "retirement-planning",
    title: "Retirement Planning",
    cardTitle: "Retirement Planning",
    description:
      "Turn savings, Social Security and pensions into a monthly income you can plan a life around.",
    icon: Sunrise,
  },
  {
    slug: "family-protection",
    title: "Family Protection",
    cardTitle: "Family Protection",
    description:
      "One plan for the events that interrupt a family's income: death, disability, illness and long care.",
    icon: Umbrella,
  },
  {
    slug: "tax-free-growth",
    title: "Tax-Free Growth",
    cardTitle: "Tax-Free Growth",
    description:
      "Where the tax rules let savings grow without a yearly bill, what each place asks in return, and what to ask your tax professional.",
    icon: Leaf,
  },
  {
    slug: "high-cash-value-insurance",
    title: "High Cash Value Permanent Insurance",
    cardTitle: "High Cash Value Permanent Insurance",
    description:
      "Permanent policies designed for early cash value, for people who want lasting coverage and a reserve they can reach.",
    icon: Vault,
  },
  {
    slug: "estate-planning",
    title: "Estate Planning",
    cardTitle: "Estate Planning",
    description:
      "Put the names, the papers and the cash in order, so that what you leave arrives where you meant it to.",
    icon: ScrollText,
  },
];

const numbers = "No One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve".split(" ");

/** How many services there are, as the first word of a sentence. */
export const serviceCount = numbers[serviceCatalogue.length] ?? String(serviceCatalogue.length);
