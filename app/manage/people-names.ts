import type { Client } from "../supabase/client-context.ts";

/**
 * The people who manage the site by the ids of their accounts: "you", a name or an address. Removed people are missing;
 * for everyone but owners, all others are.
 * @throws the backend's error
 */
export async function readPeopleNames(client: Client): Promise<ReadonlyMap<string, string>> {
  const [people, own] = await Promise.all([client.rpc("list_people"), client.auth.getSession()]);
  const isForbidden = people.error?.code === "42501";
  if (people.error && !isForbidden) throw people.error;
  const ownId = own.data.session?.user.id;
  const names = new Map(
    (people.data ?? []).map(({ id, name, email }) => [id ?? "", name ?? email ?? ""]),
  );
  if (ownId) names.set(ownId, "you");
  return names;
}
