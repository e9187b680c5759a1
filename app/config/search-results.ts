import type { SiteSettings } from "./site-schema.ts";

type Pages = SiteSettings["pages"];
export type SearchPage = {
  [Name in keyof Pages]: Pages[Name] extends { title: string } ? Name : never;
}[keyof Pages];

/** The titles and descriptions of pages. Those that the owner left empty are made from the names, without a claim. */
export function searchResults(settings: SiteSettings): Pages {
  const { firm, adviser, contact, pages, home, blog, testimonials } = settings;
  // A firm that has published only its name has an adviser of the same name.
  const person = adviser.name === firm.name ? "" : adviser.name;
  const place = contact.city && ` in ${contact.city}`;
  const made: Record<SearchPage, { title: string; description: string }> = {
    home: {
      title: joined(" | ", firm.name, adviser.title || person),
      description: joined(
        " ",
        sentence(firm.name + place),
        sentence(joined(", ", person, adviser.title)),
        sentence(firm.tagline),
      ),
    },
    services: {
      title: `${home.servicesHeading} | ${firm.name}`,
      description: describeServices(settings),
    },
    testimonials: {
      title: `${testimonials.heading} | ${firm.name}`,
      description: `${sentence(`Reviews of ${firm.name}`)} Read them, or leave your own.`,
    },
    blog: {
      title: `${blog.heading} | ${firm.name}`,
      description: joined(
        " ",
        sentence(`Articles from ${firm.name}`),
        blog.lead.replace(/\s+/g, " "),
      ),
    },
    calculators: {
      title: `Savings Calculator | ${firm.name}`,
      description: `The savings calculator of ${firm.name}, for rough estimates. Nothing you enter is stored.`,
    },
    contact: {
      title: joined(" | ", joined(" ", "Contact", person), firm.name),
      description: `How to reach ${joined(" of ", person, firm.name)}${place}, and a form to send a message.`,
    },
  };
  for (const [name, result] of Object.entries(made)) {
    // Object.entries returns string keys; those of `made` are pages.
    const own = pages[name as SearchPage];
    result.title = own.title || result.title;
    result.description = own.description || result.description;
  }
  return { ...pages, ...made, serviceEnding: pages.serviceEnding || firm.name };
}

/** Lists the services by name, as many as fit into the 155 characters that search results show. */
function describeServices({ firm, services }: SiteSettings): string {
  const titles = services.items.flatMap(({ hidden, cardTitle, title }) =>
    hidden ? [] : cardTitle || title,
  );
  const naming = (count: number) =>
    `What ${firm.name} offers: ${[...titles.slice(0, count), ...(count < titles.length ? ["and more"] : [])].join(", ")}.`;
  let count = titles.length;
  while (count > 1 && naming(count).length > 155) count -= 1;
  return count > 0 ? naming(count) : sentence(`The services of ${firm.name}`);
}

function joined(separator: string, ...parts: string[]): string {
  return parts.filter(Boolean).join(separator);
}

/** Ends a text with a full stop, unless it is empty or has an end of its own, as "Inc." has. */
function sentence(text: string): string {
  return /^$|[.!?…]["”’]?$/.test(text) ? text : `${text}.`;
}
