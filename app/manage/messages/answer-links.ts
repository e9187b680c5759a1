import { site } from "../../config/site.ts";

/** Opens a mail to the visitor. The address was typed by a stranger: nothing of it is a header. */
export function mailUrl(email: string): string {
  const address = encodeURIComponent(email).replaceAll("%40", "@");
  const subject = encodeURIComponent(`Re: Your message to ${site.brand}`);
  return `mailto:${address}?subject=${subject}`;
}

// Seven digits or more, with what people write between them.
const number = /\+?\(?\d(?:[\s().\-/–]*\d){6,14}/;

/**
 * Dials the number in what a visitor wrote as their phone, which is any text.
 * @returns null when no number of 7 to 15 digits stands in it.
 */
export function phoneUrl(phone: string): string | null {
  const found = phone.match(number)?.[0];
  return found ? `tel:${found.startsWith("+") ? "+" : ""}${found.replace(/\D/g, "")}` : null;
}
