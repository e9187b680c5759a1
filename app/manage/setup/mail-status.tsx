import { messageOf, useSubmission } from "../../forms/use-form-submit.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import { buttonClass } from "../../ui/button.ts";
import { FormFailure } from "../../ui/form-errors.tsx";
import { useLiveValue } from "../live-value.ts";
import { readMailService, sendTestMail } from "./test-mail.ts";

/** Whether e-mails are sent at all, and a way to try it. */
export function MailStatus() {
  const service = useLiveValue(readMailService);
  const { failure, submitting, run } = useSubmission({
    sent: { title: "Test mail sent", description: "Look into the mailboxes of the recipients." },
    describeFailure: (error) => ({ title: "The test mail failed", description: messageOf(error) }),
  });
  return (
    <div className="space-y-3 rounded-lg border border-line bg-surface p-4 sm:p-5">
      <p>{statusText(service)}</p>
      <FormFailure text={failure} />
      <button
        type="button"
        disabled={submitting}
        onClick={() => run(async () => sendTestMail(await getBrowserClient()))}
        className={buttonClass("secondary", "small")}
      >
        {submitting ? "Sending..." : "Send a test mail"}
      </button>
      <p className="text-sm text-muted">It goes to the recipients that are published.</p>
    </div>
  );
}

function statusText(service: ReturnType<typeof useLiveValue<{ configured: boolean } | null>>) {
  const configured = service.state === "loaded" ? service.value?.configured : undefined;
  if (configured === undefined) {
    return "A test mail shows whether the server can send e-mails.";
  }
  return configured
    ? "A mail service is configured on the server."
    : "No mail service is configured on the server: messages are kept here and not e-mailed. Set SMTP_URL or RESEND_API_KEY (see the README).";
}
