import { Fragment, useEffect, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useSearchParams } from "react-router";
import {
  type ContactFieldName,
  type ContactMessage,
  contactFieldNames,
  contactFields,
} from "../../supabase/functions/_shared/contact-fields.ts";
import { useSite } from "../config/use-site.ts";
import { HoneypotField, isHoneypotFilled } from "../forms/honeypot-field.tsx";
import { type FormErrors, useFormSubmit } from "../forms/use-form-submit.ts";
import { loadModule } from "../loading/load-module.ts";
import { getVisitorClient, readPublicSettings } from "../supabase/browser-client.ts";
import { buttonClass } from "../ui/button-class.ts";
import { TextAreaField, TextField } from "../ui/field.tsx";
import { ErrorSummary, FormFailure } from "../ui/form-errors.tsx";
import { pageBefore } from "../visits/visit-count.ts";
import { type ContactActionData, contactFormId } from "./contact-action.ts";
import { MessageSent } from "./message-sent.tsx";
import { failureText, newSubmissionKey, readMessage, sendMessage } from "./send-message.ts";

interface ContactFormProps {
  /** The result of a post without JavaScript, and its address. */
  action: string;
  actionData: ContactActionData | undefined;
  /** Checks the fields. Without it, the browser's native checks apply. */
  validate?: (message: ContactMessage) => FormErrors;
  sent: { title: string; description: string };
  /** Whether a failure shows the server's message, where it has one. */
  quoteServer?: boolean;
}

export function ContactForm(props: ContactFormProps) {
  const { action, actionData, validate, sent, quoteServer = false } = props;
  const id = useId();
  const { disclosures } = useSite();
  const [search] = useSearchParams();
  const isSent = search.has("sent") && !actionData;
  /** How the message was sent. Until another one is written, a panel replaces the form. */
  const [sentBy, setSentBy] = useState<"script" | "post" | null>(isSent ? "post" : null);
  /** Another message has new fields, without what the first one was filled in with. */
  const [round, setRound] = useState(0);
  const panel = useRef<HTMLDivElement>(null);
  const firstField = useRef<HTMLInputElement>(null);
  const [askedAbout, setAskedAbout] = useState("");
  const [postFailure, setPostFailure] = useState(actionData?.failure);
  const submissionKey = useRef<string>(undefined);
  const turnstile = useTurnstile();

  const { errors, failure, submitting, formProps } = useFormSubmit({
    draftKey: "contact-draft",
    discardDraft: isSent,
    initialErrors: actionData?.errors,
    validate: validate && ((form) => validate(readMessage(form))),
    sent,
    async send(form) {
      submissionKey.current ??= newSubmissionKey();
      const turnstileToken = await turnstile.getToken();
      const message = { ...readMessage(form), page: pageBefore("/contact") };
      await sendMessage(await getVisitorClient(), message, {
        submissionKey: submissionKey.current,
        turnstileToken,
        isSpam: isHoneypotFilled(form),
      });
      submissionKey.current = undefined;
    },
    onSent() {
      flushSync(() => {
        setSentBy("script");
        setRound(round + 1);
      });
      panel.current?.focus();
    },
    describeFailure(error) {
      console.error("Sending the message failed", error);
      const description = failureText(error, quoteServer);
      return { title: "Uh oh! Something went wrong.", description };
    },
  });

  useEffect(() => {
    if (!isSent) return;
    // Removed from the URL, because a reload must not show the thanks again.
    const { pathname, hash } = window.location;
    window.history.replaceState(window.history.state, "", pathname + hash);
  }, [isSent]);

  const idOf = (name: ContactFieldName) => `${id}-${name}`;

  /** Asks once about a number with too few digits. @returns whether it has not been asked before */
  function asksAbout(phone: string): boolean {
    const number = isTooShort(phone) ? phone.trim() : "";
    setAskedAbout(number);
    return number !== "" && number !== askedAbout;
  }

  function writeAnother() {
    flushSync(() => setSentBy(null));
    firstField.current?.focus();
  }

  return (
    <div id={contactFormId} className="scroll-mt-8 outline-none">
      {sentBy && (
        <MessageSent
          ref={panel}
          title={sent.title}
          // The toast of a script has said thanks.
          thanks={sentBy === "post" ? sent.description : null}
          action={action}
          onWriteAnother={writeAnother}
        />
      )}
      <form
        {...formProps}
        hidden={sentBy !== null}
        method="post"
        action={`${action}#${contactFormId}`}
        onSubmit={(event) => {
          const phone = event.currentTarget.elements.namedItem("phone");
          if (phone instanceof HTMLInputElement && asksAbout(phone.value)) {
            event.preventDefault();
            return phone.focus();
          }
          setPostFailure(null);
          formProps.onSubmit(event);
        }}
        onFocus={turnstile.prepare}
        noValidate={Boolean(validate)}
        className="space-y-5"
      >
        <FormFailure text={postFailure} />
        <ErrorSummary
          fields={contactFieldNames
            .filter((name) => errors[name])
            .map((name) => ({ id: idOf(name), label: contactFields[name].label }))}
        />
        <Fragment key={round}>
          {contactFieldNames.map((name) => {
            const { label, optional, rows, type, autoComplete } = contactFields[name];
            const field = {
              id: idOf(name),
              name,
              label,
              autoComplete,
              required: !optional,
              defaultValue: round === 0 ? actionData?.message[name] : undefined,
              error: errors[name],
              // While the phone field is empty, and scripts can tell, the consent to calls is hidden.
              placeholder: type === "tel" ? " " : undefined,
            };
            if (type === "hidden") {
              return (
                <input key={name} type="hidden" name={name} value={action.replace("?index", "")} />
              );
            }
            if (rows) return <TextAreaField key={name} {...field} rows={rows} />;
            if (type === "tel") {
              return (
                <TextField
                  key={name}
                  {...field}
                  type={type}
                  question={askedAbout ? "Is this number complete?" : undefined}
                  onChange={() => setAskedAbout("")}
                  onBlur={({ target }) => asksAbout(target.value)}
                />
              );
            }
            if (type !== "checkbox") {
              const ref = name === "name" ? firstField : undefined;
              return <TextField key={name} {...field} type={type} ref={ref} />;
            }
            if (!disclosures.callConsent) return null;
            return (
              <label
                // Another wording is another box, which is not ticked.
                key={disclosures.callConsent}
                className="flex gap-3 py-1 text-sm [form:has(:placeholder-shown)_&]:hidden noscript:flex!"
              >
                <input
                  type="checkbox"
                  name={name}
                  // A reload must not tick the box beside another sentence.
                  autoComplete="off"
                  value={disclosures.callConsent}
                  defaultChecked={field.defaultValue === disclosures.callConsent}
                  className="size-5 shrink-0 accent-evergreen"
                />
                <span className="whitespace-pre-line wrap-anywhere">{disclosures.callConsent}</span>
              </label>
            );
          })}
        </Fragment>
        <HoneypotField />
        <div ref={turnstile.container} className="empty:hidden" />
        {disclosures.consent && (
          <p className="text-sm whitespace-pre-line text-muted">{disclosures.consent}</p>
        )}
        <FormFailure text={failure} />
        <button
          type="submit"
          className={`${buttonClass("primary")} w-full sm:w-auto`}
          disabled={submitting}
        >
          {submitting ? "Sending..." : "Send Message"}
        </button>
      </form>
    </div>
  );
}

/** Whether a text is a number with too few digits for a telephone number. A text with letters, such as 'ask for Ada', is not. */
export function isTooShort(phone: string): boolean {
  const { length } = phone.replace(/\D/g, "");
  return length > 0 && length < 7 && !/\p{L}/u.test(phone);
}

const importTurnstile = () => loadModule(() => import("./turnstile-widget.ts"));

/** The optional check by Cloudflare Turnstile. Without a site key it does nothing and loads nothing. */
function useTurnstile() {
  /** The element in which Cloudflare shows its question, if any. */
  const container = useRef<HTMLDivElement>(null);
  return {
    container,
    /** Loads the script when the visitor enters the form. */
    async prepare(): Promise<void> {
      if (!readPublicSettings().turnstileSiteKey) return;
      // Ignored here: the request for a token reports the failure.
      const turnstile = await importTurnstile().catch(() => null);
      turnstile?.loadTurnstile().catch(() => {});
    },
    /** A token for one message; null where no check is configured, or when it failed. */
    async getToken(): Promise<string | null> {
      const siteKey = readPublicSettings().turnstileSiteKey;
      if (!siteKey || !container.current) return null;
      const { getTurnstileToken } = await importTurnstile();
      return getTurnstileToken(container.current, siteKey);
    },
  };
}
