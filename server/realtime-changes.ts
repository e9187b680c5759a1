// Hears of changed rows over the backend's Realtime, as a visitor's browser does: the same for the
// embedded backend and for a hosted project, and each process of the site listens for itself.
import { createClient, type WebSocketLikeConstructor } from "@supabase/supabase-js";

interface LiveChangesOptions {
  /** Address of the backend: of the hosted project, or of this process itself. */
  url: string;
  anonKey: string;
  tables: readonly string[];
  /** How it connects; over the network without it. */
  transport?: WebSocketLikeConstructor;
  onChange: (table: string) => void;
  /** Whether changes are heard from now on. The first word is always about being heard. */
  onLive: (live: boolean) => void;
}

export interface LiveChanges {
  stop(): Promise<void>;
}

/** A connection that went away without a word is noticed after two of these. */
const heartbeatMs = 10_000;
/** After this long without a subscription a new connection is tried: the old one may hang. */
const patienceMs = 30_000;

export function listenToChanges(options: LiveChangesOptions): LiveChanges {
  const { url, anonKey, tables, transport, onChange, onLive } = options;
  let live = false;
  let stopped = false;
  let client = open();
  const watchdog = setInterval(() => {
    if (!live) reopen();
  }, patienceMs);
  watchdog.unref();

  return {
    async stop() {
      stopped = true;
      clearInterval(watchdog);
      await close(client);
    },
  };

  function open() {
    const client = createClient(url, anonKey, {
      realtime: { heartbeatIntervalMs: heartbeatMs, ...(transport && { transport }) },
      auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    });
    const channel = client.channel("page cache");
    for (const table of tables) {
      channel.on("postgres_changes", { event: "*", schema: "public", table }, () => {
        onChange(table);
      });
    }
    // "SUBSCRIBED" is only the channel's word. That the database is listened to comes after it.
    channel.on("system", {}, ({ extension, status }) => {
      if (extension === "postgres_changes") setLive(client, status === "ok");
    });
    channel.subscribe((status) => {
      if (status !== "SUBSCRIBED") setLive(client, false);
    });
    return client;
  }

  function reopen(): void {
    const old = client;
    client = open();
    close(old);
  }

  function setLive(by: typeof client, isLive: boolean): void {
    if (stopped || by !== client || (!live && !isLive)) return;
    live = isLive;
    onLive(isLive);
  }

  async function close(old: typeof client): Promise<void> {
    await old.removeAllChannels().catch(() => {});
    await old.realtime.disconnect();
  }
}
