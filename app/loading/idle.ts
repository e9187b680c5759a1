/** Resolves when the browser has nothing else to do, after four seconds at most. */
export function idle(): Promise<unknown> {
  return new Promise((resolve) => {
    // Safari has no requestIdleCallback.
    if ("requestIdleCallback" in window) requestIdleCallback(resolve, { timeout: 4000 });
    else setTimeout(resolve, 1000);
  });
}
