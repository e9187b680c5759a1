// Work that goes on after the answer, so that the time of an answer tells nothing about it.

export interface BackgroundWork {
  /** @param failure begins the log line when the work fails. */
  start(work: () => Promise<void>, failure: string): void;
  /** Resolves when nothing is under way. */
  settled(): Promise<void>;
}

export function createBackgroundWork(log: (line: string) => void): BackgroundWork {
  const running = new Set<Promise<void>>();

  return {
    start(work, failure) {
      const ended = run(work, failure).finally(() => running.delete(ended));
      running.add(ended);
    },
    async settled() {
      while (running.size > 0) await Promise.all(running);
    },
  };

  async function run(work: () => Promise<void>, failure: string): Promise<void> {
    // The answer first.
    await new Promise(setImmediate);
    try {
      await work();
    } catch (error) {
      log(`${failure}: ${reasonOf(error)}`);
    }
  }
}

/** In one line and without e-mail addresses, which mail servers repeat in their errors. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message
    .slice(0, 300)
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .replace(/\S+@\S+/g, "<address>");
}
