// What the owner has not read or written yet.
import { startingSettings } from "./site.ts";
import {
  fields,
  type SectionName,
  type Service,
  type SiteSettings,
  sectionSchemas,
} from "./site-schema.ts";

/** The fields whose content came with the site and was not read yet, by name with their labels. */
export function unreadFields(section: SectionName, document: object): Map<string, string> {
  const unread = new Map<string, string>();
  if (!("starter" in document && document.starter)) return unread;
  for (const [name, schema] of Object.entries(sectionSchemas[section].shape)) {
    const info = fields.get(schema);
    const [start, current] = [startingSettings[section], document].map((each) =>
      JSON.stringify(Object(each)[name]),
    );
    // Choices and empty fields are not texts to read.
    const isText = info && !info.choices && !/^(null|""|"-"|\[\])$/.test(start ?? "");
    if (isText && start === current) unread.set(name, info.label);
  }
  return unread;
}

/** What the owner has not read: labels of fields, and titles of visible services. */
export function unreadTexts<Section extends SectionName>(
  section: Section,
  document: SiteSettings[Section],
): string[] {
  if (!("items" in document)) return [...unreadFields(section, document).values()];
  return document.items.flatMap(({ starter, hidden, title }) => (starter && !hidden ? title : []));
}

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
