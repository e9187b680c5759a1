import { expect, test } from "vitest";
import { decodeFrame, encodeFrame, parseVersion } from "./protocol.ts";

const address = { joinRef: "1", ref: "2", topic: "realtime:posts", event: "phx_join" };

test("a URL without vsn means 1.0.0, an unknown version is rejected", () => {
  expect(parseVersion(null)).toBe("1.0.0");
  expect(parseVersion("2.0.0")).toBe("2.0.0");
  expect(parseVersion("3.0.0")).toBeNull();
});

test.each(["1.0.0", "2.0.0"] as const)(
  "a frame survives encoding and decoding in %s",
  (version) => {
    const payload = { config: { postgres_changes: [] }, text: "Ünï “quoted”" };
    const text = encodeFrame(version, address, JSON.stringify(payload));
    expect(decodeFrame(version, Buffer.from(text), false)).toEqual({ ...address, payload });
  },
);

test("a frame without refs is decoded with nulls", () => {
  const object = '{"topic":"phoenix","event":"heartbeat","payload":{}}';
  const array = '[null,null,"phoenix","heartbeat",{}]';
  const frame = { joinRef: null, ref: null, topic: "phoenix", event: "heartbeat", payload: {} };
  expect(decodeFrame("1.0.0", Buffer.from(object), false)).toEqual(frame);
  expect(decodeFrame("2.0.0", Buffer.from(array), false)).toEqual(frame);
});

test("a binary broadcast is decoded to its refs and topic, which the reply needs", () => {
  const texts = ["7", "8", "realtime:posts", "cursor", ""].map((text) => Buffer.from(text));
  const lengths = texts.map((text) => text.length);
  const data = Buffer.concat([Buffer.from([3, ...lengths, 1]), ...texts, Buffer.from("{}")]);
  expect(decodeFrame("2.0.0", data, true)).toMatchObject({
    joinRef: "7",
    ref: "8",
    topic: "realtime:posts",
    event: "broadcast",
  });
  expect(decodeFrame("1.0.0", data, true)).toBeNull();
});

test.each([
  "",
  "{",
  "null",
  "[]",
  "{}",
  '["1","2","topic"]',
  '[1,2,"topic","event",{}]',
  '[null,null,"","event",{}]',
  '{"topic":5,"event":"x","payload":{}}',
])("%j is not a frame", (text) => {
  expect(decodeFrame("1.0.0", Buffer.from(text), false)).toBeNull();
  expect(decodeFrame("2.0.0", Buffer.from(text), false)).toBeNull();
});

test.each([
  [[]],
  [[3]],
  [[0, 1, 1, 1, 1, 1, 1]],
  [[3, 255, 255, 255, 255, 255, 1, 65]],
  [[3, 0, 0, 0, 0, 0, 1]],
])("the bytes %j are not a broadcast", (bytes) => {
  expect(decodeFrame("2.0.0", Buffer.from(bytes), true)).toBeNull();
});
