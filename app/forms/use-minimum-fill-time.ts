import { useEffect, useRef } from "react";

/** How long a form is open before it is sent, in milliseconds. */
export const shortestFill = 2000;

/**
 * Lets a form be sent two seconds after it was shown, at the earliest.
 *
 * Nobody is refused for being fast: what comes sooner is sent late. Whoever pastes a text, fills the
 * form by a password manager or drives it by voice waits for the rest of the two seconds at most,
 * while the button reads as it does during any sending. A bot that goes away at once has sent
 * nothing, and one that stays fills in a form every two seconds at best.
 * @returns waits for what is left of the two seconds.
 */
export function useShortestFill(): () => Promise<void> {
  const shownAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    shownAt.current = performance.now();
  }, []);
  return async () => {
    const rest = restOfFill(shownAt.current, performance.now());
    if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
  };
}

/** What is left to wait at `now`, in milliseconds. */
export function restOfFill(shownAt: number, now: number): number {
  return Math.min(shortestFill, Math.max(0, shownAt + shortestFill - now));
}
