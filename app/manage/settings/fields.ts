// What the owner can set, as data: the forms of /manage/settings are rendered from it. The rules of each value stand in
// app/config/site-schema.ts.
import type { SectionName, SiteSettings } from "../../config/site-schema.ts";
import type { Field, FieldGroup } from "./field-types.ts";
import { adviserFields, contactFields, firmFields, licensesFields } from "./fields-about-firm.ts";
import {
  blogFields,
  disclosuresFields,
  homeFields,
  mailFields,
  servicesFields,
  siteFields,
  testimonialsFields,
} from "./fields-of-pages.ts";

type FieldsOf<Section extends SectionName> = readonly FieldGroup<keyof SiteSettings[Section]>[];

export const fieldGroups: { readonly [Section in SectionName]: FieldsOf<Section> } = {
  firm: firmFields,
  adviser: adviserFields,
  contact: contactFields,
  mail: mailFields,
  licenses: licensesFields,
  disclosures: disclosuresFields,
  home: homeFields,
  services: servicesFields,
  blog: blogFields,
  testimonials: testimonialsFields,
  site: siteFields,
};

export function groupsOf(section: SectionName): readonly FieldGroup[] {
  return fieldGroups[section];
}

export function fieldsOf(section: SectionName): Field[] {
  return groupsOf(section).flatMap(({ fields }) => [...fields]);
}
