import {
  contactFieldNames,
  contactFields,
} from "../../../supabase/functions/_shared/contact-fields.ts";
import type { Columns } from "../csv-export.tsx";
import { isoTime } from "../format-moment.ts";
import type { Message } from "./messages.ts";

export const messageColumns: Columns<Message> = {
  Received: ({ created_at }, zone) => isoTime(created_at, zone),
  ...Object.fromEntries(
    contactFieldNames.map((name): [string, (message: Message) => string | null] => [
      contactFields[name].shortLabel,
      (message) => message[name],
    ]),
  ),
  "Withdrew calls and texts": ({ withdrawal }, zone) =>
    withdrawal && isoTime(withdrawal.received_at, zone),
  Note: ({ note }) => note,
  Read: ({ read_at }, zone) => read_at && isoTime(read_at, zone),
  Answered: ({ answered_at }, zone) => answered_at && isoTime(answered_at, zone),
  Flagged: ({ flagged_at }, zone) => flagged_at && isoTime(flagged_at, zone),
  Emailed: ({ sent_at }, zone) => sent_at && isoTime(sent_at, zone),
  "Email failed": ({ status }) => (status === "failed" ? "yes" : null),
  Deleted: ({ deleted_at }, zone) => deleted_at && isoTime(deleted_at, zone),
  Spam: ({ spam_at }) => (spam_at ? "yes" : null),
};
