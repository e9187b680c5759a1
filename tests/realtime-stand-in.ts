// Realtime as a hosted project has it, as far as the embedded backend differs: a joined channel can be deaf, the database
// sends changes only after the system's message, and a table that the key may not read sends events without content.
// Answers public.table_states as well.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { z } from "zod";

const frameSchema = z.tuple([
  z.string().nullable(),
  z.string().nullable(),
  z.string(),
  z.string(),
  z.object({
    config: z
      .object({
        private: z.boolean().nullish(),
        postgres_changes: z.array(z.record(z.string(), z.unknown())).nullish(),
      })
      .nullish(),
  }),
]);

interface Channel {
  socket: WebSocket;
  joinRef: string | null;
  topic: string;
  subscriptions: Record<string, unknown>[];
  isConfirmed: boolean;
}

export async function startRealtimeStandIn() {
  const channels = new Set<Channel>();
  const standIn = {
    url: "",
    /** Channels stay joined and heartbeats are answered, but no change is sent. */
    isDeaf: false,
    /** Whether the message of the system follows each join at once. */
    confirms: true,
    /** Whether table_states responds. */
    answersStates: true,
    states: { posts: "0", testimonials: "0", public_site_settings: "0" } as Record<string, string>,
    reads: 0,
    /** The names and settings of all joins, and the names of all leaves. */
    joins: [] as { topic: string; config: unknown }[],
    leaves: [] as string[],
    confirm,
    change,
    closeChannels,
  };

  const server = createServer((_request, response) => {
    standIn.reads++;
    const headers = {
      "content-type": "application/json",
      "access-control-allow-origin": "*",
      "access-control-allow-headers": "*",
    };
    response.writeHead(standIn.answersStates ? 200 : 500, headers);
    response.end(JSON.stringify(standIn.answersStates ? standIn.states : {}));
  });
  const sockets = new WebSocketServer({ server });
  sockets.on("connection", (socket) => {
    socket.on("message", (data) => receive(socket, String(data)));
    socket.on("close", () => remove((channel) => channel.socket === socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // The server listens on a port.
  standIn.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(() => {
    for (const socket of sockets.clients) socket.terminate();
    server.closeAllConnections();
    server.close();
  });
  return standIn;

  function receive(socket: WebSocket, text: string): void {
    const [joinRef, ref, topic, event, payload] = frameSchema.parse(JSON.parse(text));
    const subscriptions = (payload.config?.postgres_changes ?? []).map((request, index) => ({
      ...{ id: index + 1, ...request },
    }));
    if (event === "phx_leave") standIn.leaves.push(topic);
    if (event === "phx_leave" || event === "phx_join") remove((channel) => channel.topic === topic);
    const response = event === "phx_join" ? { postgres_changes: subscriptions } : {};
    socket.send(JSON.stringify([joinRef, ref, topic, "phx_reply", { status: "ok", response }]));
    if (event !== "phx_join") return;
    standIn.joins.push({ topic, config: payload.config });
    channels.add({ socket, joinRef, topic, subscriptions, isConfirmed: false });
    if (standIn.confirms) confirm();
  }

  /** Sends the message of the system to the channels that wait for it. */
  function confirm(): void {
    for (const channel of channels) {
      if (channel.isConfirmed) continue;
      channel.isConfirmed = true;
      const extension = channel.subscriptions.length > 0 ? "postgres_changes" : "system";
      send(channel, "system", { extension, status: "ok", message: "Subscribed to PostgreSQL" });
    }
  }

  /** Changes a row. Without an id, the event is that of a table which the key may not read. */
  function change(table: string, id?: string): void {
    standIn.states[table] = String(Number(standIn.states[table]) + 1);
    if (standIn.isDeaf) return;
    const data = { schema: "public", table, type: "INSERT", columns: [] };
    const content = id
      ? { record: { id }, commit_timestamp: new Date().toISOString(), errors: null }
      : { errors: ["Error 401: Unauthorized"] };
    for (const channel of channels) {
      const ids = channel.subscriptions.filter((one) => one.table === table).map((one) => one.id);
      if (!channel.isConfirmed || ids.length === 0) continue;
      send(channel, "postgres_changes", { ids, data: { ...data, ...content } });
    }
  }

  /** As after a token has expired. */
  function closeChannels(message: string): void {
    for (const channel of channels) {
      send(channel, "system", { extension: "system", status: "error", message });
      send(channel, "phx_close", {});
    }
    channels.clear();
  }

  function send({ socket, joinRef, topic }: Channel, event: string, payload: object): void {
    socket.send(JSON.stringify([joinRef, null, topic, event, payload]));
  }

  function remove(isGone: (channel: Channel) => boolean): void {
    for (const channel of channels) if (isGone(channel)) channels.delete(channel);
  }
}
