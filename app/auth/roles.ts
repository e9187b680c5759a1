import type { Client } from "../supabase/client-context.ts";

export type Role = "owner" | "editor" | "assistant";

/** The signed-in person. */
export interface Profile {
  /** Null when the person has not entered a name. */
  name: string | null;
  /** Null for an account that does not manage the site. */
  role: Role | null;
}

export function mayWritePosts(role: Role | null | undefined): boolean {
  return role === "owner" || role === "editor";
}

/** Messages and testimonials. */
export function mayHandleClients(role: Role | null | undefined): boolean {
  return role === "owner" || role === "assistant";
}

/** @throws the backend's error */
export async function loadProfile(client: Client): Promise<Profile> {
  const { data } = await client.rpc("my_profile").throwOnError();
  const [profile] = data;
  // A CHECK of the database allows only these roles. An unknown role would grant nothing here.
  return { name: profile?.name ?? null, role: (profile?.role ?? null) as Role | null };
}
