import type { Service, SiteSettings } from "./site-schema.ts";

/** What visitors miss in a service, such as "no description". */
export function missingTexts(service: Service): string[] {
  const { description, fullDescription, summary, fit, sections, questions } = service;
  const pageTexts = [fullDescription, fit.content, ...summary, ...fit.yes, ...fit.no];
  const hasPage = pageTexts.some((text) => text.trim()) || sections.length + questions.length > 0;
  return [description.trim() ? [] : "no description", hasPage ? [] : "no text on its page"].flat();
}

/** A sentence for each visible service without its texts, without the full stop. */
export function describeEmptyServices({ items }: SiteSettings["services"]): string[] {
  return items.flatMap((service) => {
    const missing = service.hidden ? [] : missingTexts(service);
    return missing.length > 0
      ? [`The service “${service.title}” has ${missing.join(" and ")}`]
      : [];
  });
}
