/** How long an answer holds: whoever asks more often costs the backend nothing. */
const lifeMs = 1000;

/**
 * Whether the site can show what the backend keeps, for a supervisor or a load balancer.
 * @param read resolves when something could be read, and rejects when not
 */
export function createReadiness(read: () => Promise<void>): () => Promise<boolean> {
  let asked = Number.NEGATIVE_INFINITY;
  let answer = Promise.resolve(false);

  return () => {
    if (performance.now() - asked > lifeMs) {
      asked = performance.now();
      answer = read().then(
        () => true,
        () => false,
      );
    }
    return answer;
  };
}
