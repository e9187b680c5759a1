import { z } from "zod";

const time = z.nullable(z.string());
const ending = { kept_until: time, is_erased: z.boolean() };

/** The result of find_person and erase_person. Parsed loosely, because the export has every column. */
export const foundSchema = z.object({
  email: z.string(),
  messages: z.array(
    z.looseObject({
      id: z.string(),
      created_at: z.string(),
      message: z.string(),
      deleted_at: time,
    }),
  ),
  reviews: z.array(
    z.looseObject({
      id: z.string(),
      shown: z.nullable(
        z.looseObject({ created_at: z.string(), content: z.string(), approved_at: time }),
      ),
      versions: z.array(
        z.looseObject({
          saved_at: z.string(),
          document: z.looseObject({ content: z.string().optional() }),
        }),
      ),
      ...ending,
    }),
  ),
  requests: z.array(z.looseObject({ created_at: z.string(), used_at: time })),
  consents: z.array(
    z.looseObject({
      id: z.string(),
      kind: z.enum(["publish", "calls"]),
      wording: z.string(),
      given_at: z.string(),
      ...ending,
    }),
  ),
});
export type FoundPerson = z.infer<typeof foundSchema>;

interface Entry {
  key: string;
  what: string;
  state?: string | false | undefined;
  since: string | undefined;
  text?: string | undefined;
  keptUntil: string | null;
  /** Why it must be kept. */
  reason?: string;
  /** Whether an owner has asked to erase it. */
  isErased: boolean;
}

const archived = "What was public stays in the archive, as advertising records.";
const evidence = "It is the evidence that calls and texts were allowed.";

/** What is stored, in the order of the page. */
export function entriesOf({ messages, reviews, requests, consents }: FoundPerson): Entry[] {
  const erasable = { keptUntil: null, isErased: false };
  return [
    ...messages.map(({ id, created_at, message, deleted_at }) => ({
      ...{ key: id, what: "Message", since: created_at, text: message, ...erasable },
      state: deleted_at !== null && "Deleted",
    })),
    ...reviews.map(({ id, shown, versions, kept_until, is_erased }) => ({
      ...{ key: id, what: "Review", reason: archived, keptUntil: kept_until, isErased: is_erased },
      state: !shown ? "In the archive" : shown.approved_at ? "On the site" : "Not on the site",
      since: shown?.created_at ?? versions[0]?.saved_at,
      text: shown?.content ?? versions.at(-1)?.document.content,
    })),
    ...requests.map(({ created_at, used_at }) => ({
      ...{ key: created_at, what: "Link for a review", since: created_at, ...erasable },
      state: used_at !== null && "Used",
    })),
    ...consents.map(({ id, kind, wording, given_at, kept_until, is_erased }) => ({
      ...{ key: id, since: given_at, text: wording, keptUntil: kept_until, isErased: is_erased },
      what: kind === "calls" ? "Consent to calls and texts" : "Consent to publish a review",
      reason: kind === "calls" ? evidence : archived,
    })),
  ];
}
