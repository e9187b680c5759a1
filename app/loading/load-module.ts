/** The timeout in milliseconds. */
const timeout = 20_000;

const message = "Part of this page could not be loaded. Check your connection and try again.";

/**
 * Imports a file on demand, with one retry and a timeout. A failure is not cached: the next call tries again.
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
 * Older browsers (before mid-2026) cache a failed import by URL until the page is closed, so the retry adds a
 * query (whatwg/html#6768). The URL is part of the error's message.
 */
async function retry<Module>(error: unknown): Promise<Module> {
  const address = /https?:\S+\.js/.exec(String(error))?.[0];
  if (!address) throw error;
  return import(/* @vite-ignore */ `${address}?retry=${Date.now()}`);
}
