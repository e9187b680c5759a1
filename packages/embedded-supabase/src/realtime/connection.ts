// The socket of one client and its channels, in serializer version 2.0.0 of realtime-js, its default.
// Covers: phx_join with postgres_changes for all events of a table and a choice of columns, private channels, access_token,
// phx_leave, heartbeat. As on a hosted project, a channel is joined before the database sends its changes, which a system
// message says; an expired token ends it with a system message and phx_close. Does not cover: filters, single events, whole
// schemas, presence, broadcasts by clients: rejected with the reason.
import pLimit from "p-limit";
import { WebSocket } from "ws";
import { z } from "zod";
import { type Authenticate, sessionOf } from "../auth/authentication.ts";
import type { Identity } from "../database.ts";
import { createRateLimit } from "../rate-limits/rate-limit.ts";

/** A page has one channel per table that it shows, the owner's pages up to seven, and leaves them a second later. */
const MAX_CHANNELS = 10;
/** A page has one subscription per channel; the site's own listener has one per table. */
const MAX_SUBSCRIPTIONS_PER_CHANNEL = 4;
const MAX_SELECTED_COLUMNS = 20;
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

/** A message that the database sends to a private channel. */
export const broadcastSchema = z.object({
  topic: z.string(),
  event: z.string(),
  payload: z.unknown(),
});
export type Broadcast = z.infer<typeof broadcastSchema>;

const refSchema = z.string().nullable();
/** A frame: the ref of its join, its own ref, topic, event and payload. */
const frameSchema = z.tuple([refSchema, refSchema, z.string(), z.string(), z.unknown()]);
type Frame = z.infer<typeof frameSchema>;

const tokenSchema = z.object({ access_token: z.string().nullish() });
const requestSchema = z.strictObject({
  event: z.literal("*"),
  schema: z.literal("public"),
  table: z.string(),
  select: z.array(z.string()).min(1).max(MAX_SELECTED_COLUMNS).nullish(),
});
const joinSchema = tokenSchema.extend({
  config: z
    .object({
      private: z.boolean().nullish(),
      broadcast: z.object({ replication_ready: z.boolean().nullish() }).nullish(),
      postgres_changes: z.array(requestSchema).max(MAX_SUBSCRIPTIONS_PER_CHANNEL).nullish(),
    })
    .nullish(),
});

export interface Subscription {
  id: number;
  table: string;
  /** The columns to send besides the key; null for all. */
  select: readonly string[] | null;
}

export interface Channel {
  identity: Identity;
  /** The name of a private channel; null for a public one. */
  privateTopic: string | null;
  /** Empty until the database sends the changes. */
  subscriptions: readonly Subscription[];
  /** @param record the selected columns of an inserted or updated row */
  send(id: number, change: Change, record: object): void;
  broadcast(message: Broadcast): void;
  end(reason: string): void;
}

export type Connection = ReturnType<typeof openConnection>;

export function openConnection(options: {
  socket: WebSocket;
  apiKey: string;
  authenticate: Authenticate;
  /** Whether policies let the caller join a private channel. */
  mayJoin: (identity: Identity, topic: string) => Promise<boolean>;
  /** @returns why the database cannot send these changes; null when it can */
  findRefusal: (
    identity: Identity,
    subscriptions: readonly Subscription[],
  ) => Promise<string | null>;
  log: (line: string) => void;
}) {
  const { socket, apiKey, authenticate, mayJoin, findRefusal, log } = options;
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
    channels: (): Iterable<Channel> => channels.values(),
    /** Whether the client has sent nothing, or has had no channel, for too long. */
    isUnused(): boolean {
      const now = performance.now();
      if (channels.size > 0) lastJoined = now;
      return now - lastHeard > MAX_SILENCE_MS || now - lastJoined > timeout;
    },
    close: (code: number, reason: string) => socket.close(code, reason),
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
      const { privateTopic } = channel;
      if (!identity) channel.end(INVALID_TOKEN);
      else if (privateTopic === null || (await mayJoin(identity, privateTopic))) {
        channel.identity = identity;
      } else channel.end(forbidden(privateTopic));
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
    const name = topic.replace(/^realtime:/, "");
    const { config } = payload;
    if (config?.private && !(await mayJoin(identity, name))) return reject(forbidden(name));
    // The socket may have closed meanwhile, which has cleared its channels.
    if (socket.readyState !== WebSocket.OPEN) return;

    const requests = config?.postgres_changes ?? [];
    const channel: Channel & { joinRef: string | null } = {
      joinRef: joinRef ?? ref,
      identity,
      privateTopic: config?.private ? name : null,
      subscriptions: [],
      send: (id, change, record) => push("postgres_changes", changePayload(id, change, record)),
      broadcast: (message) => push("broadcast", { type: "broadcast", ...message }),
      end(reason) {
        pushSystem("system", "error", reason);
        push("phx_close", {});
        if (channels.get(topic) === channel) channels.delete(topic);
      },
    };
    channels.set(topic, channel);
    timeout = REJOIN_TIMEOUT_MS;
    // realtime-js compares each subscription with its own, and finds the listeners of a change by the id.
    reply(frame, "ok", {
      postgres_changes: requests.map((request, index) => ({ id: index + 1, ...request })),
    });
    if (requests.length > 0) {
      const subscriptions = requests.map(({ table, select }, index) => ({
        ...{ id: index + 1, table, select: select ?? null },
      }));
      const refusal = await findRefusal(identity, subscriptions);
      if (!refusal) channel.subscriptions = subscriptions;
      const [status, text] = refusal
        ? (["error", refusal] as const)
        : (["ok", "Subscribed to PostgreSQL"] as const);
      pushSystem("postgres_changes", status, text);
    }
    if (config?.broadcast?.replication_ready) {
      pushSystem("system", "ok", "Replication connection established");
    }
    // The session may have ended between the check above and the registration of the channel.
    if (!sessionOf(identity.claims) || (await authenticate(apiKey, payload.access_token))) return;
    channel.end(INVALID_TOKEN);

    function push(event: string, content: object): void {
      // The channel may have been closed while its access was checked.
      if (channels.get(topic) === channel) send([channel.joinRef, null, topic, event, content]);
    }

    function pushSystem(extension: string, status: "ok" | "error", message: string): void {
      push("system", { channel: name, extension, status, message });
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

export function forbidden(topic: string): string {
  return `Unauthorized: You do not have permissions to read from this Channel topic: ${topic}`;
}

function changePayload(id: number, { table, type, column, value }: Change, record: object): object {
  return {
    ids: [id],
    data: {
      schema: "public",
      table,
      type,
      commit_timestamp: new Date().toISOString(),
      // realtime-js leaves values unchanged whose column is missing.
      columns: [],
      ...(type !== "DELETE" && { record }),
      ...(type !== "INSERT" && { old_record: { [column]: value } }),
      errors: null,
    },
  };
}
