/** The sections of the home page below its opening, in their usual order. */
export const homeOrder = [
  "about",
  "services",
  "approach",
  "testimonials",
  "blog",
  "contact",
] as const;
