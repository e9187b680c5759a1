/** Asks to try again later. @param seconds at least 1 */
export function waitMessage(problem: string, seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  const several = minutes < 120 ? `${minutes} minutes` : `${Math.ceil(seconds / 3600)} hours`;
  return `${problem} just now. Please try again in ${minutes === 1 ? "a minute" : several}.`;
}
