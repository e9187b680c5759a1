import { expect, test } from "vitest";
import { createWorkQueue } from "./work-queue.ts";

test("no more jobs run at a time than allowed, and those that wait come in order", async () => {
  const queue = createWorkQueue(2, 10, () => new Error("full"));
  const ends: (() => void)[] = [];
  const started: number[] = [];
  const jobs = [0, 1, 2, 3].map((index) =>
    queue.run(async () => {
      started.push(index);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (index === 0) throw new Error("broken");
      return index;
    }),
  );
  const outcome = Promise.allSettled(jobs);
  expect(started).toEqual([0, 1]);
  for (let index = 0; index < 4; index++) {
    await expect.poll(() => ends[index]).toBeDefined();
    expect(started.length - index).toBeLessThanOrEqual(2);
    ends[index]?.();
  }
  const results = await outcome;
  expect(started).toEqual([0, 1, 2, 3]);
  expect(results.map(({ status }) => status)).toEqual([
    "rejected",
    "fulfilled",
    "fulfilled",
    "fulfilled",
  ]);
});

test("who comes when the queue is full is told so at once", async () => {
  const queue = createWorkQueue(1, 1, () => new Error("full"));
  let end = () => {};
  const first = queue.run(() => new Promise<void>((resolve) => (end = resolve)));
  const second = queue.run(async () => "second");
  await expect(queue.run(async () => "third")).rejects.toThrow("full");
  end();
  await first;
  expect(await second).toBe("second");
});
