// Decodes and encodes frames of the Phoenix channel protocol, in both serializer versions of realtime-js.
// Covers: 1.0.0 (JSON objects), 2.0.0 (JSON arrays; the header of binary broadcasts, to reply to them).
// Does not cover: the content of a binary broadcast, binary frames from the server.
import { z } from "zod";

export type Version = "1.0.0" | "2.0.0";

export interface Frame {
  /** The ref of the join that this frame belongs to; distinguishes a channel from an earlier one on the topic. */
  joinRef: string | null;
  ref: string | null;
  topic: string;
  event: string;
  payload: unknown;
}

const BROADCAST_PUSH = 3;
const BROADCAST_PUSH_HEADER = 7;

const refSchema = z.string().max(64).nullish();
const nameSchema = z.string().min(1).max(255);
const objectSchema = z.object({
  join_ref: refSchema,
  ref: refSchema,
  topic: nameSchema,
  event: nameSchema,
  payload: z.unknown(),
});
const arraySchema = z.tuple([refSchema, refSchema, nameSchema, nameSchema, z.unknown()]);

/** A URL without `vsn` means 1.0.0, as on a hosted project. */
export function parseVersion(vsn: string | null): Version | null {
  if (vsn === null) return "1.0.0";
  return vsn === "1.0.0" || vsn === "2.0.0" ? vsn : null;
}

/** Returns null for anything that is not a frame. */
export function decodeFrame(version: Version, data: Buffer, isBinary: boolean): Frame | null {
  if (isBinary) return version === "2.0.0" ? decodeBroadcastPush(data) : null;
  const json = parseJson(data.toString("utf8"));
  if (version === "1.0.0") {
    const { data: frame } = objectSchema.safeParse(json);
    if (!frame) return null;
    const { join_ref: joinRef = null, ref = null, topic, event, payload } = frame;
    return { joinRef, ref, topic, event, payload };
  }
  const { data: parts } = arraySchema.safeParse(json);
  if (!parts) return null;
  const [joinRef = null, ref = null, topic, event, payload] = parts;
  return { joinRef, ref, topic, event, payload };
}

/** `payload` is JSON text, because a change for many sockets is serialised once. */
export function encodeFrame(
  version: Version,
  frame: Omit<Frame, "payload">,
  payload: string,
): string {
  const [joinRef, ref, topic, event] = [frame.joinRef, frame.ref, frame.topic, frame.event].map(
    (part) => JSON.stringify(part),
  );
  return version === "1.0.0"
    ? `{"join_ref":${joinRef},"ref":${ref},"topic":${topic},"event":${event},"payload":${payload}}`
    : `[${joinRef},${ref},${topic},${event},${payload}]`;
}

/** One byte each for the kind, five lengths and the encoding of the content; then the five texts. */
function decodeBroadcastPush(data: Buffer): Frame | null {
  if (data.length < BROADCAST_PUSH_HEADER || data[0] !== BROADCAST_PUSH) return null;
  const lengths = [...data.subarray(1, 6)];
  const texts: string[] = [];
  let offset = BROADCAST_PUSH_HEADER;
  for (const length of lengths) {
    if (offset + length > data.length) return null;
    texts.push(data.toString("utf8", offset, offset + length));
    offset += length;
  }
  const [joinRef = "", ref = "", topic = ""] = texts;
  if (!topic) return null;
  return { joinRef: joinRef || null, ref: ref || null, topic, event: "broadcast", payload: {} };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
