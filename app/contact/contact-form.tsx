import { type FormEvent, useRef, useState } from "react";
import { isTrapped, TrapField } from "../bot-check/trap-field.tsx";
import { useShortestFill } from "../bot-check/use-shortest-fill.ts";
import { getBrowserClient } from "../supabase/browser-client.ts";
import { buttonClass } from "../ui/button.ts";
import { TextAreaField, TextField } from "../ui/field.tsx";
import { showToast } from "../ui/toast.ts";
import type { ContactErrors, ContactMessage } from "./contact-message.ts";
import { newSubmissionKey, SendError, sendingFailed, sendMessage } from "./send-message.ts";
import { useHumanCheck } from "./use-human-check.ts";

interface ContactFormProps {
  /** Our own checks; without them the browser's native ones apply. */
  validate?: (message: ContactMessage) => ContactErrors;
  sent: { title: string; description: string };
  /** Whether a failure is told in the server's words, where it has any. */
  quoteServer?: boolean;
}

const order = ["name", "email", "phone", "message"] as const;

/** The contact form of the contact page and of the home page (sections 2, 4, 5 and 8). */
export function ContactForm({ validate, sent, quoteServer = false }: ContactFormProps) {
  const [errors, setErrors] = useState<ContactErrors>({});
  const [failure, setFailure] = useState<string>();
  const [sending, setSending] = useState(false);
  const submissionKey = useRef<string>(undefined);
  const shortestFill = useShortestFill();
  const humanCheck = useHumanCheck();

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const message = readMessage(form);
    const found = validate?.(message) ?? {};
    setErrors(found);
    setFailure(undefined);
    const firstInvalid = order.find((field) => found[field]);
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

  return (
    <form
      onSubmit={submit}
      onFocus={humanCheck.prepare}
      noValidate={Boolean(validate)}
      className="space-y-5"
    >
      <TextField label="Full Name" name="name" autoComplete="name" required error={errors.name} />
      <TextField
        label="Email Address"
        name="email"
        type="email"
        autoComplete="email"
        required
        error={errors.email}
      />
      <TextField
        label="Phone Number (Optional)"
        name="phone"
        type="tel"
        autoComplete="tel"
        error={errors.phone}
      />
      <TextAreaField label="Your Message" name="message" rows={5} required error={errors.message} />
      <TrapField />
      <div ref={humanCheck.place} className="empty:hidden" />
      {failure && (
        <p role="alert" className="rounded-md bg-clay-soft p-3 text-sm font-medium text-danger">
          {failure}
        </p>
      )}
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

function readMessage(form: HTMLFormElement): ContactMessage {
  const data = new FormData(form);
  const text = (field: string) => String(data.get(field) ?? "").trim();
  return {
    name: text("name"),
    email: text("email"),
    phone: text("phone"),
    message: text("message"),
  };
}
