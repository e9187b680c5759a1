import {
  findPhoneNumbersInText,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from "libphonenumber-js/min";
import { removeUnseen } from "../../supabase/functions/_shared/one-line.ts";

// 7 to 15 digits with the usual separators.
const digitsInText = /\+?\(?\d(?:[().\-/\u2010-\u2015]*\d){6,14}/;
// The library takes what follows a comma for an extension.
const anotherNumber = /(?<=\d)\s*[,;/|]\s*[+(]?\d(?:[\s().\-\u2010-\u2015]*\d){6,}.*$/s;
const marks = /[\u200e\u200f\u202a-\u202e\u2060-\u2069]/g;

/**
 * The first phone number in a text.
 * @param country of two letters, for numbers without a country code. The library ignores one that it does not know.
 */
export function findPhoneNumber(text: string, country: string): PhoneNumber | undefined {
  // Full-width digits become ASCII.
  const first = text.normalize("NFKC").replace(marks, "").replace(anotherNumber, "");
  const defaultCountry = country as "US";
  const [found] = findPhoneNumbersInText(first, defaultCountry);
  if (found) return found.number;
  const parsed = parsePhoneNumberFromString(first, { defaultCountry });
  return parsed?.isPossible() ? parsed : undefined;
}

/**
 * A `tel:` link that dials the first phone number in a text, with the country code and the extension.
 * @returns null when the text contains no number of 7 to 15 digits
 */
export function dialUrl(text: string, country: string): string | null {
  const number = findPhoneNumber(text, country);
  if (number) return number.getURI();
  // One without its area code.
  const digits = digitsInText.exec(removeUnseen(text.normalize("NFKC")))?.[0];
  return digits ? `tel:${digits.startsWith("+") ? "+" : ""}${digits.replace(/\D/g, "")}` : null;
}
