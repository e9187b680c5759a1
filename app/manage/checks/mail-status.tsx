import { CircleAlert, CircleCheck, CircleDashed } from "lucide";
import { useState } from "react";
import { messageOf } from "../../../supabase/functions/_shared/message-of.ts";
import { useSendsMail } from "../../config/use-site.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import { Icon } from "../../ui/icon.ts";
import { Button } from "../button.tsx";
import { sendTestMail, type TestMailResult } from "./run-checks.ts";

export function MailStatus() {
  const sendsMail = useSendsMail();
  const [sending, setSending] = useState(false);
  const [result, setResult] = useState<TestMailResult>();

  async function send() {
    setSending(true);
    setResult(undefined);
    try {
      setResult(await sendTestMail(await getBrowserClient()));
    } catch (error) {
      setResult({ accepted: false, text: messageOf(error) });
    } finally {
      setSending(false);
    }
  }

  if (!sendsMail) {
    return (
      <p className="rounded-lg bg-sage p-4 sm:p-5">
        This site cannot send emails yet. Home has a text for the person who runs your server. What
        you enter here applies once emails are set up.
      </p>
    );
  }
  return (
    <div className="space-y-3 rounded-lg border border-line bg-surface p-4 sm:p-5">
      <p>
        Send a test mail to everyone who gets your messages. If it does not arrive, look in the spam
        folder.
      </p>
      <Button
        // A disabled button would lose the keyboard focus.
        aria-disabled={sending}
        onClick={() => sending || send()}
      >
        {sending ? "Sending..." : "Send a test mail"}
      </Button>
      <p
        role="status"
        className={`whitespace-pre-line ${result?.accepted === false ? "font-medium text-danger" : ""}`}
      >
        {result?.text}
      </p>
      <div role="status">{result && <SenderCheck sender={result.sender} />}</div>
    </div>
  );
}

const drawings = { right: CircleCheck, wrong: CircleAlert, unknown: CircleDashed };

function SenderCheck({ sender }: Pick<TestMailResult, "sender">) {
  if (sender === undefined) return null;
  if (!sender)
    return "Whether mail services trust your domain could not be found out just now. Try again later.";
  return (
    <>
      <p className="font-medium">
        Mail services look at these settings of your domain to tell your emails from spam:
      </p>
      <ul className="mt-2 space-y-2">
        {sender.map(({ state, text }) => (
          <li
            key={text}
            className={`flex gap-2 wrap-anywhere ${state === "wrong" ? "text-danger" : ""}`}
          >
            <Icon drawing={drawings[state]} className="mt-1 size-4 shrink-0" />
            <span>{`${text}.`}</span>
          </li>
        ))}
      </ul>
      {sender.some(({ state }) => state === "wrong") && (
        <p className="mt-2 text-muted">
          The person who manages your domain can correct them. Send this list along.
        </p>
      )}
    </>
  );
}
