import { CircleAlert, CircleCheck, CircleDashed } from "lucide";
import { type ReactNode, useState } from "react";
import { messageOf } from "../../../supabase/functions/_shared/message-of.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import { Icon } from "../../ui/icon.ts";
import { Button } from "../button.tsx";
import { sendTestMail, type TestMailResult } from "./mail-service.ts";

/** @param children other buttons */
export function TestMail({ to, children }: { to: string; children: ReactNode }) {
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

  return (
    <>
      <p className="mt-4 max-w-2xl wrap-anywhere">{`The test mail goes to you, at ${to}.`}</p>
      <div className="mt-3 flex flex-wrap gap-3">
        <Button
          // A disabled button would lose the keyboard focus.
          aria-disabled={sending}
          onClick={() => sending || send()}
        >
          {sending ? "Sending..." : "Send a test mail"}
        </Button>
        {children}
      </div>
      <div role="status" className="max-w-2xl space-y-3 not-empty:mt-4">
        {result && (
          <p className={result.accepted ? "" : "font-medium text-danger"}>{result.text}</p>
        )}
        {result?.answer && (
          <p className="text-sm wrap-anywhere text-muted">
            <span>The answer of the server, for whoever helps you: </span>
            <code translate="no">{result.answer}</code>
          </p>
        )}
      </div>
      <div role="status" className="max-w-2xl not-empty:mt-4">
        {result && <SenderCheck sender={result.sender} />}
      </div>
    </>
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
