// What an erasure did, in words.
import { keysOf } from "../../../supabase/functions/_shared/object-keys.ts";

/** What is stored about a visitor, one and several, as find_person names it. */
const names = {
  message: ["message", "messages"],
  request: ["link for a testimonial", "links for a testimonial"],
  testimonial: ["testimonial", "testimonials"],
  publish: ["consent to publish", "consents to publish"],
  calls: ["consent to calls and texts", "consents to calls and texts"],
  withdrawal: ["withdrawn consent", "withdrawn consents"],
} as const;
export type EntryKind = keyof typeof names;
export const entryKinds = keysOf(names);

/**
 * @param before what was stored
 * @param after what still is
 */
export function describeErasure(
  before: readonly { kind: EntryKind }[],
  after: readonly { kind: EntryKind }[],
): string {
  const erased = entryKinds.flatMap((kind) => {
    const countOf = (entries: typeof before) => entries.filter((each) => each.kind === kind).length;
    const count = countOf(before) - countOf(after);
    return count > 0 ? [`${count} ${names[kind][count === 1 ? 0 : 1]}`] : [];
  });
  return erased.length > 0 ? `Erased: ${erased.join(", ")}.` : "Nothing could be erased now.";
}
