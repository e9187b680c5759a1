import { expect, test } from "vitest";
import {
  contactFieldNames,
  contactFields,
  mapContactFields,
} from "../../../supabase/functions/_shared/contact-fields.ts";
import { toCsv } from "../csv-export.tsx";
import type { Message } from "./messages.ts";
import { messageColumns } from "./messages-csv.ts";

const zone = "America/Los_Angeles";

function message(values: Partial<Message> = {}): Message {
  return {
    id: crypto.randomUUID(),
    ...mapContactFields((name) => name),
    created_at: "2026-11-21T09:06:07.47+00:00",
    status: "sent",
    sent_at: null,
    last_error: null,
    next_attempt_at: "2026-11-21T09:06:07.47+00:00",
    read_at: null,
    answered_at: null,
    flagged_at: null,
    deleted_at: null,
    spam_at: null,
    note: null,
    noted_at: null,
    consent: null,
    withdrawal: null,
    record: null,
    ...values,
  };
}

const csv = (...messages: Message[]) => toCsv(messageColumns, messages, zone);

test("a file has a byte order mark, a header and one line per message with every field of the form", () => {
  const sent_at = "2026-11-21T09:06:09Z";
  const labels = contactFieldNames.map((name) => contactFields[name].shortLabel);
  expect(csv(message({ sent_at }), message({ name: "Zoë", status: "failed" }))).toBe(
    `\uFEFF${[
      `Received,${labels},Withdrew calls and texts,Note,Read,Answered,Flagged,Emailed,Email failed,Deleted,Spam`,
      `2026-11-21T01:06:07-08:00,${contactFieldNames},,,,,,2026-11-21T01:06:09-08:00,,,`,
      `2026-11-21T01:06:07-08:00,Zoë,${contactFieldNames.slice(1)},,,,,,,yes,,`,
      "",
    ].join("\r\n")}`,
  );
});

test("a time that cannot be read is an empty field", () => {
  expect(csv(message({ read_at: "infinity" }))).toBe(csv(message()));
});
