// Reads the recipients and the sender of mails, and what mails to visitors end with, before each delivery.
import type { SupabaseClient } from "@supabase/supabase-js";
import { composeMailEnding } from "../_shared/licenses.ts";
import {
  addressSections,
  chooseAddresses,
  type MailAddresses,
  type MailEnvironment,
} from "../_shared/mail-addresses.ts";

export interface Addressing extends MailAddresses {
  /** What mails to visitors end with: licenses and disclosure; may be empty. */
  ending: string;
}

/** @returns a function that throws when there is no recipient */
export function createAddressBook(
  client: SupabaseClient,
  environment: MailEnvironment,
): () => Promise<Addressing> {
  let known: Record<string, unknown> = {};

  return async function readAddresses() {
    const { data, error } = await client
      .from("site_settings")
      .select("section, document")
      .in("section", [...addressSections, "adviser", "firm", "licenses", "disclosures"]);
    // Uses the last known addresses while the database is down, because a message may be waiting to be sent.
    if (!error)
      known = Object.fromEntries(data.map(({ section, document }) => [section, document]));
    const addresses = chooseAddresses(known, environment);
    if (!addresses) {
      throw new Error(
        "Nobody receives the messages: set the recipients under /manage/settings/mail, or CONTACT_TO",
      );
    }
    return { ...addresses, ending: composeMailEnding(known) };
  };
}
