// The mail service that an owner entered, as the site reads it: whether there is one that works, and for the checks before going
// live, which try it. The function send-email reads it by itself, with the key of these secrets alone.
import type { Sql } from "embedded-supabase/database.ts";
import { z } from "zod";
import { openService, storedServiceSchema } from "../../supabase/functions/_shared/mail-service.ts";
import type { EnteredMail } from "../checks/check-mail-service.ts";
import { decryptSecret, keyOf } from "./stored-secrets.ts";

const purpose = "mail service";

/** @returns null when no owner has entered one */
export async function readEnteredMail(sql: Sql, dataDir: string): Promise<EnteredMail | null> {
  const [row] = await sql`select public.read_mail_service() as stored`;
  const stored = z.nullable(storedServiceSchema).parse(row?.stored);
  if (!stored) return null;
  const open = (secret: string) => decryptSecret(dataDir, purpose, secret);
  return { service: openService(stored, open, "anywhere") };
}

/** For the function send-email, in base64. */
export function mailSecretKey(dataDir: string): string {
  return keyOf(dataDir, purpose).toString("base64");
}
