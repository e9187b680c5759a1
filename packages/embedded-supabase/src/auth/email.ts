// The address of an account.
import { z } from "zod";

/** An address as it is stored and compared. */
export function foldAddress(address: string): string {
  return address.toLowerCase().normalize("NFC");
}

export const emailSchema = z
  .string()
  .trim()
  .overwrite(foldAddress)
  .max(255, "The email address is too long.")
  .pipe(z.email("Please enter a valid email address."));
