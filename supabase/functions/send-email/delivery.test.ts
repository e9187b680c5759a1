import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createDelivery } from "./delivery.ts";
import type { Mail } from "./mail.ts";
import type { ClaimedMessage, Outcome, Queue } from "./queue.ts";

const visitor = { name: "Ada", email: "ada@example.com", phone: null, message: "Please call me." };

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => vi.restoreAllMocks());

/** A queue in memory, a mail service that remembers, and what was noted. */
function setUp({ pauses = [60], notePauses = [0, 0, 0], confirms = false } = {}) {
  const due: ClaimedMessage[] = [];
  const sent: string[] = [];
  const noted: string[] = [];
  const outcomes: Outcome[] = [];
  const queue: Queue = {
    store: async () => {},
    claim: vi.fn(async (count) => due.splice(0, count)),
    noteSent: vi.fn(async (id) => void noted.push(id)),
    noteFailure: vi.fn(async (_claimed, outcome) => void outcomes.push(outcome)),
    keepSent: vi.fn(async (id) => void noted.push(`kept ${id}`)),
  };
  const service = {
    concurrency: 3,
    send: vi.fn(async ({ id }: Mail) => void sent.push(id)),
  };
  const addresses = { from: "site@example.com", to: "adviser@example.com" };
  const options = { ...addresses, pauses, notePauses, confirms };
  const delivery = createDelivery({ queue, service, ...options });
  const addDue = (...ids: string[]) =>
    due.push(...ids.map((id) => ({ ...visitor, id, attempts: 1 })));
  return { delivery, queue, service, due, addDue, sent, noted, outcomes };
}

test("everything that is due is sent and noted, a few at a time", async () => {
  const { delivery, service, addDue, sent, noted } = setUp();
  let underWay = 0;
  let most = 0;
  service.send.mockImplementation(async ({ id }) => {
    most = Math.max(most, ++underWay);
    await Promise.resolve();
    underWay--;
    sent.push(id);
  });
  addDue("1", "2", "3", "4", "5", "6", "7");
  await delivery.deliverDue();
  expect(sent).toEqual(["1", "2", "3", "4", "5", "6", "7"]);
  expect(noted).toEqual(sent);
  expect(most).toBe(3);
});

test("asking many times at once makes one run, and what came during it is not missed", async () => {
  const { delivery, queue, service, addDue, sent } = setUp();
  const first = Promise.withResolvers<void>();
  service.send.mockImplementationOnce(() => first.promise);
  addDue("1");
  const runs = [delivery.deliverDue(), delivery.deliverDue()];
  await vi.waitFor(() => expect(service.send).toHaveBeenCalledTimes(1));
  addDue("2");
  runs.push(delivery.deliverDue());
  first.resolve();
  await Promise.all(runs);
  expect(sent).toEqual(["2"]);
  expect(queue.claim).toHaveBeenCalledTimes(4);
  addDue("3");
  await delivery.deliverDue();
  expect(sent).toEqual(["2", "3"]);
});

test("when nothing gets through, the rest is not even tried", async () => {
  const { delivery, service, addDue, due, outcomes } = setUp();
  service.send.mockRejectedValue(new Error("down"));
  addDue("1", "2", "3", "4", "5");
  await delivery.deliverDue();
  expect(service.send).toHaveBeenCalledTimes(3);
  expect(outcomes).toHaveLength(3);
  expect(due.map(({ id }) => id)).toEqual(["4", "5"]);
});

test("one message that no server takes holds up no other", async () => {
  const { delivery, service, addDue, sent } = setUp();
  service.send.mockImplementation(async ({ id }) => {
    if (id === "2") throw new Error("554 never");
    sent.push(id);
  });
  addDue("1", "2", "3", "4");
  await delivery.deliverDue();
  expect(sent).toEqual(["1", "3", "4"]);
});

test("a failure keeps its reason and waits for its pause; the one after the last pause is the end", async () => {
  const { delivery, service, due, outcomes } = setUp({ pauses: [60, 300] });
  service.send.mockRejectedValue(new Error(`no ${"x".repeat(2000)}`));
  for (const attempts of [1, 2, 3]) {
    due.push({ ...visitor, id: "1", attempts });
    await delivery.deliverDue();
  }
  const waits = outcomes.map(({ next_attempt_at }) =>
    next_attempt_at ? Math.round((Date.parse(next_attempt_at) - Date.now()) / 10_000) * 10 : null,
  );
  expect(waits).toEqual([60, 300, null]);
  expect(outcomes.map(({ status }) => status)).toEqual(["stored", "stored", "failed"]);
  expect(outcomes[0]?.last_error).toHaveLength(1000);
});

test("that a mail was sent is noted even when the database is away for a moment", async () => {
  const { delivery, queue, addDue, noted } = setUp();
  vi.mocked(queue.noteSent).mockRejectedValueOnce(new Error("away"));
  addDue("1");
  await delivery.deliverDue();
  expect(noted).toEqual(["1"]);
});

test("a database that is away ends the run, and the next one works", async () => {
  const { delivery, queue, addDue, sent } = setUp();
  vi.mocked(queue.claim).mockRejectedValueOnce(new Error("away"));
  addDue("1");
  await delivery.deliverDue();
  expect(sent).toEqual([]);
  await delivery.deliverDue();
  expect(sent).toEqual(["1"]);
});

test("a message that could not be stored is sent at once and kept as sent if that works now", async () => {
  const { delivery, queue, service, sent, noted } = setUp();
  await delivery.sendUnstored("1", visitor);
  expect(sent).toEqual(["1"]);
  expect(noted).toEqual(["kept 1"]);

  vi.mocked(queue.keepSent).mockRejectedValue(new Error("still away"));
  await delivery.sendUnstored("2", visitor);
  expect(sent).toEqual(["1", "2"]);

  service.send.mockRejectedValue(new Error("down"));
  await expect(delivery.sendUnstored("3", visitor)).rejects.toThrow("down");
});

test("a visitor hears of it once the adviser's mail is out, and a failure of that changes nothing", async () => {
  const { delivery, service, addDue, sent, noted, outcomes } = setUp({ confirms: true });
  addDue("1");
  await delivery.deliverDue();
  expect(sent).toEqual(["1", "1.confirmation"]);

  service.send.mockImplementation(async ({ id, to }) => {
    if (to === visitor.email) throw new Error("No such mailbox");
    sent.push(id);
  });
  addDue("2");
  await delivery.deliverDue();
  expect(noted).toEqual(["1", "2"]);
  expect(outcomes).toEqual([]);
});

test("a visitor hears nothing of a message that did not reach the adviser, nor when it is off", async () => {
  const { delivery, service, addDue, sent } = setUp({ confirms: true });
  service.send.mockRejectedValueOnce(new Error("Down"));
  addDue("1");
  await delivery.deliverDue();
  expect(service.send).toHaveBeenCalledTimes(1);
  expect(sent).toEqual([]);

  const off = setUp();
  off.addDue("1");
  await off.delivery.deliverDue();
  expect(off.sent).toEqual(["1"]);
});
