// A file of its own, because it is loaded on demand. It has a third of the bytes of supabase-js.
import { FunctionsClient } from "@supabase/functions-js";
import { PostgrestClient } from "@supabase/postgrest-js";
import { RealtimeClient } from "@supabase/realtime-js";
import type { VisitorClient } from "./client-context.ts";
import type { Database } from "./database.ts";
import { fetchWithTimeout } from "./fetch-with-timeout.ts";

/** The clients that supabase-js combines, without those for accounts and files. */
export function createVisitorClient(url: string, anonKey: string): VisitorClient {
  const rest = new PostgrestClient<Database>(`${url}/rest/v1`, {
    headers: { apikey: anonKey, authorization: `Bearer ${anonKey}` },
    fetch: fetchWithTimeout,
  });
  const realtime = new RealtimeClient(`${url.replace(/^http/, "ws")}/realtime/v1`, {
    params: { apikey: anonKey },
    accessToken: async () => anonKey,
  });
  return {
    from: rest.from.bind(rest),
    rpc: rest.rpc.bind(rest),
    functions: new FunctionsClient(`${url}/functions/v1`, {
      headers: { apikey: anonKey },
      customFetch: fetchWithTimeout,
    }),
    realtime,
    channel: realtime.channel.bind(realtime),
    getChannels: realtime.getChannels.bind(realtime),
    removeChannel: realtime.removeChannel.bind(realtime),
  };
}
