import { useState } from "react";
import { z } from "zod";
import { useSite } from "../../config/use-site.ts";
import type { Client } from "../../supabase/client-context.ts";
import { LoadFailure } from "../../ui/load-state.tsx";
import { Button } from "../button.tsx";
import { formatMoment } from "../format-moment.ts";
import { useLiveQuery } from "../live-query.ts";
import { Section } from "../page-parts.tsx";

const time = z.nullable(z.string());
const mailsSchema = z.array(
  z.object({
    id: z.string(),
    kind: z.string(),
    /** Null until the first attempt of a mail to those who receive messages. */
    recipient: z.nullable(z.string()),
    status: z.enum(["waiting", "sent", "failed", "expired"]),
    created_at: z.string(),
    sent_at: time,
    next_attempt_at: z.string(),
    last_error: z.nullable(z.string()),
  }),
);
type OutboxMail = z.infer<typeof mailsSchema>[number];

const kinds: Readonly<Record<string, string>> = {
  message: "Message of a visitor",
  testimonial: "New testimonial",
  confirmation: "Confirmation to a visitor",
  testimonial_answer: "Answer to a reviewer",
  recovery: "Link for a new password",
  invite: "Invitation",
  email_change: "Link for a new address",
  address_changing: "Note about a new address",
  address_changed: "Address changed",
  password_changed: "Password changed",
  code_used: "Recovery code used",
  your_role: "Role, to the person",
  role_of_person: "Role, to the owners",
  accepted: "Invitation accepted",
  approval_asked: "Post for approval",
  approval_decided: "Approval decided",
  not_published: "Post not published",
  warning: "Warning",
};

const pageSize = 20;

/** Reads the newest mails: owners may read neither what they say nor whom a link belongs to. */
async function readOutbox(client: Client): Promise<OutboxMail[]> {
  const { data } = await client
    .from("mails")
    .select("id, kind, recipient, status, created_at, sent_at, next_attempt_at, last_error")
    .order("created_at", { ascending: false })
    .order("id")
    .limit(200)
    .throwOnError();
  return mailsSchema.parse(data);
}

export function Outbox() {
  const {
    value: mails,
    failures,
    retry,
  } = useLiveQuery({ key: ["sent emails"], read: readOutbox, tables: [] });
  const [count, setCount] = useState(pageSize);
  const [onlyFailed, setOnlyFailed] = useState(false);
  const { timeZone } = useSite().contact;
  const all = mails ?? [];
  const failed = all.filter(hasFailed);
  const rows = onlyFailed ? failed : all;
  return (
    <Section title="Emails of the last 30 days" className="mt-10">
      {failures > 0 && <LoadFailure what="The list" onRetry={retry} />}
      <p role="status" className="mt-2 text-muted">
        {mails
          ? rows.length === 0 && "No email was sent yet."
          : failures === 0 && "Loading the list..."}
      </p>
      {(onlyFailed || failed.length > 0) && (
        <Button onClick={() => setOnlyFailed(!onlyFailed)}>
          {onlyFailed ? "Show all emails" : `Show only what failed (${failed.length})`}
        </Button>
      )}
      {rows.length > 0 && (
        <ul className="mt-4 divide-y divide-line rounded-lg border border-line bg-surface">
          {rows.slice(0, count).map((mail) => (
            <li key={mail.id} className="px-4 py-3 wrap-anywhere">
              <p className="flex flex-wrap justify-between gap-x-4">
                <span className="font-medium">{kinds[mail.kind] ?? mail.kind}</span>
                <span className="text-sm text-muted">
                  {formatMoment(mail.created_at, timeZone)}
                </span>
              </p>
              <p className="text-sm">{`To ${mail.recipient ?? "those who receive messages"}`}</p>
              <p className={`text-sm ${hasFailed(mail) ? "text-danger" : "text-muted"}`}>
                {describeState(mail, timeZone)}
              </p>
            </li>
          ))}
        </ul>
      )}
      {rows.length > count && (
        <Button className="mt-4" onClick={() => setCount(count + pageSize)}>
          Show more
        </Button>
      )}
    </Section>
  );
}

/** So far, or for good. */
function hasFailed({ status, sent_at, last_error }: OutboxMail): boolean {
  return !sent_at && (status !== "waiting" || last_error !== null);
}

function describeState(mail: OutboxMail, timeZone: string): string {
  const { status, sent_at, next_attempt_at, last_error } = mail;
  const reason = last_error ? ` The reason: ${last_error}` : "";
  if (sent_at) return `Sent ${formatMoment(sent_at, timeZone)}.`;
  if (status === "expired") return `Too late to be sent.${reason}`;
  if (status === "failed") return `Could not be sent.${reason}`;
  if (!last_error) return "Waits to be sent.";
  return `To be tried again ${formatMoment(next_attempt_at, timeZone)}.${reason}`;
}
