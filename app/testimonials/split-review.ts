/** Up to how many characters a review stands on its card as it is. */
const whole = 480;
/** Where a longer one is cut, give or take a sentence. */
const cut = 320;

/**
 * What a card shows of a review at once, and what it keeps behind 'Read more'.
 * @returns the review and null when it is short; else it is cut where a sentence, or at least a word, ends
 */
export function splitReview(text: string): [opening: string, rest: string | null] {
  if (text.length <= whole) return [text, null];
  const head = text.slice(0, whole);
  const ends = [...head.matchAll(/[.!?…]["')\]’”]?\s/g)].map(
    ({ index, 0: end }) => index + end.length,
  );
  const sentence = ends.find((end) => end >= cut) ?? ends.findLast((end) => end >= cut / 2);
  const place = sentence ?? (head.lastIndexOf(" ", cut) + 1 || cut);
  return [text.slice(0, place).trimEnd(), text.slice(place).trimStart()];
}
