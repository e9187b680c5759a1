import type { SupabaseClient } from "@supabase/supabase-js";
import { createContext } from "react-router";
import type { Database } from "./database.ts";

export type Client = SupabaseClient<Database>;

/** The visitor's client during server rendering: the public key and no session. */
export const clientContext = createContext<Client>();
