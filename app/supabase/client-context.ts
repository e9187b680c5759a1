import type { SupabaseClient } from "@supabase/supabase-js";
import { createContext } from "react-router";
import type { Database } from "./database.ts";

export type Client = SupabaseClient<Database>;

/** What visitors need of it, without accounts and uploads. */
export type VisitorClient = Pick<
  Client,
  "from" | "rpc" | "functions" | "realtime" | "channel" | "getChannels" | "removeChannel"
>;

/** The client for server rendering, with the public key and without a session. */
export const clientContext = createContext<Client>();
