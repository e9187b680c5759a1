// How often a message is tried, and when again: the one place where that stands.

const minute = 60;
const hour = 60 * minute;

/** Seconds to wait after the first failed attempt, after the second … After the last one: given up. */
const pauses = [
  ...[1 * minute, 5 * minute, 15 * minute],
  ...[1 * hour, 3 * hour, 6 * hour, 12 * hour, 24 * hour, 24 * hour],
];

/**
 * @param setting CONTACT_RETRY_PAUSES, other pauses in seconds such as `0.1,0.5`. Only tests hurry.
 * @throws when the setting is no list of numbers.
 */
export function readRetryPauses(setting: string | undefined): readonly number[] {
  if (!setting) return pauses;
  const given = setting.split(",").map((part) => (part.trim() ? Number(part) : Number.NaN));
  if (given.some((seconds) => !(seconds >= 0))) {
    throw new Error("CONTACT_RETRY_PAUSES must be numbers of seconds, separated by commas");
  }
  return given;
}
