// What replaces a forgotten password, shared by the form and the function that receives it.
import { z } from "zod";
import { emailSchema } from "./invitation.ts";

export const recoverySchema = z.object({
  email: emailSchema,
  code: z
    .string()
    .max(100, "This is not a recovery code.")
    .regex(/[0-9a-f]/i, "Please enter one of your recovery codes."),
});
