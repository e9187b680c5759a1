import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { EnteredMail } from "../../../supabase/functions/_shared/mail-service.ts";
import { useSite } from "../../config/use-site.ts";
import { readPublicSettings } from "../../supabase/browser-client.ts";
import { LoadFailure } from "../../ui/load-state.tsx";
import { showToast } from "../../ui/toast.ts";
import { SignInAgain } from "../account/sign-in-again.tsx";
import { Button } from "../button.tsx";
import { formatMoment } from "../format-moment.ts";
import { useLiveQuery } from "../live-query.ts";
import { Alert } from "../page-parts.tsx";
import {
  changeMailService,
  type MailState,
  mailQuery,
  type StoredService,
} from "./mail-service.ts";
import { MailServiceForm } from "./mail-service-form.tsx";
import { TestMail } from "./test-mail.tsx";

/** How the site sends emails, for owners: set up, tested, changed. */
export function MailServicePanel() {
  const { value: state, failures, retry } = useLiveQuery(mailQuery);
  return (
    <section
      aria-labelledby="mail-service-title"
      className="rounded-lg border border-line bg-surface p-5 sm:p-6"
    >
      <h2 id="mail-service-title" className="font-sans text-lg font-semibold">
        Sending emails
      </h2>
      {failures > 0 ? (
        <LoadFailure what="How emails are sent" onRetry={retry} />
      ) : state ? (
        <MailService state={state} />
      ) : (
        <p role="status" className="mt-2 text-muted">
          Loading how emails are sent...
        </p>
      )}
    </section>
  );
}

function MailService({ state }: { state: MailState }) {
  const { setBy, stored, isUnreadable, isHeld } = state;
  const [isChanging, setChanging] = useState(false);
  /** Null removes what is stored. */
  const [entered, setEntered] = useState<EnteredMail | null>(null);
  const dialog = useRef<HTMLDialogElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const part = useRef<HTMLDivElement>(null);
  const hasChanged = useRef(false);

  /** Moves the focus along: the button that had it is gone. */
  function showForm(isShown: boolean) {
    flushSync(() => setChanging(isShown));
    part.current?.focus();
  }

  function confirm(change: EnteredMail | null) {
    setEntered(change);
    dialog.current?.showModal();
  }

  const showsForm = !setBy && (!stored || isUnreadable || isChanging);
  return (
    <div ref={part} tabIndex={-1} className="outline-none">
      {setBy ? (
        <p className="mt-2 max-w-2xl text-muted">
          {`Set by the server (${setBy}). It is not shown here and cannot be changed here.`}
        </p>
      ) : stored ? (
        <Stored stored={stored} />
      ) : (
        <p className="mt-2 max-w-2xl text-muted">
          Your site cannot send emails yet: messages of visitors only wait in your inbox. Enter what
          your email provider says about sending, which it calls SMTP.
        </p>
      )}
      {!setBy && isUnreadable && (
        <Alert text="The stored password cannot be read here, because your site was moved or restored from a backup. Enter it again." />
      )}
      {isHeld && (
        <Alert text="No email leaves this copy of your site, because it was restored from a backup. The person who restored it can declare it the live site." />
      )}
      {readPublicSettings().supabaseUrl && !state.takesAccountMails && (
        <p className="mt-3 max-w-2xl text-sm text-muted">
          Emails about accounts, such as links for a new password, come from the platform of your
          database.
        </p>
      )}
      {showsForm ? (
        <MailServiceForm
          ref={form}
          stored={stored?.service}
          onCancel={stored && !isUnreadable ? () => showForm(false) : undefined}
          onEntered={confirm}
        />
      ) : (
        <TestMail to={state.email}>
          {!setBy && (
            <>
              <Button onClick={() => showForm(true)}>Change</Button>
              <Button look="quietDanger" onClick={() => confirm(null)}>
                Remove
              </Button>
            </>
          )}
        </TestMail>
      )}
      <SignInAgain
        ref={dialog}
        title={entered ? "Send emails this way?" : "Send no more emails?"}
        text={
          entered
            ? "All emails of your site go through this service, also links for a new password. So please enter your own password, with which you sign in here."
            : "Messages then only wait in your inbox, and nobody gets a link for a new password."
        }
        confirm={entered ? "Save" : "Remove"}
        onClose={() => {
          if (hasChanged.current) part.current?.focus();
          hasChanged.current = false;
        }}
        onSignedIn={async (client) => {
          await changeMailService(client, entered);
          form.current?.reset();
          hasChanged.current = true;
          setChanging(false);
          showToast(
            entered
              ? { tone: "success", title: "Stored", description: "Send a test mail now." }
              : { tone: "success", title: "Removed", description: "Your site sends no emails." },
          );
        }}
      />
    </div>
  );
}

function Stored({ stored: { service, at, by } }: { stored: StoredService }) {
  const { timeZone } = useSite().contact;
  const rows =
    service.kind === "resend"
      ? [["Service", "Resend"]]
      : [
          ["Server", `${service.host}, port ${service.port}`],
          ["User name", service.user],
        ];
  const secret = service.kind === "resend" ? "Key" : "Password";
  return (
    <dl className="mt-3 grid max-w-2xl grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1.5 wrap-anywhere">
      {[...rows, [secret, `Stored by ${by}, ${formatMoment(at, timeZone)}`]].map(
        ([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
