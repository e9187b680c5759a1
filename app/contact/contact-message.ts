import { z } from "zod/mini";
import { emailAddress } from "../../supabase/functions/_shared/contact-message.ts";

/** Upper bounds in characters, the same as the CHECKs of the contact_messages table. */
export const contactLimits = { name: 200, email: 320, phone: 60, message: 10_000 } as const;

/** The rules and messages of the contact page (section 5). */
const contactMessageSchema = z.object({
  name: z
    .string()
    .check(
      z.trim(),
      z.minLength(2, "Name must be at least 2 characters."),
      z.maxLength(contactLimits.name, "Name must be at most 200 characters."),
    ),
  email: z
    .string()
    .check(
      z.trim(),
      z.maxLength(contactLimits.email, "Please enter a valid email address."),
      z.email({ pattern: emailAddress, error: "Please enter a valid email address." }),
    ),
  phone: z
    .string()
    .check(z.trim(), z.maxLength(contactLimits.phone, "Phone must be at most 60 characters.")),
  message: z
    .string()
    .check(
      z.trim(),
      z.minLength(10, "Message must be at least 10 characters."),
      z.maxLength(contactLimits.message, "Message must be at most 10,000 characters."),
    ),
});

export type ContactMessage = z.infer<typeof contactMessageSchema>;
export type ContactErrors = Partial<Record<keyof ContactMessage, string>>;

/** Checks a message. @returns the first error of each field; empty when all is well. */
export function validateContactMessage(message: ContactMessage): ContactErrors {
  const result = contactMessageSchema.safeParse(message);
  if (result.success) return {};
  const errors: ContactErrors = {};
  for (const { path, message: text } of result.error.issues) {
    errors[path[0] as keyof ContactMessage] ??= text;
  }
  return errors;
}
