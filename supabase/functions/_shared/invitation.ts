// An invitation to help manage the site, shared by the form and the function that receives it.
import { z } from "zod";
import { people } from "./database-limits.ts";
import { toOneLine, trimAddress } from "./one-line.ts";
import { roles } from "./roles.ts";

/** The maximum length of a name. */
export const maxNameLength = people.name;

/** Turns a line break or NUL into a blank, because the database rejects them. */
export const nameSchema = z
  .string()
  .transform((name) => toOneLine(name.toWellFormed()).trim())
  .pipe(z.string().max(maxNameLength, `A name has at most ${maxNameLength} characters.`));

/** An address as it is compared, the same as private.folded of the database. */
export function foldAddress(address: string): string {
  return address.toLowerCase().normalize("NFC");
}

export const emailSchema = z
  .string()
  .overwrite((typed) => foldAddress(trimAddress(typed)))
  .max(255, "The email address is too long.")
  .pipe(z.email("Please enter a valid email address."));

export const invitationSchema = z.object({
  email: emailSchema,
  name: nameSchema.default(""),
  role: z.enum(roles, "Please choose a role."),
});
export type Invitation = z.output<typeof invitationSchema>;

export const outcomeSchema = z.discriminatedUnion("outcome", [
  /** The invitation was mailed. */
  z.object({ outcome: z.literal("sent") }),
  /** The invitation was not mailed, so the owner hands over the link. */
  z.object({ outcome: z.literal("link"), link: z.url({ protocol: /^https?$/ }) }),
  /** The address had an account without a role, which now has the chosen one. */
  z.object({ outcome: z.literal("added") }),
]);
export type InvitationOutcome = z.output<typeof outcomeSchema>;
