import type { ContactMessage } from "./contact-message.ts";

/** What a contact form holds, without blanks around it. */
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
