import { type ConsentRecord, withdrawalChannels } from "../consent-records.tsx";
import type { Columns } from "../csv-export.tsx";
import { isoTime } from "../format-moment.ts";
import { formatSignature } from "../versions/content-store.ts";

export const consentColumns: Columns<ConsentRecord> = {
  Given: ({ given_at }, zone) => isoTime(given_at, zone),
  To: ({ kind }) => (kind === "calls" ? "calls and texts" : "publish a testimonial"),
  Name: ({ name }) => name,
  Email: ({ email }) => email,
  Phone: ({ phone }) => phone,
  Sentence: ({ wording }) => wording,
  "Version of the settings": ({ settings_version }) => settings_version?.toString() ?? "default",
  "Message or testimonial": ({ subject_id }) => subject_id,
  Withdrawn: ({ withdrawal }, zone) => withdrawal && isoTime(withdrawal.received_at, zone),
  How: ({ withdrawal }) => withdrawal && withdrawalChannels[withdrawal.channel],
  Note: ({ withdrawal }) => withdrawal?.note ?? null,
  "Recorded by": ({ withdrawal }) => withdrawal && formatSignature(withdrawal),
  Recorded: ({ withdrawal }, zone) => withdrawal && isoTime(withdrawal.recorded_at, zone),
};
