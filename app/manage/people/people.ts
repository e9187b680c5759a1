import { z } from "zod";
import {
  type Invitation,
  type InvitationOutcome,
  outcomeSchema,
} from "../../../supabase/functions/_shared/invitation.ts";
import { type Role, roles } from "../../../supabase/functions/_shared/roles.ts";
import type { Client } from "../../supabase/client-context.ts";

const personSchema = z.object({
  id: z.string(),
  email: z.string(),
  name: z.nullable(z.string()),
  role: z.enum(roles),
  last_sign_in_at: z.nullable(z.string()),
  /** Whether the person has not set a password yet. */
  is_invited: z.boolean(),
});
export type Person = z.output<typeof personSchema>;

export async function readPeople(client: Client): Promise<Person[]> {
  const { data } = await client.rpc("list_people").throwOnError();
  return z.array(personSchema).parse(data);
}

/** @throws the backend's error, or an Error when the person is gone */
export async function savePerson(
  client: Client,
  id: string,
  { role = null, name = null }: { role?: Role | null; name?: string | null },
): Promise<void> {
  const { data } = await client.rpc("set_person", { id, role, name }).throwOnError();
  if (!data) throw new Error(gone);
}

/** @throws the backend's error, or an Error when the person was gone already */
export async function removePerson(client: Client, id: string): Promise<void> {
  const { data } = await client.rpc("remove_person", { id }).throwOnError();
  if (!data) throw new Error(gone);
}

const gone = "Someone else has removed this person already.";
const errorSchema = z.object({ error: z.string() });

/** @throws an Error with a message for the owner */
export async function invitePerson(
  client: Client,
  invitation: Invitation,
): Promise<InvitationOutcome> {
  const { data, error } = await client.functions.invoke("invite-person", { body: invitation });
  if (!error) return outcomeSchema.parse(data);
  // The response, and not the error, contains the function's own message.
  const response: unknown = error.context;
  const body = response instanceof Response ? await response.json().catch(() => null) : null;
  const { data: known } = errorSchema.safeParse(body);
  throw new Error(known?.error ?? "The invitation could not be sent. Please try again.");
}
