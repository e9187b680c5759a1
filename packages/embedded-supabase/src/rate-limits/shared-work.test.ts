import { expect, test } from "vitest";
import {
  type Acquire,
  createQueue,
  createSharedWork,
  createTurn,
  currentVisitorAddress,
  runForVisitor,
} from "./shared-work.ts";

const [one, two] = ["192.0.2.1", "192.0.2.2"] as const;

/** Slots that the test gives, by the address of the visitor who waits. */
function heldSlots() {
  const waiting: { address: string | null; give: (isFree: boolean) => void }[] = [];
  const state = { taken: 0 };
  const acquire: Acquire = (signal) =>
    new Promise((resolve) => {
      signal?.addEventListener("abort", () => resolve(null));
      const give = (isFree: boolean) => {
        if (isFree) state.taken += 1;
        resolve(isFree ? () => (state.taken -= 1) : null);
      };
      waiting.push({ address: currentVisitorAddress(), give });
    });
  return { acquire, waiting, state };
}

test("work for the site counts against nobody, whoever starts it", async () => {
  const shared = createSharedWork<string | null>("for the site");
  const queue = createQueue("for the site", 1);
  const work = async () => currentVisitorAddress();
  await runForVisitor(one, async () => {
    expect(await shared.share("a", work)).toBeNull();
    expect(await queue.run(work)).toBeNull();
    expect(currentVisitorAddress()).toBe(one);
  });
});

test("equal work is shared while it is under way, and not with what started before a change", async () => {
  const shared = createSharedWork<number>("for the site");
  const gate = Promise.withResolvers<void>();
  let runs = 0;
  const work = async () => {
    runs += 1;
    const run = runs;
    await gate.promise;
    return run;
  };
  const before = [shared.share("a", work), shared.share("a", work), shared.share("b", work)];
  shared.separate();
  const after = shared.share("a", work);
  gate.resolve();
  expect(await Promise.all([...before, after])).toEqual([1, 1, 2, 3]);
  expect(await shared.share("a", work)).toBe(4);
});

test("work that failed is tried again", async () => {
  const shared = createSharedWork<number>("for the site");
  await expect(shared.share("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await shared.share("a", async () => 1)).toBe(1);
});

test("shared work starts with the first turn of any of its visitors, and runs for the site", async () => {
  const { acquire, waiting, state } = heldSlots();
  const shared = createSharedWork<string | null>("in fair turns", acquire);
  const work = async () => currentVisitorAddress();
  const results = [one, two].map((address) =>
    runForVisitor(address, () => shared.share("a", work)),
  );
  expect(waiting.map(({ address }) => address)).toEqual([one, two]);
  waiting[1]?.give(true);
  waiting[0]?.give(true);
  expect(await Promise.all(results)).toEqual([null, null]);
  expect(state.taken).toBe(0);
});

test("a visitor who is rejected fails nobody who waits for the same", async () => {
  const { acquire, waiting } = heldSlots();
  const shared = createSharedWork<string>("in fair turns", acquire);
  const results = [one, two].map((address) =>
    runForVisitor(address, () => shared.share("a", async () => "made")),
  );
  waiting[0]?.give(false);
  await Promise.resolve();
  waiting[1]?.give(true);
  expect(await Promise.all(results)).toEqual(["made", "made"]);
});

test("work that nobody waits for any more does not start", async () => {
  const { acquire } = heldSlots();
  const turn = createTurn("in fair turns", acquire);
  const left = new AbortController();
  turn.join(left.signal);
  left.abort();
  expect(await turn.run(async () => "made")).toBeNull();
});

test("work that fails frees its slot", async () => {
  const { acquire, waiting, state } = heldSlots();
  const turn = createTurn("for the site", acquire);
  const failing = turn.run(() => Promise.reject(new Error("broken")));
  waiting[0]?.give(true);
  await expect(failing).rejects.toThrow("broken");
  expect([waiting[0]?.address, state.taken]).toEqual([null, 0]);
});
