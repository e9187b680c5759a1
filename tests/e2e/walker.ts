// Those who walk through the site (walk.ts).
import type { Page } from "@playwright/test";
import type { SupabaseClient } from "@supabase/supabase-js";
import { newPost, storeDraft } from "../post-calls.ts";
import { logIn, openWithSession } from "./owner/owner.ts";
import { connect, openPage } from "./test.ts";

export const walkers = ["visitor", "owner", "editor", "assistant"] as const;
export type Walker = (typeof walkers)[number];

/** Opens the home page, signed in as the walker. */
export async function startAs(walker: Walker, page: Page, owner: SupabaseClient): Promise<void> {
  if (walker === "visitor") await openPage(page, "/");
  else if (walker === "owner") await logIn(page, "/");
  else await openWithSession(page, "/", (origin) => invite(origin, owner, walker));
}

/** What a walk finds beside the samples: a page of the owner's own, a draft, a message and a testimonial. */
export async function addContent(owner: SupabaseClient, visitor: SupabaseClient): Promise<void> {
  const { id, content } = newPost();
  const ownPage = { id, slug: `page-${id}`, title: "Our team", author: "Ada", content };
  await owner.from("pages").insert(ownPage).throwOnError();
  await storeDraft(owner, newPost());
  const message = { name: "Ada", email: "ada@example.com", message: "Could we talk next week?" };
  const sent = await visitor.functions.invoke("send-email", { body: JSON.stringify(message) });
  if (sent.error) throw sent.error;
  const testimonial = { name: "Bo", content: "She answered every question.", rating: 5 };
  await visitor.from("testimonials").insert(testimonial).throwOnError();
}

/** Shuffles lists. The same seed makes the same orders. */
export function inRandomOrder(seed: number): <Item>(items: Item[]) => Item[] {
  let state = seed;
  // A linear congruential generator.
  function next(): number {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  }
  return (items) =>
    items
      .map((item) => ({ item, place: next() }))
      .sort((a, b) => a.place - b.place)
      .map(({ item }) => item);
}

/** Removes the accounts of those who walked. */
export async function removeWalkers(owner: SupabaseClient): Promise<void> {
  const { data: people } = await owner.rpc("list_people").throwOnError();
  for (const { id, email } of people) {
    if (email.endsWith(mailDomain)) await owner.rpc("remove_person", { id }).throwOnError();
  }
}

const mailDomain = "@walk.example.com";

/** @returns the session of a new account */
async function invite(siteUrl: string, owner: SupabaseClient, role: Walker): Promise<string> {
  const { data, error } = await owner.functions.invoke("invite-person", {
    body: { email: crypto.randomUUID() + mailDomain, name: "Ada", role },
  });
  if (error) throw error;
  const { auth } = await connect(siteUrl);
  const token = new URLSearchParams(new URL(data.link).hash.slice(1)).get("token_hash") ?? "";
  const accepted = await auth.verifyOtp({ type: "invite", token_hash: token });
  if (accepted.error) throw accepted.error;
  return JSON.stringify(accepted.data.session);
}
