// What visitors agreed to and withdrew, at messages, at testimonials and in the list of all consents.

import { CircleOff } from "lucide";
import { type ReactNode, useState } from "react";
import { z } from "zod";
import { consentWithdrawals as lengths } from "../../supabase/functions/_shared/database-limits.ts";
import { messageOf } from "../../supabase/functions/_shared/message-of.ts";
import { keysOf } from "../../supabase/functions/_shared/object-keys.ts";
import { useSite } from "../config/use-site.ts";
import { fieldText } from "../forms/field-text.ts";
import { useFormSubmit } from "../forms/use-form-submit.ts";
import { getBrowserClient } from "../supabase/browser-client.ts";
import type { Client } from "../supabase/client-context.ts";
import { TextField } from "../ui/field.tsx";
import { FormFailure } from "../ui/form-errors.tsx";
import { Icon } from "../ui/icon.ts";
import { Button } from "./button.tsx";
import { formatMoment } from "./format-moment.ts";
import { withOwnChange } from "./live-query.ts";
import { SelectField } from "./page-parts.tsx";
import { formatSignature } from "./versions/content-store.ts";

/** How a withdrawal arrived, as the CHECK consent_withdrawals_channel has it. */
export const withdrawalChannels = {
  phone: "By phone",
  text: "By text message",
  email: "By email",
  letter: "By letter",
  person: "In person",
  other: "In another way",
} as const;

export const withdrawalSchema = z.object({
  received_at: z.string(),
  channel: z.enum(keysOf(withdrawalChannels)),
  note: z.nullable(z.string()),
  recorded_at: z.string(),
  by_name: z.string(),
  by_email: z.nullable(z.string()),
  /** The number of the consent to calls. */
  phone: z.nullish(z.string()),
});
export type Withdrawal = z.infer<typeof withdrawalSchema>;

/** The filters of the SQL function list_consents. */
export const consentFilters = {
  all: "All",
  calls: "Calls and texts",
  publish: "Testimonials",
  withdrawn: "Withdrawn",
};
export type ConsentFilter = keyof typeof consentFilters;

const foundSchema = z.object({
  rows: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(["publish", "calls"]),
      /** The testimonial or the message. */
      subject_id: z.string(),
      name: z.string(),
      email: z.nullable(z.string()),
      phone: z.nullable(z.string()),
      wording: z.string(),
      /** Null for the text of the release. */
      settings_version: z.nullable(z.number()),
      given_at: z.string(),
      withdrawal: z.nullable(withdrawalSchema),
      /** The newest withdrawal of another consent of this number or address. */
      other_withdrawal: z.nullable(withdrawalSchema),
      is_public: z.boolean(),
    }),
  ),
  counts: z.record(z.enum(keysOf(consentFilters)), z.number().default(0)),
});
type FoundConsents = z.infer<typeof foundSchema>;
export type ConsentRecord = FoundConsents["rows"][number];

/** Newest first, at most 200. @param subjects the testimonials or messages; null for all */
export async function readConsents(
  client: Client,
  filter: ConsentFilter,
  first: number,
  count: number,
  subjects: string[] | null = null,
): Promise<FoundConsents> {
  const page = { filter, subjects, first, count };
  return foundSchema.parse((await client.rpc("list_consents", page).throwOnError()).data);
}

interface WithdrawalNoteProps {
  title: string;
  withdrawal: Withdrawal;
  children?: ReactNode;
}

export function WithdrawalNote({ title, withdrawal, children }: WithdrawalNoteProps) {
  const { timeZone } = useSite().contact;
  const { received_at, channel, note, recorded_at, phone } = withdrawal;
  return (
    <div
      role="note"
      className="mt-4 flex max-w-prose gap-3 rounded-md bg-clay-soft p-3 text-sm wrap-anywhere"
    >
      <Icon drawing={CircleOff} className="mt-0.5 size-4 shrink-0 text-danger" />
      <div>
        <p className="font-medium text-danger">{title}</p>
        <p className="mt-1 whitespace-pre-line">
          {`${withdrawalChannels[channel]}, ${formatMoment(received_at, timeZone)}${phone ? `, for ${phone}` : ""}.${note ? ` “${note}”` : ""}`}
        </p>
        <p className="mt-1 text-muted">
          {`Recorded ${formatMoment(recorded_at, timeZone)} by ${formatSignature(withdrawal)}.`}
        </p>
        {children && <div className="mt-3">{children}</div>}
      </div>
    </div>
  );
}

interface WithdrawalFormProps {
  consent: string;
  summary: string;
  /** Text that only screen readers read after the summary. */
  of: string;
  help: string;
  sent: { title: string; description: string };
  onRecorded: (withdrawal: Withdrawal) => void;
}

export function WithdrawalForm(props: WithdrawalFormProps) {
  const { consent, summary, of, help, sent, onRecorded } = props;
  const [opened, setOpened] = useState("");
  const { failure, submitting, formProps } = useFormSubmit({
    draftKey: `withdrawal:${consent}`,
    async send(form) {
      const client = await getBrowserClient();
      const values = {
        consent,
        received_at: new Date(fieldText(form, "received")).toISOString(),
        channel: fieldText(form, "channel"),
        note: fieldText(form, "note"),
      };
      const { data } = await withOwnChange(consent, async () =>
        client.rpc("withdraw_consent", values).throwOnError(),
      );
      // The form is removed with the focused button.
      const row = formProps.ref.current?.closest("article");
      row?.setAttribute("tabindex", "-1");
      row?.focus();
      onRecorded(withdrawalSchema.parse(data));
    },
    sent,
    describeFailure: (error) => ({ title: "Recording failed", description: messageOf(error) }),
  });
  return (
    <details
      className="mt-4 max-w-2xl"
      onToggle={({ currentTarget }) => currentTarget.open && setOpened(localMinute(new Date()))}
    >
      <summary className="w-fit cursor-pointer py-1 text-sm font-medium underline decoration-edge underline-offset-4">
        <span>{summary}</span>
        <span className="sr-only">{` ${of}`}</span>
      </summary>
      <form {...formProps} className="mt-3 space-y-4">
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
          <TextField
            // Another time of opening is another preset.
            key={opened}
            label="Received (time of this device)"
            name="received"
            type="datetime-local"
            required
            defaultValue={opened}
          />
          <SelectField
            label="How"
            name="channel"
            required
            defaultValue=""
            none="Choose..."
            options={Object.entries(withdrawalChannels)}
          />
        </div>
        <TextField
          label="Note (Optional)"
          name="note"
          maxLength={lengths.note}
          autoComplete="off"
        />
        <p className="text-sm text-muted">{`${help} A recorded withdrawal stays.`}</p>
        <FormFailure text={failure} />
        <Button type="submit" look="primary" disabled={submitting}>
          {submitting ? "Recording..." : "Record withdrawal"}
        </Button>
      </form>
    </details>
  );
}

/** The value of a field of the type datetime-local. */
function localMinute(now: Date): string {
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
