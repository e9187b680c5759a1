/** Milliseconds until a file that does not arrive counts as failed. */
const timeout = 20_000;

/** What the visitor reads where a part's code is missing. */
const message = "Part of this page could not be loaded. Check your connection and try again.";

/**
 * Imports a file that is loaded on demand, with one retry and a timeout. Nothing is cached: the next
 * call tries again.
 * @throws an Error with a message for the visitor
 */
export async function loadModule<Module>(load: () => Promise<Module>): Promise<Module> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timedOut = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("Timed out")), timeout);
  });
  try {
    return await Promise.race([load().catch((error) => retry<Module>(error)), timedOut]);
  } catch (error) {
    throw new Error(message, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Browsers of before mid-2026 remember a failed import until the page is closed, by its full address:
 * a new query makes them ask again (whatwg/html#6768). The address stands in the error's message.
 */
async function retry<Module>(error: unknown): Promise<Module> {
  const address = /https?:\S+\.js/.exec(String(error))?.[0];
  if (!address) throw error;
  return import(/* @vite-ignore */ `${address}?retry=${Date.now()}`);
}
