import { expect, type Page } from "@playwright/test";

/** Records the Realtime changes that the page receives and its reads of each table. */
export function followChanges(page: Page) {
  const heard: string[] = [];
  const read: string[] = [];
  page.on("websocket", (socket) => {
    socket.on("framereceived", ({ payload }) => heard.push(payload.toString()));
  });
  page.on("request", (request) => {
    if (request.method() === "GET") read.push(request.url());
  });

  const changes = (table: string) =>
    heard.filter(
      (frame) => frame.includes("commit_timestamp") && frame.includes(`"table":"${table}"`),
    ).length;
  // All columns, or a list of them: whole rows, not only a slug.
  const reads = (table: string) =>
    read.filter((url) => new RegExp(`/rest/v1/${table}\\?select=(\\*|id%2C)`).test(url)).length;

  return {
    changes,
    reads,
    /**
     * Changes in quick succession are read together. Call it when the last of several changes is shown: reads of the
     * earlier ones that should not happen have happened by then.
     */
    expectOneReadPerChange(table: string) {
      expect(reads(table)).toBeGreaterThanOrEqual(1);
      expect(reads(table)).toBeLessThanOrEqual(changes(table));
    },
    async connected(...tables: string[]) {
      for (const table of tables) {
        const joined = (frame: string) =>
          /Subscribed to PostgreSQL|Replication connection established/.test(frame) &&
          frame.includes(`realtime:realtime ${table}`);
        await expect.poll(() => heard.some(joined)).toBe(true);
      }
    },
  };
}
