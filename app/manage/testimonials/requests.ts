import { type ListPage, loadPage } from "../../loading/load-page.ts";
import { type Result, tryLoading } from "../../loading/loaded.tsx";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import type { Client } from "../../supabase/client-context.ts";
import type { Database } from "../../supabase/database.ts";

/** A link by which one client is asked for a testimonial. */
export type TestimonialRequest = Database["public"]["Tables"]["testimonial_requests"]["Row"];

/** Loads a page of the links, newest first. */
export async function loadRequests(page: number): Promise<Result<ListPage<TestimonialRequest>>> {
  return tryLoading("links", async () => {
    const client = await getBrowserClient();
    const read = async (first: number, count: number) => {
      const rows = client
        .from("testimonial_requests")
        .select("*")
        .order("created_at", { ascending: false })
        .order("token")
        .range(first, first + count - 1);
      return (await rows.throwOnError()).data;
    };
    return loadPage(read, { size: 20 }, page);
  });
}

/** @throws the backend's error */
export async function addRequest(client: Client, name: string, email: string): Promise<void> {
  const row = { name, email: email || null };
  await client.from("testimonial_requests").insert(row).throwOnError();
}

/** @throws the backend's error, or an Error when the link was revoked already */
export async function revokeRequest(client: Client, token: string): Promise<void> {
  const rows = client.from("testimonial_requests").delete().eq("token", token).select("token");
  const { data } = await rows.throwOnError();
  if (data.length === 0) throw new Error("Someone else has revoked this link already.");
}

export function stateOf(
  { used_at, expires_at }: TestimonialRequest,
  now = Date.now(),
): "open" | "used" | "expired" {
  if (used_at) return "used";
  return Date.parse(expires_at) > now ? "open" : "expired";
}

/** The token is a fragment, which browsers never send to servers. */
export function requestUrl({ token }: Pick<TestimonialRequest, "token">, origin: string): string {
  return `${origin}/testimonials#review=${token}`;
}

/** Opens an email with the link in the owner's mail program. Nothing in a name can add recipients or headers. */
export function requestMail(
  { name, email }: Pick<TestimonialRequest, "name" | "email">,
  url: string,
  firm: string,
): string {
  const body = [
    `Hello ${name},`,
    `would you write a few words about how it was to work with ${firm}? This link opens the form. It works once, for 30 days:`,
    url,
    "Please write what you think, good or bad. Your words appear with your name, and the site says that we asked.",
    "Thank you!",
  ].join("\r\n\r\n");
  const address = encodeURIComponent(email ?? "").replaceAll("%40", "@");
  return `mailto:${address}?subject=${encodeURIComponent(`A review of ${firm}`)}&body=${encodeURIComponent(body)}`;
}
