import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { mapContactFields } from "../_shared/contact-fields.ts";
import { type Addressing, brandOf } from "./addresses.ts";
import { createDelivery } from "./delivery.ts";
import type { Mail } from "./mail-service.ts";
import type { ClaimedMail, Outcome, Queue } from "./queue.ts";

const visitor = {
  ...mapContactFields(() => ""),
  name: "Ada",
  email: "ada@example.com",
  message: "Please call me.",
};

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => vi.restoreAllMocks());

const mail: Omit<ClaimedMail, "id"> = {
  ...{ kind: "message", recipient: "adviser@example.com", data: visitor, attempts: 1 },
  ...{ created_at: "2026-11-25T17:30:00Z", expires_at: null, subject_id: null },
};

/** An in-memory queue and a mail service that record mails and outcomes. */
function setUp({
  retrySeconds = [60],
  noteSeconds = [0, 0, 0],
  confirms = false,
  hasSender = true,
} = {}) {
  const due: ClaimedMail[] = [];
  const sent: string[] = [];
  const noted: string[] = [];
  const outcomes: Outcome[] = [];
  const queue: Queue = {
    store: async () => true,
    add: async () => {},
    claim: vi.fn(async ({ max_count }) => due.splice(0, max_count)),
    noteSent: vi.fn(async ({ id }) => void noted.push(id)),
    noteFailure: vi.fn(async (_claimed, outcome) => void outcomes.push(outcome)),
    confirm: vi.fn(async (id) => void noted.push(`confirm ${id}`)),
    keepWords: vi.fn(async (name, { text }) => void noted.push(`${name}: ${text.split(".")[0]}`)),
    storeSent: vi.fn(async (id, _message, to) => void noted.push(`stored ${id} for ${to}`)),
  };
  const service = {
    concurrency: 3,
    send: vi.fn(async ({ id }: Mail) => void sent.push(id)),
  };
  const readAddresses = vi.fn(
    async (): Promise<Addressing> => ({
      ...{ from: "site@example.com", hasSender, publicAddress: "hello@example.com" },
      to: ["adviser@example.com", "other@example.com"],
      brand: brandOf({}, "https://www.example.com"),
    }),
  );
  const options = { readAddresses, retrySeconds, noteSeconds, confirms };
  const delivery = createDelivery({ queue, service, ...options });
  const addDue = (...ids: string[]) => due.push(...ids.map((id) => ({ ...mail, id })));
  return { delivery, queue, service, readAddresses, due, addDue, sent, noted, outcomes };
}

/** The seconds until the next attempts. */
const waitsOf = (outcomes: Outcome[]) =>
  outcomes.map(
    (one) => Math.round((Date.parse(one.next_attempt_at ?? "") - Date.now()) / 1e4) * 10,
  );

test("every due message is sent and noted, with limited concurrency", async () => {
  const { delivery, service, addDue, sent, noted } = setUp();
  let active = 0;
  let most = 0;
  service.send.mockImplementation(async ({ id }) => {
    most = Math.max(most, ++active);
    await Promise.resolve();
    active--;
    sent.push(id);
  });
  addDue("1", "2", "3", "4", "5", "6", "7");
  await delivery.deliverDue();
  expect(sent).toEqual(["1", "2", "3", "4", "5", "6", "7"]);
  expect(noted).toEqual(sent);
  expect(most).toBe(3);
});

test("the words of mails to visitors are kept, and those about a person are not", async () => {
  const { delivery, due, noted } = setUp();
  const answer = { kind: "testimonial_answer", data: { decision: "shown" } };
  due.push(
    { ...mail, id: "1", kind: "confirmation", data: {} },
    { ...mail, ...answer, id: "2" },
    { ...mail, id: "3" },
  );
  await delivery.deliverDue();
  expect(noted.toSorted()).toEqual([
    ...["1", "2", "3"],
    "confirmation: Thank you for writing to us",
    "testimonial_answer/shown: Thank you for your review",
  ]);
});

test("simultaneous requests share one run, which also sends what became due meanwhile", async () => {
  const { delivery, queue, service, addDue, sent } = setUp();
  const first = Promise.withResolvers<void>();
  service.send.mockImplementationOnce(() => first.promise);
  addDue("1");
  const runs = [delivery.deliverDue(), delivery.deliverDue()];
  await expect.poll(() => service.send).toHaveBeenCalledTimes(1);
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

test("a run ends after a batch of which nothing was sent", async () => {
  const { delivery, service, addDue, due, outcomes } = setUp();
  service.send.mockRejectedValue(new Error("down"));
  addDue("1", "2", "3", "4", "5");
  await delivery.deliverDue();
  expect(service.send).toHaveBeenCalledTimes(3);
  expect(outcomes).toHaveLength(3);
  expect(due.map(({ id }) => id)).toEqual(["4", "5"]);
});

test("a message that is always rejected does not block the others", async () => {
  const { delivery, service, addDue, sent } = setUp();
  service.send.mockImplementation(async ({ id }) => {
    if (id === "2") throw new Error("554 never");
    sent.push(id);
  });
  addDue("1", "2", "3", "4");
  await delivery.deliverDue();
  expect(sent).toEqual(["1", "3", "4"]);
});

test("a failure stores its reason and its next attempt; after the last attempt the mail is failed", async () => {
  const { delivery, service, due, outcomes } = setUp({ retrySeconds: [60, 300] });
  service.send.mockRejectedValue(new Error(`no ${"x".repeat(2000)}`));
  for (const attempts of [1, 2, 3]) {
    due.push({ ...mail, id: "1", attempts });
    await delivery.deliverDue();
  }
  expect(waitsOf(outcomes)).toEqual([60, 300, Number.NaN]);
  expect(outcomes.map(({ status }) => status)).toEqual(["waiting", "waiting", "failed"]);
  expect(outcomes[0]?.last_error).toHaveLength(1000);
});

test("noting a sent mail is retried when the database fails", async () => {
  const { delivery, queue, addDue, noted } = setUp();
  vi.mocked(queue.noteSent).mockRejectedValueOnce(new Error("database down"));
  addDue("1");
  await delivery.deliverDue();
  expect(noted).toEqual(["1"]);
});

test("a database failure ends the run, and the next run works", async () => {
  const { delivery, queue, addDue, sent } = setUp();
  vi.mocked(queue.claim).mockRejectedValueOnce(new Error("database down"));
  addDue("1");
  await delivery.deliverDue();
  expect(sent).toEqual([]);
  await delivery.deliverDue();
  expect(sent).toEqual(["1"]);
});

test("a mail that expires is tried until then, the more often, the less time is left", async () => {
  const { delivery, service, due, outcomes } = setUp({ retrySeconds: [60, 300, 10_800] });
  service.send.mockRejectedValue(new Error("451 later"));
  const seconds = (wait: number) => new Date(Date.now() + wait * 1000).toISOString();
  for (const [attempts, left] of [
    [1, 3600],
    [3, 3600],
    [30, 3600],
    [40, 40],
  ] as const) {
    due.push({ ...mail, id: "1", attempts, expires_at: seconds(left) });
    await delivery.deliverDue();
  }
  expect(waitsOf(outcomes)).toEqual([60, 900, 900, 60]);
  expect(outcomes.map(({ status }) => status)).toEqual(Array(4).fill("waiting"));
});

test("a message that could not be stored is sent at once, then stored with whom it reached", async () => {
  const { delivery, queue, service, sent, noted } = setUp();
  await delivery.sendUnstored("1", visitor);
  expect(sent).toEqual(["1", "1"]);
  expect(noted).toEqual(["stored 1 for adviser@example.com,other@example.com"]);

  vi.mocked(queue.storeSent).mockRejectedValue(new Error("database still down"));
  await delivery.sendUnstored("2", visitor);
  expect(sent.slice(2)).toEqual(["2", "2"]);

  service.send.mockRejectedValueOnce(new Error("550 not here"));
  await delivery.sendUnstored("3", visitor);
  expect(queue.storeSent).toHaveBeenLastCalledWith("3", visitor, ["other@example.com"]);

  service.send.mockRejectedValue(new Error("down"));
  await expect(delivery.sendUnstored("4", visitor)).rejects.toThrow("down");
});

test("a mail of a message that is not stored claims no consent, which nobody has looked up", async () => {
  const { delivery, queue, service } = setUp();
  const message = { ...visitor, phone: "555 0100", call_consent: "The firm owes me." };
  await delivery.sendUnstored("1", message);
  expect(service.send.mock.calls[0]?.[0].text).not.toContain("owes");
  expect(queue.storeSent).toHaveBeenCalledWith("1", message, expect.anything());
});

test.each([
  ["queued after the adviser's mail", {}, {}, ["1", "confirm 7"]],
  ["not queued when confirmations are off", { confirms: false }, {}, ["1"]],
  ["not queued without a sender: it would show a private address", { hasSender: false }, {}, ["1"]],
  ["not queued for other mails", {}, { kind: "testimonial" }, ["1"]],
])("the visitor's confirmation is %s", async (_rule, options, changed, expected) => {
  const { delivery, due, noted } = setUp({ confirms: true, ...options });
  due.push({ ...mail, id: "1", subject_id: "7", ...changed });
  await delivery.deliverDue();
  expect(noted).toEqual(expected);
});

test("no confirmation is queued for a message that failed, and its own failure changes nothing", async () => {
  const { delivery, queue, service, addDue, due, noted } = setUp({ confirms: true });
  service.send.mockRejectedValueOnce(new Error("Down"));
  addDue("1");
  await delivery.deliverDue();
  expect(queue.confirm).not.toHaveBeenCalled();

  vi.mocked(queue.confirm).mockRejectedValue(new Error("database down"));
  due.push({ ...mail, id: "2", subject_id: "7" });
  await delivery.deliverDue();
  expect(noted).toEqual(["2"]);
});

test("copies of a message have its id, by which a mailbox with two of its addresses shows one", async () => {
  const { delivery, due, sent } = setUp();
  due.push({ ...mail, id: "1", subject_id: "7" }, { ...mail, id: "2", subject_id: "7" });
  await delivery.deliverDue();
  expect(sent).toEqual(["7", "7"]);
});

test("without an address to send from nothing is claimed, so no attempt is lost", async () => {
  const { delivery, queue, readAddresses, addDue } = setUp();
  readAddresses.mockResolvedValue({ ...(await readAddresses()), from: "" });
  addDue("1");
  await delivery.deliverDue();
  expect(queue.claim).not.toHaveBeenCalled();
});
