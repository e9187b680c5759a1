import { trimUnseen } from "../../supabase/functions/_shared/one-line.ts";

/** A field of a form, trimmed; empty without one. */
export function fieldText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? trimUnseen(value) : "";
}
