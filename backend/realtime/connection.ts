// The socket of one client and its channels, in serializer version 2.0.0 of realtime-js, its default.
// Covers: phx_join with postgres_changes for all events of a table, access_token, phx_leave, heartbeat, expiring tokens.
// Does not cover: filters, single events, whole schemas, broadcast, presence, private channels: rejected with the reason.
// An expired token closes its channel with phx_error, where a hosted project sends phx_close: after phx_error realtime-js
// joins again with its newest token, so a tab that was suspended during the renewal recovers.
import pLimit from "p-limit";
import { WebSocket } from "ws";
import { z } from "zod";
import { type Authenticate, sessionOf } from "../auth/authentication.ts";
import type { Identity } from "../database.ts";
import { createRateLimit, type RateLimit } from "../rate-limits/rate-limit.ts";
import type { Change } from "./changes.ts";
import type { Delivery, Subscriber } from "./delivery.ts";

/** A page has one channel per table that it shows: four for the owner. */
const MAX_CHANNELS = 5;
/** A page has one per channel, the site's own listener one per table. */
const MAX_SUBSCRIPTIONS_PER_CHANNEL = 4;
const MAX_TOKEN_LENGTH = 4096;
/** About 200 changes, beside what the operating system buffers. */
const MAX_UNSENT_BYTES = 64 * 1024;
/** realtime-js sends a heartbeat every 25 s, and a few messages per page. */
const MESSAGES = { count: 120, seconds: 60 };
const JOINS = { count: 40, seconds: 60 };
/** realtime-js keeps a socket open for 50 s after its last leave. */
const REJOIN_TIMEOUT_MS = 90_000;
/** realtime-js sends a heartbeat every 25 s. */
const MAX_SILENCE_MS = 75_000;
const INVALID_TOKEN = "InvalidJWTToken: The token is invalid or has expired";

/** realtime-js reconnects after each of these. */
export const CLOSE = {
  goingAway: 1001,
  notAFrame: 1007,
  tooMany: 1008,
  internalError: 1011,
  restart: 1012,
} as const;

const refSchema = z.string().max(64).nullable();
const nameSchema = z.string().min(1).max(100);
/** The ref of the join that the frame belongs to, its own ref, topic, event and payload. */
const frameSchema = z.tuple([refSchema, refSchema, nameSchema, nameSchema, z.unknown()]);
type Frame = z.infer<typeof frameSchema>;

const tokenSchema = z.object({ access_token: z.string().max(MAX_TOKEN_LENGTH).nullish() });
const requestSchema = z.strictObject({
  event: z.literal("*"),
  schema: z.literal("public"),
  table: z.string().min(1).max(63),
});
const joinSchema = tokenSchema.extend({
  config: z
    .object({
      private: z.literal(false, { error: "Private channels are not offered" }).nullish(),
      postgres_changes: z.array(requestSchema).max(MAX_SUBSCRIPTIONS_PER_CHANNEL).nullish(),
    })
    .nullish(),
});

interface Channel extends Subscriber {
  topic: string;
  joinRef: string | null;
  expiry: NodeJS.Timeout | undefined;
}

export interface Connection {
  subscribers(): Iterable<Subscriber>;
  /** Whether the client has sent nothing, or has had no channel, for too long. */
  isUnused(): boolean;
  closeSessions(ended: ReadonlySet<string>): void;
  close(code: number, reason: string): void;
  terminate(): void;
}

export function openConnection(options: {
  socket: WebSocket;
  apiKey: string;
  authenticate: Authenticate;
  findObstacle: Delivery["findObstacle"];
  /** Milliseconds until the first join. */
  joinTimeout: number;
  log: (line: string) => void;
}): Connection {
  const { socket, apiKey, authenticate, findObstacle, joinTimeout, log } = options;
  const channels = new Map<string, Channel>();
  const messages = createRateLimit(MESSAGES);
  const joins = createRateLimit(JOINS);
  let lastHeard = performance.now();
  let lastJoined = lastHeard;
  let timeout = joinTimeout;
  const oneAtATime = pLimit(1);

  // After a protocol error ws closes the socket with the right code.
  socket.on("error", () => {});
  socket.on("close", () => {
    for (const channel of channels.values()) remove(channel);
  });
  socket.on("message", receive);

  return {
    subscribers: () => channels.values(),
    isUnused,
    closeSessions(ended) {
      for (const channel of channels.values()) {
        const session = sessionOf(channel.identity.claims);
        if (session && ended.has(session.sessionId)) {
          closeChannel(channel, "InvalidJWTToken: The session has ended");
        }
      }
    },
    close,
    terminate: () => socket.terminate(),
  };

  function isUnused(): boolean {
    const now = performance.now();
    if (channels.size > 0) lastJoined = now;
    return now - lastHeard > MAX_SILENCE_MS || now - lastJoined > timeout;
  }

  function receive(data: WebSocket.RawData, isBinary: boolean): void {
    if (socket.readyState !== WebSocket.OPEN) return;
    lastHeard = performance.now();
    if (!isAllowed(messages)) return;
    const frame = isBinary ? null : decodeFrame(data.toString());
    if (!frame) {
      close(CLOSE.notAFrame, "not a frame of serializer version 2.0.0");
      return;
    }
    const [, , topic, event] = frame;
    if (topic === "phoenix") {
      if (event === "heartbeat") reply(frame, "ok", {});
      return;
    }
    // One message at a time: a leave must not overtake its join. Pausing the socket leaves further messages in the
    // network instead of our memory.
    socket.pause();
    void oneAtATime(async () => {
      try {
        if (socket.readyState === WebSocket.OPEN) await handle(frame);
      } catch (error) {
        log(`realtime: a message was not handled: ${error}`);
        close(CLOSE.internalError, "internal error");
      }
      if (oneAtATime.pendingCount === 0) socket.resume();
    });
  }

  /** Counts one message, or closes the socket when there were too many. */
  function isAllowed(limit: RateLimit): boolean {
    const now = performance.now();
    if (limit.wait("", now) > 0) {
      close(CLOSE.tooMany, "too many messages");
      return false;
    }
    limit.take("", now);
    return true;
  }

  async function handle(frame: Frame): Promise<void> {
    const [joinRef, , topic, event] = frame;
    if (event === "phx_join") {
      if (isAllowed(joins)) await join(frame);
      return;
    }
    const channel = channels.get(topic);
    if (!channel) {
      reply(frame, "error", { reason: "unmatched topic" });
    } else if (joinRef !== null && joinRef !== channel.joinRef) {
      // Meant for an earlier channel on this topic.
      reply(frame, "ok", {});
    } else if (event === "phx_leave") {
      remove(channel);
      reply(frame, "ok", {});
    } else if (event === "access_token") {
      await renew(channel, frame);
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
    const requests = payload.config?.postgres_changes ?? [];
    for (const { table } of requests) {
      const obstacle = await findObstacle(identity.role, table);
      if (obstacle) return reject(`RealtimeDisabledForConfiguration: ${obstacle}`);
    }
    // The socket may have closed meanwhile; its channels have been cleared already.
    if (socket.readyState !== WebSocket.OPEN) return;

    const previous = channels.get(topic);
    if (previous) remove(previous);
    const channel: Channel = {
      topic,
      joinRef: joinRef ?? ref,
      identity,
      expiry: undefined,
      tables: requests.map(({ table }) => table),
      send(change) {
        // It may have been closed while its access was checked.
        if (channels.get(topic) !== channel) return;
        push(channel, "postgres_changes", changePayload(channel.tables, change));
      },
      sendGap: () => close(CLOSE.restart, "a change was missed"),
    };
    channels.set(topic, channel);
    timeout = REJOIN_TIMEOUT_MS;
    setIdentity(channel, identity);
    // realtime-js compares each with its own, and finds the listeners of a change by the id.
    reply(frame, "ok", {
      postgres_changes: requests.map((request, index) => ({ id: index + 1, ...request })),
    });
    if (requests.length > 0) {
      pushSystem(channel, "postgres_changes", "ok", "Subscribed to PostgreSQL");
    }
    // The session may have ended after the check above and before the channel was registered.
    if (!sessionOf(identity.claims) || (await authenticate(apiKey, payload.access_token))) return;
    if (channels.get(topic) === channel) closeChannel(channel, INVALID_TOKEN);
  }

  async function renew(channel: Channel, [, , topic, , sent]: Frame): Promise<void> {
    const { data: payload } = tokenSchema.safeParse(sent);
    const identity = payload ? await authenticate(apiKey, payload.access_token) : null;
    if (channels.get(topic) !== channel) return;
    if (identity) setIdentity(channel, identity);
    else closeChannel(channel, INVALID_TOKEN);
  }

  function setIdentity(channel: Channel, identity: Identity): void {
    channel.identity = identity;
    clearTimeout(channel.expiry);
    const { exp } = identity.claims;
    if (typeof exp !== "number") return;
    const reason = "InvalidJWTToken: The token has expired";
    channel.expiry = setTimeout(closeChannel, exp * 1000 - Date.now(), channel, reason).unref();
  }

  function closeChannel(channel: Channel, reason: string): void {
    remove(channel);
    pushSystem(channel, "system", "error", reason);
    push(channel, "phx_error", { reason });
  }

  function remove(channel: Channel): void {
    clearTimeout(channel.expiry);
    channels.delete(channel.topic);
  }

  function reply([joinRef, ref, topic]: Frame, status: "ok" | "error", response: object): void {
    send([joinRef, ref, topic, "phx_reply", { status, response }]);
  }

  function push({ joinRef, topic }: Channel, event: string, payload: object): void {
    send([joinRef, null, topic, event, payload]);
  }

  function pushSystem(
    channel: Channel,
    extension: string,
    status: "ok" | "error",
    message: string,
  ): void {
    const name = channel.topic.replace(/^realtime:/, "");
    push(channel, "system", { channel: name, extension, status, message });
  }

  function send(frame: Frame): void {
    if (socket.readyState !== WebSocket.OPEN) return;
    // A close frame would wait behind the bytes that the client does not read.
    if (socket.bufferedAmount > MAX_UNSENT_BYTES) socket.terminate();
    else socket.send(JSON.stringify(frame));
  }

  function close(code: number, reason: string): void {
    socket.close(code, reason);
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
      // realtime-js leaves values without a column as they are.
      columns: [],
      ...(type !== "DELETE" && { record: row }),
      ...(type !== "INSERT" && { old_record: row }),
      errors: null,
    },
  };
}
