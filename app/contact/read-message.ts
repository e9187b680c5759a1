import type { ContactMessage } from "./contact-message.ts";

/** In the order of the form. */
export const contactFields = ["name", "email", "phone", "message"] as const;

/** What a contact form holds, trimmed. */
export function readMessage(form: FormData): ContactMessage {
  const text = (field: string) => {
    const value = form.get(field);
    return typeof value === "string" ? value.trim() : "";
  };
  return {
    name: text("name"),
    email: text("email"),
    phone: text("phone"),
    message: text("message"),
  };
}
