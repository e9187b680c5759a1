// Invites someone to help manage the site, or sends another link to someone who was invited.
//   POST /invite-person   {email, name, role}, for owners: with the token of a session
// Responds with what happened: the invitation was mailed; it was not, and here is its link; or the address already has
// an account, which got the role. Everyone else gets 403, whatever the address.
import { createClient, isAuthApiError, type SupabaseClient } from "@supabase/supabase-js";
import { z } from "zod";
import { isSessionEnd } from "../_shared/api-errors.ts";
import { confirmLink } from "../_shared/confirm-link.ts";
import { isAllowedOrigin, readAllowedOrigins, withCors } from "../_shared/cors.ts";
import { foldAddress, type InvitationOutcome, invitationSchema } from "../_shared/invitation.ts";
import { readSecretKeys } from "../_shared/secret-key.ts";
import { waitMessage } from "../_shared/wait-message.ts";
import { withoutSession } from "../_shared/without-session.ts";

const allowedOrigins = readAllowedOrigins(Deno.env.get("ALLOWED_ORIGINS"));
const [publicKey = ""] = readSecretKeys(
  Deno.env.get("SUPABASE_PUBLISHABLE_KEYS"),
  Deno.env.get("SUPABASE_ANON_KEY"),
);
const [secretKey = ""] = readSecretKeys(
  Deno.env.get("SUPABASE_SECRET_KEYS"),
  Deno.env.get("SUPABASE_SERVICE_ROLE_KEY"),
);

/** A request that is rejected, with a sentence for the person who sent it. */
class Rejected extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

Deno.serve(withCors(allowedOrigins, (request) => invite(request).catch(respondWithError)));

function respondWithError(error: unknown): Response {
  if (error instanceof Rejected) {
    return Response.json({ error: error.message }, { status: error.status });
  }
  // Logged without the request, which names a person.
  console.error("invite-person:", error instanceof Error ? error.message : error);
  const message = "The invitation could not be sent. Please try again.";
  return Response.json({ error: message }, { status: 500 });
}

async function invite(request: Request): Promise<Response> {
  if (request.method !== "POST") throw new Rejected(405, "Use POST.");
  if (!isAllowedOrigin(request.headers, allowedOrigins)) {
    throw new Rejected(403, "Please use the website itself.");
  }
  const people = await listPeople(request.headers.get("authorization"));
  const { data: invitation, error } = invitationSchema.safeParse(
    await request.json().catch(() => null),
  );
  if (error) throw new Rejected(400, error.issues[0]?.message ?? "The invitation is not valid.");
  const known = people.find((person) => foldAddress(person.email) === invitation.email);
  if (known && !known.is_invited) {
    throw new Rejected(409, `${invitation.email} already helps to manage this site.`);
  }
  const client = createClient(required("SUPABASE_URL"), secretKey, { auth: withoutSession });
  await countInvitation(client);
  const inviter = await readOwnName(request.headers.get("authorization") ?? "");
  const outcome = await sendInvitation(client, invitation.email, {
    inviter,
    role: invitation.role,
  });
  const added = await client.rpc("add_person", invitation);
  if (added.error) throw added.error;
  return Response.json(outcome, { headers: { "Cache-Control": "no-store" } });
}

const peopleSchema = z.array(z.object({ email: z.string(), is_invited: z.boolean() }));

/** Lists everyone with a role. The database responds to owners only, so this also checks the caller. */
async function listPeople(authorization: string | null): Promise<z.output<typeof peopleSchema>> {
  const forOwners = new Rejected(403, "Only an owner of the site may invite people.");
  if (!authorization) throw forOwners;
  const { data, error } = await openClient(authorization).rpc("list_people");
  if (error?.code === "42501" || isSessionEnd(error?.code)) throw forOwners;
  if (error) throw error;
  return peopleSchema.parse(data);
}

function openClient(authorization: string): SupabaseClient {
  return createClient(required("SUPABASE_URL"), publicKey, {
    auth: withoutSession,
    global: { headers: { Authorization: authorization } },
  });
}

/** The name of the owner who invites, for the mail; else the address, which an invited person may know. */
async function readOwnName(authorization: string): Promise<string> {
  const { data, error } = await openClient(authorization).rpc("my_profile");
  if (error) throw error;
  const [profile] = z
    .array(z.object({ name: z.nullable(z.string()), email: z.string() }))
    .parse(data);
  return profile?.name || profile?.email || "";
}

async function countInvitation(client: SupabaseClient): Promise<void> {
  const { data, error } = await client.rpc("count_invitation");
  if (error) throw error;
  if (data > 0) throw new Rejected(429, waitMessage("Many people were invited", data));
}

/** @param said what the mail says: Auth stores it with the account, and hands it to send-email */
async function sendInvitation(
  client: SupabaseClient,
  email: string,
  said: { inviter: string; role: string },
): Promise<InvitationOutcome> {
  const { admin } = client.auth;
  const sent = await admin.inviteUserByEmail(email, { data: said });
  if (!sent.error) return { outcome: "sent" };
  if (isAuthApiError(sent.error) && sent.error.code === "email_exists") return { outcome: "added" };
  // Without a mail service, the owner passes the link on.
  const { data, error } = await admin.generateLink({ type: "invite", email });
  if (error) throw error;
  // redirect_to is the address of the site in the settings of Auth. action_link would act when it is opened.
  const { redirect_to, hashed_token } = data.properties;
  return { outcome: "link", link: confirmLink(redirect_to, "invite", hashed_token).href };
}

function required(name: string): string {
  const value = Deno.env.get(name);
  if (!value) throw new Error(`${name} is missing`);
  return value;
}
