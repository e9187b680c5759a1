import { CircleAlert, CircleCheck, TriangleAlert } from "lucide";
import { useEffect, useState } from "react";
import { Link } from "react-router";
import { messageOf } from "../../forms/use-form-submit.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import { buttonClass } from "../../ui/button.ts";
import { Icon } from "../../ui/icon.ts";
import { LoadFailure } from "../../ui/load-state.tsx";
import { type Check, readChecks, sendTestMail, type TestMailResult } from "./checks.ts";

/** What is wrong with the site and where to fix it. For owners. */
export function ChecksList() {
  const [checks, setChecks] = useState<Check[]>();
  const [failed, setFailed] = useState(false);
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt reads again.
  useEffect(() => {
    let ended = false;
    setFailed(false);
    getBrowserClient()
      .then(readChecks)
      .then((read) => {
        if (!ended) setChecks(read);
      })
      .catch((error) => {
        console.error("Reading the checks failed", error);
        if (!ended) setFailed(true);
      });
    return () => {
      ended = true;
    };
  }, [attempt]);

  return (
    <section aria-labelledby="checks-heading">
      <h2 id="checks-heading" className="font-sans text-lg font-semibold">
        Before going live
      </h2>
      {checks ? (
        <Found checks={checks} />
      ) : failed ? (
        <LoadFailure what="The checks" onRetry={() => setAttempt(attempt + 1)} className="mt-3" />
      ) : (
        <p role="status" className="mt-2 text-muted">
          Checking the site...
        </p>
      )}
      <TestMail />
    </section>
  );
}

function Found({ checks }: { checks: readonly Check[] }) {
  if (checks.length === 0) {
    return (
      <p className="mt-3 flex items-center gap-3 text-muted">
        <Icon drawing={CircleCheck} className="size-5 shrink-0 text-evergreen" />
        Nothing is wrong: the site is ready for visitors.
      </p>
    );
  }
  return (
    <ul className="mt-3 divide-y divide-line rounded-lg border border-line bg-surface">
      {checks.map(({ id, severity, text, fixAt }) => (
        <li key={`${id} ${text}`} className="flex items-start gap-3 px-4 py-3 sm:px-5">
          <Icon
            drawing={severity === "error" ? CircleAlert : TriangleAlert}
            className={`mt-0.5 size-5 shrink-0 ${severity === "error" ? "text-danger" : "text-clay"}`}
          />
          <p className="min-w-0 flex-1 wrap-anywhere">
            <span className="sr-only">{severity === "error" ? "Error: " : "Warning: "}</span>
            {text}{" "}
            {fixAt.startsWith("/") && (
              <Link
                to={fixAt}
                className="inline-block py-0.5 font-semibold text-evergreen underline underline-offset-4"
              >
                Fix it<span className="sr-only">: {fixAt}</span>
              </Link>
            )}
          </p>
        </li>
      ))}
    </ul>
  );
}

function TestMail() {
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
    <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
      <button
        type="button"
        className={buttonClass("secondary", "small")}
        disabled={sending}
        onClick={send}
      >
        {sending ? "Sending..." : "Send a test mail"}
      </button>
      {/* Rendered even when empty: screen readers announce only changes of an existing status. */}
      <p role="status" className={result?.accepted === false ? "text-danger" : "text-muted"}>
        {result?.text}
      </p>
    </div>
  );
}
