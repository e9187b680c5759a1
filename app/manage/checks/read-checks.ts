import type { Client } from "../../supabase/client-context.ts";

/** Something that has to be fixed before the site goes live, or soon. */
export interface Check {
  id: string;
  severity: "error" | "warning";
  /** One sentence that says what is wrong. */
  text: string;
  /** The page where it is fixed; null when that is not a page of the site. */
  fixAt: string | null;
}

/** The checks that failed. */
export async function readChecks(_client: Client): Promise<Check[]> {
  return [];
}
