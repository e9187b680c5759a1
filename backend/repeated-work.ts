// Does a piece of work again and again, with a pause between the end of one run and the next.
// Covers: failures, which are reported and end nothing; a stop that waits for the run under way.
// Does not cover: runs at fixed times of the day.

export interface RepeatedWork {
  stop(): Promise<void>;
}

interface RepeatedWorkOptions {
  /** `isStopped` tells a long run that it should end. */
  work(isStopped: () => boolean): Promise<void>;
  onFailure(error: Error): void;
  /** Milliseconds before the first run. */
  delay: number;
  /** Milliseconds between two runs. */
  interval: number;
}

export function repeatWork({
  work,
  onFailure,
  delay,
  interval,
}: RepeatedWorkOptions): RepeatedWork {
  let stopped = false;
  let running: Promise<void> = Promise.resolve();
  let timer = setTimeout(run, delay);

  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };

  function run(): void {
    running = work(() => stopped)
      .catch(onFailure)
      .then(() => {
        if (!stopped) timer = setTimeout(run, interval);
      });
  }
}
