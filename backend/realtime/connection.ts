// The socket of one client and its channels, in serializer version 2.0.0 of realtime-js, its default.
// Covers: phx_join with postgres_changes for all events of a table, access_token, phx_leave, heartbeat. Does not cover:
// filters, single events, whole schemas, broadcast, presence, private channels: rejected with the reason.
// An expired token closes its channel with phx_error, where a hosted project sends phx_close: after phx_error realtime-js
// joins again with its newest token, so a tab that was suspended during the renewal recovers.
import pLimit from "p-limit";
import { WebSocket } from "ws";
import { z } from "zod";
import { type Authenticate, sessionOf } from "../auth/authentication.ts";
import type { Identity } from "../database.ts";
import { createRateLimit } from "../rate-limits/rate-limit.ts";

/** A page has one channel per table that it shows, and the owner's pages up to four. */
const MAX_CHANNELS = 5;
/** A page has one subscription per channel; the site's own listener has one per table. */
const MAX_SUBSCRIPTIONS_PER_CHANNEL = 4;
/** The bytes of about 200 changes, beyond what the operating system buffers. */
const MAX_UNSENT_BYTES = 64 * 1024;
/** Allows realtime-js its heartbeat every 25 s, and a few messages per page. */
const MESSAGES = { count: 120, seconds: 60 };
const JOIN_TIMEOUT_MS = 10_000;
/** How long a socket may stay without a channel: realtime-js closes it 50 s after its last leave. */
const REJOIN_TIMEOUT_MS = 90_000;
/** How long a client may be silent: realtime-js sends a heartbeat every 25 s. */
const MAX_SILENCE_MS = 75_000;
const INVALID_TOKEN = "InvalidJWTToken: The token is invalid or has expired";

/** The close codes, after all of which realtime-js reconnects. */
export const CLOSE = {
  goingAway: 1001,
  notAFrame: 1007,
  tooMany: 1008,
  internalError: 1011,
  restart: 1012,
} as const;

export const changeSchema = z.object({
  table: z.string(),
  type: z.enum(["INSERT", "UPDATE", "DELETE"]),
  /** The name of the primary key, and its value in PostgreSQL's text format. */
  column: z.string(),
  value: z.string(),
});
export type Change = z.infer<typeof changeSchema>;

const refSchema = z.string().nullable();
/** A frame: the ref of its join, its own ref, topic, event and payload. */
const frameSchema = z.tuple([refSchema, refSchema, z.string(), z.string(), z.unknown()]);
type Frame = z.infer<typeof frameSchema>;

const tokenSchema = z.object({ access_token: z.string().nullish() });
const requestSchema = z.strictObject({
  event: z.literal("*"),
  schema: z.literal("public"),
  table: z.string(),
});
const joinSchema = tokenSchema.extend({
  config: z
    .object({
      private: z.literal(false, { error: "Private channels are not offered" }).nullish(),
      postgres_changes: z.array(requestSchema).max(MAX_SUBSCRIPTIONS_PER_CHANNEL).nullish(),
    })
    .nullish(),
});

export interface Channel {
  identity: Identity;
  tables: string[];
  send(change: Change): void;
  end(reason: string): void;
}

export interface Connection {
  channels(): Iterable<Channel>;
  /** Whether the client has sent nothing, or has had no channel, for too long. */
  isUnused(): boolean;
  close(code: number, reason: string): void;
  terminate(): void;
}

export function openConnection(options: {
  socket: WebSocket;
  apiKey: string;
  authenticate: Authenticate;
  log: (line: string) => void;
}): Connection {
  const { socket, apiKey, authenticate, log } = options;
  /** The channels by topic. */
  const channels = new Map<string, Channel & { joinRef: string | null }>();
  const messages = createRateLimit(MESSAGES);
  let lastHeard = performance.now();
  let lastJoined = lastHeard;
  let timeout = JOIN_TIMEOUT_MS;
  const oneAtATime = pLimit(1);

  // After a protocol error, ws closes the socket with the right code.
  socket.on("error", () => {});
  socket.on("close", () => channels.clear());
  socket.on("message", receive);

  return {
    channels: () => channels.values(),
    isUnused() {
      const now = performance.now();
      if (channels.size > 0) lastJoined = now;
      return now - lastHeard > MAX_SILENCE_MS || now - lastJoined > timeout;
    },
    close: (code, reason) => socket.close(code, reason),
    terminate: () => socket.terminate(),
  };

  function receive(data: WebSocket.RawData, isBinary: boolean): void {
    if (socket.readyState !== WebSocket.OPEN) return;
    lastHeard = performance.now();
    if (messages.take("") > 0) {
      socket.close(CLOSE.tooMany, "too many messages");
      return;
    }
    const frame = isBinary ? null : decodeFrame(data.toString());
    if (!frame) {
      socket.close(CLOSE.notAFrame, "not a frame of serializer version 2.0.0");
      return;
    }
    // Handles one message at a time: a leave must not overtake its join. Pausing the socket leaves further messages in the
    // network instead of in our memory.
    socket.pause();
    void oneAtATime(async () => {
      try {
        if (socket.readyState === WebSocket.OPEN) await handle(frame);
      } catch (error) {
        log(`realtime: a message was not handled: ${error}`);
        socket.close(CLOSE.internalError, "internal error");
      }
      if (oneAtATime.pendingCount === 0) socket.resume();
    });
  }

  async function handle(frame: Frame): Promise<void> {
    const [joinRef, , topic, event, payload] = frame;
    const channel = channels.get(topic);
    if (topic === "phoenix" && event === "heartbeat") {
      reply(frame, "ok", {});
    } else if (event === "phx_join") {
      await join(frame);
    } else if (!channel) {
      reply(frame, "error", { reason: "unmatched topic" });
    } else if (joinRef !== null && joinRef !== channel.joinRef) {
      // The message belongs to an earlier channel on this topic.
      reply(frame, "ok", {});
    } else if (event === "phx_leave") {
      channels.delete(topic);
      reply(frame, "ok", {});
    } else if (event === "access_token") {
      const { data } = tokenSchema.safeParse(payload);
      const identity = data ? await authenticate(apiKey, data.access_token) : null;
      if (identity) channel.identity = identity;
      else channel.end(INVALID_TOKEN);
    } else {
      reply(frame, "error", { reason: `"${event}" is not offered` });
    }
  }

  async function join(frame: Frame): Promise<void> {
    const [joinRef, ref, topic, , sent] = frame;
    const reject = (reason: string) => reply(frame, "error", { reason });
    const { data: payload, error } = joinSchema.safeParse(sent);
    if (!payload) return reject(`MalformedJoin: ${z.prettifyError(error)}`);
    if (!channels.has(topic) && channels.size >= MAX_CHANNELS) {
      return reject("ChannelRateLimitReached: Too many channels");
    }
    const identity = await authenticate(apiKey, payload.access_token);
    if (!identity) return reject(INVALID_TOKEN);
    // The socket may have closed meanwhile, which has cleared its channels.
    if (socket.readyState !== WebSocket.OPEN) return;

    const requests = payload.config?.postgres_changes ?? [];
    const channel = {
      joinRef: joinRef ?? ref,
      identity,
      tables: requests.map(({ table }) => table),
      send: (change: Change) => push("postgres_changes", changePayload(channel.tables, change)),
      end(reason: string) {
        pushSystem("system", "error", reason);
        push("phx_error", { reason });
        if (channels.get(topic) === channel) channels.delete(topic);
      },
    };
    channels.set(topic, channel);
    timeout = REJOIN_TIMEOUT_MS;
    // realtime-js compares each subscription with its own, and finds the listeners of a change by the id.
    reply(frame, "ok", {
      postgres_changes: requests.map((request, index) => ({ id: index + 1, ...request })),
    });
    if (requests.length > 0) pushSystem("postgres_changes", "ok", "Subscribed to PostgreSQL");
    // The session may have ended between the check above and the registration of the channel.
    if (!sessionOf(identity.claims) || (await authenticate(apiKey, payload.access_token))) return;
    channel.end(INVALID_TOKEN);

    function push(event: string, content: object): void {
      // The channel may have been closed while its access was checked.
      if (channels.get(topic) === channel) send([channel.joinRef, null, topic, event, content]);
    }

    function pushSystem(extension: string, status: "ok" | "error", message: string): void {
      push("system", { channel: topic.replace(/^realtime:/, ""), extension, status, message });
    }
  }

  function reply([joinRef, ref, topic]: Frame, status: "ok" | "error", response: object): void {
    send([joinRef, ref, topic, "phx_reply", { status, response }]);
  }

  function send(frame: Frame): void {
    if (socket.readyState !== WebSocket.OPEN) return;
    // A close frame would wait behind the bytes that the client does not read.
    if (socket.bufferedAmount > MAX_UNSENT_BYTES) socket.terminate();
    else socket.send(JSON.stringify(frame));
  }
}

/** Returns null for anything that is not a frame. */
function decodeFrame(text: string): Frame | null {
  try {
    return frameSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

function changePayload(tables: string[], { table, type, column, value }: Change): object {
  const row = { [column]: value };
  return {
    ids: tables.flatMap((name, index) => (name === table ? index + 1 : [])),
    data: {
      schema: "public",
      table,
      type,
      commit_timestamp: new Date().toISOString(),
      // realtime-js leaves values unchanged whose column is missing.
      columns: [],
      ...(type !== "DELETE" && { record: row }),
      ...(type !== "INSERT" && { old_record: row }),
      errors: null,
    },
  };
}
