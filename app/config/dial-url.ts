import {
  findPhoneNumbersInText,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from "libphonenumber-js/min";
import { removeMarks, removeUnseen, toAscii } from "../../supabase/functions/_shared/one-line.ts";

// 7 to 15 digits with the usual separators.
const digitsInText = /\+?\(?\d(?:[().\-/\u2010-\u2015]*\d){6,14}/;
// The library takes what follows a comma for an extension.
const anotherNumber =
  /(?<=\d(?:[\s().\-\u2010-\u2015]*\d){6})\s*[,;/|]\s*[+(]?\d(?:[\s().\-\u2010-\u2015]*\d){6,}.*$/s;
/** What separates a number from its extension, where the library does not expect it. */
const beforeExtension = /(?<=\d)\s*[-\u2010-\u2015(/]\s*(?=(?:e?xt(?:ension|n)?|x|#)[\s.:]*\d)/gi;
/** What follows the area code in 1-800-FLOWERS. */
const lettered =
  /(?<=(?<![\p{L}\d])(?:1[\s.-]*)?\(?[2-9]\d\d\)?[\s.-]*)[\dA-Z](?:[\s.-]?[\dA-Z]){6,}/gu;
/** The digits of the letters from A to Z. */
const keypad = "22233344455566677778889999";

/**
 * The first phone number in a text.
 * @param country of two letters, for numbers without a country code. The library ignores one that it does not know.
 */
export function findPhoneNumber(text: string, country: string): PhoneNumber | undefined {
  const first = removeMarks(toAscii(text))
    .replace(/[^\S\n]/g, " ")
    .replace(lettered, toDigits)
    .replace(anotherNumber, "")
    .replace(beforeExtension, " ")
    .replace(/^\s*00(?=[1-9])/, "+");
  const defaultCountry = country as "US";
  // The library takes 'Mon-Fri 9-5, 503-555-0142' for one number.
  for (const part of [first, ...first.split(/[,;|]/)]) {
    const [found] = findPhoneNumbersInText(part, defaultCountry);
    if (found) return found.number;
    const parsed = parsePhoneNumberFromString(part, { defaultCountry });
    if (parsed?.isPossible()) return parsed;
  }
  return undefined;
}

/**
 * A `tel:` link that dials the first phone number in a text, with the country code and the extension.
 * @returns null when the text contains no number of 7 to 15 digits
 */
export function dialUrl(text: string, country: string): string | null {
  const number = findPhoneNumber(text, country);
  if (number) return number.getURI();
  // One without its area code.
  const digits = digitsInText.exec(removeUnseen(toAscii(text)))?.[0];
  return digits ? `tel:${digits.startsWith("+") ? "+" : ""}${digits.replace(/\D/g, "")}` : null;
}

/** The seven digits that letters stand for. Telephones ignore further ones. */
function toDigits(written: string): string {
  const [number = ""] = /^(?:[\s.-]?[\dA-Z]){7}/.exec(written) ?? [];
  if (!/[A-Z]/.test(number)) return written;
  const rest = written.slice(number.length).replace(/^[\dA-Z-]+/, "");
  return number.replace(/[A-Z]/g, (letter) => keypad.charAt(letter.charCodeAt(0) - 65)) + rest;
}
