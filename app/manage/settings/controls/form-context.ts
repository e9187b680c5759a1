import { createContext, useContext } from "react";
import type { SectionName } from "../../../config/site-schema.ts";

/** What the fields of one form share. */
interface FormContextValue {
  section: SectionName;
  /** The whole document, for fields that depend on others. */
  document: Readonly<Record<string, unknown>>;
  /** The problem to show at a path; undefined while the owner has not left the field. */
  problemAt(path: string): string | undefined;
  /** The owner left a field: its problem may be shown. */
  visit(path: string): void;
}

export const FormContext = createContext<FormContextValue | null>(null);

export function useForm(): FormContextValue {
  const form = useContext(FormContext);
  if (!form) throw new Error("useForm must be used within a settings form");
  return form;
}

/** The id of the control at a path. */
export function idOf(path: string): string {
  return `setting-${path.replace(/[^\w-]+/g, "-").replace(/-$/, "")}`;
}
