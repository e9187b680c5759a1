import type { Check } from "../../app/config/checks/check.ts";

const maxLines = 5;

/** The errors for the person who starts the site, in at most five lines; none when there are none. */
export function describeErrors(checks: readonly Check[]): string[] {
  const errors = checks.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return [];
  const shown = errors.slice(0, errors.length > maxLines ? maxLines - 1 : maxLines);
  const rest = errors.length - shown.length;
  return [
    ...shown.map(({ text }) => `Before going live: ${text}`),
    ...(rest > 0 ? [`${rest} more: npm run check-live`] : []),
  ];
}
