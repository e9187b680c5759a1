// The kinds of fields that the forms of /manage/settings show.

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

export interface RowsSetting extends About {
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

export type Field = TextField | SpecialField | ListField | RowsSetting | ImageSetting | PartsField;

/** Fields with a common heading. */
export interface FieldGroup<Names = string> {
  title: string;
  fields: readonly (Field & { name: Names })[];
}
