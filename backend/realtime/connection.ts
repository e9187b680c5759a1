// One client's socket: its channels, their joins, tokens and leaves.
// Covers: phx_join with postgres_changes, access_token, phx_leave, heartbeat, and the ends of tokens.
// Does not cover: broadcast and presence (acknowledged, never relayed) and private channels (refused).
// A token that ends closes its channel with phx_error where a hosted project sends phx_close: realtime-js then
// joins again with its newest token, so a tab that slept through the renewal recovers by itself.

import { WebSocket } from "ws";
import { z } from "zod";
import { sessionOf } from "../auth/sessions.ts";
import type { Identity } from "../database.ts";
import type { Identify } from "../auth/authentication.ts";
import { type Allowance, createAllowance } from "../rate-limits/allowance.ts";
import { decodeFrame, encodeFrame, type Frame, type Version } from "./protocol.ts";
import {
  createSubscription,
  requestSchema,
  type Subscriber,
  type Subscription,
} from "./delivery.ts";
import type { Tables } from "./subscriptions.ts";

/** A page of the site has one channel per table that it shows: three for the owner. */
const MAX_CHANNELS = 5;
/** A page has one in each channel, the site's own listener two. */
const MAX_SUBSCRIPTIONS_PER_CHANNEL = 4;
const MAX_TOPIC_LENGTH = 100;
const MAX_TOKEN_LENGTH = 4096;
/** A row of a post has at most 0.5 MB. */
const MAX_UNSENT_BYTES = 1024 * 1024;
/** Above this a socket counts as one that does not keep up. */
const USUAL_UNSENT_BYTES = 64 * 1024;
/** realtime-js sends a heartbeat every 25 s, and a few messages per page. */
const MESSAGES = { count: 120, seconds: 60 };
const JOINS = { count: 40, seconds: 60 };
/** After its last leave realtime-js keeps a socket for 50 s. */
const REJOIN_TIMEOUT_MS = 90_000;
/** realtime-js sends a heartbeat every 25 s. */
const MAX_SILENCE_MS = 75_000;
const MAX_TIMER_MS = 2 ** 31 - 1;
const TOPIC_PREFIX = "realtime:";

/** realtime-js connects again after each of them. */
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
  /** Whether the client sent nothing for too long, or has no channel. */
  isUnused(): boolean;
  /** Bytes that wait for the client to read them. */
  unsentBytes(): number;
  /** Closes the channels of sessions that have ended. */
  expelSessions(ended: ReadonlySet<string>): void;
  close(code: number, reason: string): void;
  terminate(): void;
}

export function openConnection(options: {
  socket: WebSocket;
  version: Version;
  apiKey: string;
  identify: Identify;
  tables: Tables;
  /** Whether there is room for more bytes that wait for slow clients, of all sockets together. */
  hasRoomForUnsent: () => boolean;
  /** Milliseconds until the first join. */
  joinTimeout: number;
  log: (line: string) => void;
}): Connection {
  const { socket, version, apiKey, identify, tables, hasRoomForUnsent, joinTimeout, log } = options;
  const channels = new Map<string, Channel>();
  const messages = createAllowance(MESSAGES);
  const joins = createAllowance(JOINS);
  let lastHeard = performance.now();
  let lastJoined = lastHeard;
  let timeout = joinTimeout;
  let waiting = 0;
  let queue = Promise.resolve();

  // ws closes the socket itself after a protocol error, with the right code.
  socket.on("error", () => {});
  socket.on("close", () => {
    for (const channel of channels.values()) clearTimeout(channel.expiry);
    channels.clear();
  });
  socket.on("message", (data, isBinary) => {
    // Buffers as one piece is the default of ws; the type allows for the other settings.
    if (Buffer.isBuffer(data)) receive(data, isBinary);
  });

  return {
    subscribers: () => channels.values(),
    isUnused,
    unsentBytes: () => socket.bufferedAmount,
    expelSessions(ended) {
      for (const channel of [...channels.values()]) {
        const session = sessionOf(channel.identity.claims);
        if (session && ended.has(session.sessionId)) {
          expel(channel, "InvalidJWTToken: The session has ended");
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
    // One after the other: a leave must not overtake its join. What comes meanwhile waits in the
    // network, not in our memory.
    waiting += 1;
    socket.pause();
    queue = queue
      .then(() => (socket.readyState === WebSocket.OPEN ? handle(frame) : undefined))
      .catch((error) => {
        log(`realtime: a message was not handled: ${error}`);
        close(CLOSE.internalError, "internal error");
      })
      .finally(() => {
        waiting -= 1;
        if (waiting === 0) socket.resume();
      });
  }

  /** Counts one, or closes the socket when there were too many. */
  function isAllowed(allowance: Allowance): boolean {
    const now = performance.now();
    if (allowance.wait("", now) > 0) {
      close(CLOSE.tooMany, "too many messages");
      return false;
    }
    allowance.take("", now);
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
      // Meant for a channel that this one has replaced.
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
    const refuse = (reason: string) => reply(frame, "error", { reason });
    const { topic } = frame;
    if (!topic.startsWith(TOPIC_PREFIX)) return refuse("unmatched topic");
    if (topic.length > MAX_TOPIC_LENGTH) return refuse("The topic is too long");
    const { data: payload, error } = joinSchema.safeParse(frame.payload);
    if (!payload) return refuse(`MalformedJoin: ${z.prettifyError(error)}`);
    if (payload.config?.private) return refuse("Unauthorized: private channels are not offered");
    if (!channels.has(topic) && channels.size >= MAX_CHANNELS) {
      return refuse("ChannelRateLimitReached: Too many channels");
    }
    const identity = await identify(apiKey, payload.access_token);
    if (!identity) return refuse("InvalidJWTToken: The token is invalid or has expired");

    const subscriptions: Subscription[] = [];
    for (const request of payload.config?.postgres_changes ?? []) {
      const subscription = await createSubscription(request, identity, tables);
      if (typeof subscription === "string") {
        return refuse(`RealtimeDisabledForConfiguration: ${subscription}`);
      }
      subscriptions.push(subscription);
    }
    // The socket may have closed meanwhile, and its channels are cleared only once.
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
    speakFor(channel, identity);
    reply(frame, "ok", {
      postgres_changes: subscriptions.map(({ id, request }) => ({ id, ...request })),
    });
    if (subscriptions.length > 0) {
      pushSystem(channel, "postgres_changes", "ok", "Subscribed to PostgreSQL");
    }
  }

  async function renew(channel: Channel, frame: Frame): Promise<void> {
    const { data: payload } = tokenSchema.safeParse(frame.payload);
    const identity = payload ? await identify(apiKey, payload.access_token) : null;
    if (channels.get(channel.topic) !== channel) return;
    if (identity) speakFor(channel, identity);
    else expel(channel, "InvalidJWTToken: The token is invalid or has expired");
  }

  function speakFor(channel: Channel, identity: Identity): void {
    channel.identity = identity;
    channel.identityKey = JSON.stringify(identity);
    clearTimeout(channel.expiry);
    const { exp } = identity.claims;
    if (typeof exp !== "number") return;
    const left = Math.max(0, exp * 1000 - Date.now());
    // A longer delay than a timer can hold would fire at once.
    if (left > MAX_TIMER_MS) return;
    channel.expiry = setTimeout(expel, left, channel, "InvalidJWTToken: The token has expired");
    channel.expiry.unref();
  }

  function expel(channel: Channel, reason: string): void {
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
    // A close frame would wait behind what the client does not read.
    if (isTooMuch) socket.terminate();
    else socket.send(text);
  }

  function close(code: number, reason: string): void {
    socket.close(code, reason);
  }
}
