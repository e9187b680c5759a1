import { expect, onTestFinished, test, vi } from "vitest";
import { watchedTables } from "../../app/supabase/watched-tables.ts";
import { startRealtimeStandIn } from "../../tests/realtime-stand-in.ts";
import { listenToChanges } from "./realtime-changes.ts";

/** Also on a busy machine. */
const soon = { timeout: 20_000 };

async function setUp() {
  const realtime = await startRealtimeStandIn();
  const onChange = vi.fn<(table: string) => void>();
  const onConnected = vi.fn<(connected: boolean) => void>();
  const log = vi.fn<(line: string) => void>();
  const changes = listenToChanges({
    ...{ url: realtime.url, anonKey: "key", tables: watchedTables, onChange, onConnected, log },
    async readStates() {
      const response = await fetch(realtime.url);
      if (!response.ok) throw new Error(`Status ${response.status}`);
      return response.json();
    },
    compare: { intervalMs: 60, graceMs: 20 },
  });
  onTestFinished(() => changes.stop());
  await expect.poll(() => onConnected.mock.calls, soon).toEqual([[true]]);
  await compared();
  return { realtime, onChange, onConnected, log, report: changes.report, compared };

  /** Resolves after a comparison that starts from now on. */
  async function compared(): Promise<void> {
    const { reads } = realtime;
    await expect.poll(() => realtime.reads, soon).toBeGreaterThan(reads + 1);
  }
}

test("a change that Realtime loses is reported, and the deaf channel is joined again, with one line in the log", async () => {
  const { realtime, onChange, onConnected, log, report, compared } = await setUp();
  realtime.isDeaf = true;
  realtime.change("posts", "a");
  await expect.poll(() => realtime.joins, soon).toHaveLength(2);
  expect(onChange.mock.calls).toEqual([["posts"]]);
  await expect.poll(report, soon).toMatchObject({
    ...{ realtime: "deaf", lastChange: null, lastMissedAt: expect.stringMatching(/^\d{4}-/) },
  });
  expect(onConnected.mock.calls).toEqual([[true], [false], [true]]);

  // What changes before the first comparison of a new subscription is not counted as missed.
  await compared();
  realtime.change("testimonials", "b");
  await expect.poll(() => realtime.joins, soon).toHaveLength(3);
  expect(onChange).toHaveBeenLastCalledWith("testimonials");
  expect(log.mock.calls).toEqual([
    ["Realtime is connected but did not send a change of posts: joining again"],
  ]);

  realtime.isDeaf = false;
  await expect.poll(report, soon).toMatchObject({ realtime: "deaf" });
  realtime.change("posts", "c");
  await expect.poll(report, soon).toMatchObject({
    realtime: "connected",
    lastChange: { at: expect.any(String), afterSeconds: expect.any(Number) },
  });
});

test("a change that is heard joins no channel again", async () => {
  const { realtime, onChange, log, report, compared } = await setUp();
  realtime.change("posts", "a");
  await expect.poll(() => onChange, soon).toHaveBeenCalledWith("posts");
  await compared();
  expect(realtime.joins).toHaveLength(1);
  expect(log).not.toHaveBeenCalled();
  expect(report()).toMatchObject({ realtime: "connected", lastMissedAt: null });
});

test("an event without content counts as a change", async () => {
  const { realtime, onChange, report } = await setUp();
  realtime.states.posts = "before";
  realtime.change("posts");
  await expect.poll(() => onChange, soon).toHaveBeenCalledWith("posts");
  // Such an event has no time.
  expect(report().lastChange).toEqual({ at: expect.any(String), afterSeconds: null });
  expect(realtime.joins).toHaveLength(1);
});

test("a comparison that fails counts as no change", async () => {
  const { realtime, onChange, compared } = await setUp();
  realtime.answersStates = false;
  await compared();
  realtime.answersStates = true;
  await compared();
  expect(onChange).not.toHaveBeenCalled();
  expect(realtime.joins).toHaveLength(1);
});

test("the channel asks for the keys of rows only, and is connected when the database sends changes", async () => {
  const { realtime, onConnected } = await setUp();
  expect(realtime.joins[0]?.config).toMatchObject({
    postgres_changes: Object.entries(watchedTables).map(([table, key]) => ({
      ...{ table, select: [key] },
    })),
  });
  realtime.confirms = false;
  realtime.closeChannels("Realtime is restarting");
  await expect.poll(() => onConnected, soon).toHaveBeenLastCalledWith(false);
});
