// The socket of one client and its channels.
// Covers: phx_join with postgres_changes, access_token, phx_leave, heartbeat, expiring tokens. Does not cover: broadcast
// and presence (acknowledged, never relayed), private channels (rejected). An expired token closes its channel with
// phx_error, where a hosted project sends phx_close: after phx_error realtime-js joins again with its newest token, so a
// tab that was suspended during the renewal recovers.
import pLimit from "p-limit";
import { WebSocket } from "ws";
import { z } from "zod";
import { type Authenticate, sessionOf } from "../auth/authentication.ts";
import type { Identity } from "../database.ts";
import { createRateLimit, type RateLimit } from "../rate-limits/rate-limit.ts";
import type { Subscriber } from "./delivery.ts";
import { decodeFrame, encodeFrame, type Frame, type Version } from "./protocol.ts";
import {
  createSubscription,
  requestSchema,
  type Subscription,
  type Tables,
} from "./subscriptions.ts";

/** A page has one channel per table that it shows: three for the owner. */
const MAX_CHANNELS = 5;
/** A page has one per channel, the site's own listener two. */
const MAX_SUBSCRIPTIONS_PER_CHANNEL = 4;
const MAX_TOPIC_LENGTH = 100;
const MAX_TOKEN_LENGTH = 4096;
/** A row of a post has at most 0.5 MB. */
const MAX_UNSENT_BYTES = 1024 * 1024;
/** Above this, the total of all sockets decides. */
const USUAL_UNSENT_BYTES = 64 * 1024;
/** realtime-js sends a heartbeat every 25 s, and a few messages per page. */
const MESSAGES = { count: 120, seconds: 60 };
const JOINS = { count: 40, seconds: 60 };
/** realtime-js keeps a socket open for 50 s after its last leave. */
const REJOIN_TIMEOUT_MS = 90_000;
/** realtime-js sends a heartbeat every 25 s. */
const MAX_SILENCE_MS = 75_000;
const MAX_TIMER_MS = 2 ** 31 - 1;
const TOPIC_PREFIX = "realtime:";
const INVALID_TOKEN = "InvalidJWTToken: The token is invalid or has expired";

/** realtime-js reconnects after each of these. */
export const CLOSE = {
  goingAway: 1001,
  notAFrame: 1007,
  tooMany: 1008,
  internalError: 1011,
  restart: 1012,
} as const;

const joinSchema = z.object({
  config: z
    .object({
      private: z.boolean().nullish(),
      postgres_changes: z.array(requestSchema).max(MAX_SUBSCRIPTIONS_PER_CHANNEL).nullish(),
    })
    .nullish(),
  access_token: z.string().max(MAX_TOKEN_LENGTH).nullish(),
});
const tokenSchema = z.object({ access_token: z.string().max(MAX_TOKEN_LENGTH).nullish() });

interface Channel extends Subscriber {
  topic: string;
  joinRef: string | null;
  expiry: NodeJS.Timeout | undefined;
}

export interface Connection {
  subscribers(): Iterable<Subscriber>;
  /** Whether the client has sent nothing, or has had no channel, for too long. */
  isUnused(): boolean;
  /** Bytes that the client has not read yet. */
  unsentBytes(): number;
  closeSessions(ended: ReadonlySet<string>): void;
  close(code: number, reason: string): void;
  terminate(): void;
}

export function openConnection(options: {
  socket: WebSocket;
  version: Version;
  apiKey: string;
  authenticate: Authenticate;
  tables: Tables;
  /** Whether all sockets together may buffer more bytes for slow clients. */
  hasRoomForUnsent: () => boolean;
  /** Milliseconds until the first join. */
  joinTimeout: number;
  log: (line: string) => void;
}): Connection {
  const { socket, version, apiKey, authenticate, tables, hasRoomForUnsent, joinTimeout, log } =
    options;
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
    for (const channel of channels.values()) clearTimeout(channel.expiry);
    channels.clear();
  });
  socket.on("message", (data, isBinary) => {
    // ws passes a single buffer by default; its type includes the other settings.
    if (Buffer.isBuffer(data)) receive(data, isBinary);
  });

  return {
    subscribers: () => channels.values(),
    isUnused,
    unsentBytes: () => socket.bufferedAmount,
    closeSessions(ended) {
      for (const channel of [...channels.values()]) {
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

  function receive(data: Buffer, isBinary: boolean): void {
    if (socket.readyState !== WebSocket.OPEN) return;
    lastHeard = performance.now();
    if (!isAllowed(messages)) return;
    const frame = decodeFrame(version, data, isBinary);
    if (!frame) {
      close(CLOSE.notAFrame, "not a frame of this serializer version");
      return;
    }
    if (frame.topic === "phoenix") {
      if (frame.event === "heartbeat") reply(frame, "ok", {});
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
    if (frame.event === "phx_join") {
      if (isAllowed(joins)) await join(frame);
      return;
    }
    const channel = channels.get(frame.topic);
    if (!channel) {
      reply(frame, "error", { reason: "unmatched topic" });
    } else if (frame.joinRef !== null && frame.joinRef !== channel.joinRef) {
      // Meant for an earlier channel on this topic.
      reply(frame, "ok", {});
    } else if (frame.event === "phx_leave") {
      remove(channel);
      reply(frame, "ok", {});
    } else if (frame.event === "access_token") {
      await renew(channel, frame);
    } else {
      reply(frame, "ok", {});
    }
  }

  async function join(frame: Frame): Promise<void> {
    const reject = (reason: string) => reply(frame, "error", { reason });
    const { topic } = frame;
    if (!topic.startsWith(TOPIC_PREFIX)) return reject("unmatched topic");
    if (topic.length > MAX_TOPIC_LENGTH) return reject("The topic is too long");
    const { data: payload, error } = joinSchema.safeParse(frame.payload);
    if (!payload) return reject(`MalformedJoin: ${z.prettifyError(error)}`);
    if (payload.config?.private) return reject("Unauthorized: private channels are not offered");
    if (!channels.has(topic) && channels.size >= MAX_CHANNELS) {
      return reject("ChannelRateLimitReached: Too many channels");
    }
    const identity = await authenticate(apiKey, payload.access_token);
    if (!identity) return reject(INVALID_TOKEN);

    const subscriptions: Subscription[] = [];
    for (const request of payload.config?.postgres_changes ?? []) {
      const subscription = await createSubscription(request, identity, tables);
      if (typeof subscription === "string") {
        return reject(`RealtimeDisabledForConfiguration: ${subscription}`);
      }
      subscriptions.push(subscription);
    }
    // The socket may have closed meanwhile; its channels have been cleared already.
    if (socket.readyState !== WebSocket.OPEN) return;

    const previous = channels.get(topic);
    if (previous) remove(previous);
    const channel: Channel = {
      topic,
      joinRef: frame.joinRef ?? frame.ref,
      identity,
      identityKey: "",
      expiry: undefined,
      subscriptions,
      sendChange: (ids, data) => {
        push(channel, "postgres_changes", `{"ids":${JSON.stringify(ids)},"data":${data}}`);
      },
      sendGap: () => close(CLOSE.restart, "a change was missed"),
    };
    channels.set(topic, channel);
    timeout = REJOIN_TIMEOUT_MS;
    setIdentity(channel, identity);
    reply(frame, "ok", {
      postgres_changes: subscriptions.map(({ id, request }) => ({ id, ...request })),
    });
    if (subscriptions.length > 0) {
      pushSystem(channel, "postgres_changes", "ok", "Subscribed to PostgreSQL");
    }
    // The session may have ended after the check above and before the channel was registered.
    if (!sessionOf(identity.claims) || (await authenticate(apiKey, payload.access_token))) return;
    if (channels.get(topic) === channel) closeChannel(channel, INVALID_TOKEN);
  }

  async function renew(channel: Channel, frame: Frame): Promise<void> {
    const { data: payload } = tokenSchema.safeParse(frame.payload);
    const identity = payload ? await authenticate(apiKey, payload.access_token) : null;
    if (channels.get(channel.topic) !== channel) return;
    if (identity) setIdentity(channel, identity);
    else closeChannel(channel, INVALID_TOKEN);
  }

  function setIdentity(channel: Channel, identity: Identity): void {
    channel.identity = identity;
    channel.identityKey = JSON.stringify(identity);
    clearTimeout(channel.expiry);
    const { exp } = identity.claims;
    if (typeof exp !== "number") return;
    const left = Math.max(0, exp * 1000 - Date.now());
    // A timer with a longer delay would fire at once.
    if (left > MAX_TIMER_MS) return;
    channel.expiry = setTimeout(
      closeChannel,
      left,
      channel,
      "InvalidJWTToken: The token has expired",
    );
    channel.expiry.unref();
  }

  function closeChannel(channel: Channel, reason: string): void {
    remove(channel);
    pushSystem(channel, "system", "error", reason);
    push(channel, "phx_error", JSON.stringify({ reason }));
  }

  function remove(channel: Channel): void {
    clearTimeout(channel.expiry);
    channels.delete(channel.topic);
  }

  function reply(frame: Frame, status: "ok" | "error", response: object): void {
    const { joinRef, ref, topic } = frame;
    const payload = JSON.stringify({ status, response });
    send(encodeFrame(version, { joinRef, ref, topic, event: "phx_reply" }, payload));
  }

  function push(channel: Channel, event: string, payload: string): void {
    const { joinRef, topic } = channel;
    send(encodeFrame(version, { joinRef, ref: null, topic, event }, payload));
  }

  function pushSystem(
    channel: Channel,
    extension: string,
    status: "ok" | "error",
    message: string,
  ): void {
    const name = channel.topic.slice(TOPIC_PREFIX.length);
    push(channel, "system", JSON.stringify({ channel: name, extension, status, message }));
  }

  function send(text: string): void {
    if (socket.readyState !== WebSocket.OPEN) return;
    const unsent = socket.bufferedAmount;
    const isTooMuch =
      unsent > MAX_UNSENT_BYTES || (unsent > USUAL_UNSENT_BYTES && !hasRoomForUnsent());
    // A close frame would wait behind the bytes that the client does not read.
    if (isTooMuch) socket.terminate();
    else socket.send(text);
  }

  function close(code: number, reason: string): void {
    socket.close(code, reason);
  }
}
