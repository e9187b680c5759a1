import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useSearchParams } from "react-router";
import { isTrapped, TrapField } from "../bot-check/trap-field.tsx";
import { useShortestFill } from "../bot-check/use-shortest-fill.ts";
import { getBrowserClient } from "../supabase/browser-client.ts";
import { buttonClass } from "../ui/button.ts";
import { TextAreaField, TextField } from "../ui/field.tsx";
import { ErrorSummary, remainingErrors } from "../ui/form-errors.tsx";
import { showToast } from "../ui/toast.ts";
import { useFormDraft } from "../ui/use-form-draft.ts";
import { type ContactAnswer, contactFormId } from "./contact-action.ts";
import type { ContactErrors, ContactMessage } from "./contact-message.ts";
import { contactFields, readMessage } from "./read-message.ts";
import { newSubmissionKey, SendError, sendingFailed, sendMessage } from "./send-message.ts";
import { useHumanCheck } from "./use-human-check.ts";

interface ContactFormProps {
  /** Where the form goes without JavaScript. */
  action: string;
  /** What came of that. */
  answer: ContactAnswer | undefined;
  /** Our own checks; without them the browser's native ones apply. */
  validate?: (message: ContactMessage) => ContactErrors;
  sent: { title: string; description: string };
  /** Whether a failure is told in the server's words, where it has any. */
  quoteServer?: boolean;
}

const labels = {
  name: "Full Name",
  email: "Email Address",
  phone: "Phone Number (Optional)",
  message: "Your Message",
};

/** The contact form of the contact page and of the home page (sections 2, 4, 5 and 8). */
export function ContactForm(props: ContactFormProps) {
  const { action, answer, validate, sent, quoteServer = false } = props;
  const id = useId();
  const ref = useRef<HTMLFormElement>(null);
  const [search] = useSearchParams();
  const isSent = search.has("sent") && !answer;
  const [errors, setErrors] = useState<ContactErrors>(answer?.errors ?? {});
  const [failure, setFailure] = useState<string>();
  const [posted, setPosted] = useState(answer?.failure ?? null);
  const [sending, setSending] = useState(false);
  const submissionKey = useRef<string>(undefined);
  const shortestFill = useShortestFill();
  const humanCheck = useHumanCheck();
  useFormDraft(ref, "contact-draft", isSent);

  useEffect(() => {
    if (!isSent) return;
    // A reload must not say it again.
    const { pathname, hash } = window.location;
    window.history.replaceState(window.history.state, "", pathname + hash);
  }, [isSent]);

  function followTyping(event: FormEvent<HTMLFormElement>) {
    if (!validate || Object.keys(errors).length === 0) return;
    setErrors(remainingErrors(errors, validate(readMessage(new FormData(event.currentTarget)))));
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const message = readMessage(new FormData(form));
    const found = validate?.(message) ?? {};
    // Render the error before moving focus, so screen readers announce it with the field.
    flushSync(() => {
      setErrors(found);
      setFailure(undefined);
      setPosted(null);
    });
    const firstInvalid = contactFields.find((field) => found[field]);
    if (firstInvalid) {
      form.querySelector<HTMLElement>(`[name="${firstInvalid}"]`)?.focus();
      return;
    }
    const trapped = isTrapped(new FormData(form));
    setSending(true);
    try {
      await shortestFill();
      if (!trapped) await send(message);
      form.reset();
      showToast({ tone: "success", ...sent });
    } catch (error) {
      console.error("Sending the message failed", error);
      const quoted = quoteServer && error instanceof SendError ? error.serverMessage : null;
      const text = quoted ?? sendingFailed;
      setFailure(text);
      showToast({ tone: "error", title: "Uh oh! Something went wrong.", description: text });
    } finally {
      setSending(false);
    }
  }

  async function send(message: ContactMessage) {
    submissionKey.current ??= newSubmissionKey();
    const turnstileToken = await humanCheck.getToken();
    await sendMessage(await getBrowserClient(), message, {
      submissionKey: submissionKey.current,
      turnstileToken,
    });
    submissionKey.current = undefined;
  }

  const field = (name: keyof ContactMessage) => ({
    id: `${id}-${name}`,
    name,
    label: labels[name],
    defaultValue: answer?.message[name],
    error: errors[name],
  });

  return (
    <form
      ref={ref}
      id={contactFormId}
      method="post"
      action={`${action}#${contactFormId}`}
      onSubmit={submit}
      onChange={followTyping}
      onFocus={humanCheck.prepare}
      noValidate={Boolean(validate)}
      className="space-y-5"
    >
      {isSent && (
        <div role="status" className="rounded-md bg-sage p-3">
          <p className="font-semibold">{sent.title}</p>
          <p>{sent.description}</p>
        </div>
      )}
      {posted && <Failure text={posted} />}
      <ErrorSummary fields={contactFields.filter((name) => errors[name]).map(field)} />
      <TextField {...field("name")} autoComplete="name" required />
      <TextField {...field("email")} type="email" autoComplete="email" required />
      <TextField {...field("phone")} type="tel" autoComplete="tel" />
      <TextAreaField {...field("message")} rows={5} required />
      <TrapField />
      <div ref={humanCheck.place} className="empty:hidden" />
      {failure && <Failure text={failure} />}
      <button
        type="submit"
        className={`${buttonClass("primary")} w-full sm:w-auto`}
        disabled={sending}
      >
        {sending ? "Sending..." : "Send Message"}
      </button>
    </form>
  );
}

function Failure({ text }: { text: string }) {
  return (
    <p role="alert" className="rounded-md bg-clay-soft p-3 text-sm font-medium text-danger">
      {text}
    </p>
  );
}
