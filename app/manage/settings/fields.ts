// What the owner can set, as data: the forms of /manage/settings are rendered from it. The rules of each value stand in
// app/config/site-schema.ts.
import type { SectionName, SiteSettings } from "../../config/site-schema.ts";
import { adviserFields, contactFields, firmFields, licencesFields } from "./fields-about-firm.ts";
import {
  blogFields,
  disclosuresFields,
  homeFields,
  mailFields,
  servicesFields,
  siteFields,
  testimonialsFields,
} from "./fields-of-pages.ts";

interface About {
  /** The property of the document or row. */
  name: string;
  label: string;
  /** What it is for and where it appears, in one or two short sentences. */
  help: string;
}

export interface TextField extends About {
  kind: "line" | "text" | "email" | "link" | "date" | "digits";
  /** For the browser's own suggestions. */
  autoComplete?: string;
}

export interface SpecialField extends About {
  kind: "phone" | "color" | "timeZone" | "country" | "switch" | "services";
}

export interface ListField extends About {
  kind: "list";
  /** How one entry is called, such as "Paragraph". */
  entry: string;
  entryKind: "line" | "text" | "email";
}

export interface RowsField extends About {
  kind: "rows";
  /** How one row is called, such as "License". */
  entry: string;
  fields: readonly TextField[];
}

export interface ImageSetting extends About {
  kind: "image";
  /** Width divided by height. */
  aspect?: number;
  /** In pixels. */
  minWidth?: number;
  askAlt?: boolean;
}

/** Parts of a page that can be switched off. The setting lists those that are. */
export interface PartsField extends About {
  kind: "parts";
  parts: readonly { value: string; label: string }[];
}

export type Field = TextField | SpecialField | ListField | RowsField | ImageSetting | PartsField;

/** Fields with a common heading. */
export interface FieldGroup<Names = string> {
  title: string;
  fields: readonly (Field & { name: Names })[];
}

type FieldsOf<Section extends SectionName> = readonly FieldGroup<keyof SiteSettings[Section]>[];

export const fieldGroups: { readonly [Section in SectionName]: FieldsOf<Section> } = {
  firm: firmFields,
  adviser: adviserFields,
  contact: contactFields,
  mail: mailFields,
  licences: licencesFields,
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
