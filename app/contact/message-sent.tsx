import type { Ref } from "react";
import { useSite } from "../config/use-site.ts";
import { buttonClass } from "../ui/button-class.ts";
import { ConsultationLink } from "../ui/consultation-link.tsx";
import { contactFormId } from "./contact-action.ts";

interface MessageSentProps {
  ref: Ref<HTMLDivElement>;
  title: string;
  /** Null when a toast has said thanks already. */
  thanks: string | null;
  /** The page of the form, which a browser without scripts opens again. */
  action: string;
  onWriteAnother: () => void;
}

/** Stands in the place of the form after a message: what happens next, when, and a time to pick. */
export function MessageSent({ ref, title, thanks, action, onWriteAnother }: MessageSentProps) {
  const { adviser, contact } = useSite();
  return (
    <div ref={ref} tabIndex={-1} role={thanks ? "status" : undefined} className="outline-none">
      <h2 className="text-2xl">{title}</h2>
      {thanks && <p className="mt-2 text-lg">{thanks}</p>}
      <div className="mt-6 space-y-1 border-t border-line pt-6">
        <h3 className="font-sans text-base font-semibold">What happens next</h3>
        <p>{`${adviser.fullName} reads your message and answers it.`}</p>
        {contact.answerTime && <p>{contact.answerTime}</p>}
      </div>
      {contact.schedulingUrl && (
        <div className="mt-6">
          <h3 className="font-sans text-base font-semibold">If you would rather talk</h3>
          <p className="mt-1">Choose a day and an hour. You need not wait for the answer.</p>
          <ConsultationLink className={`${buttonClass("primary")} mt-4 w-full sm:w-auto`}>
            Pick a time
          </ConsultationLink>
        </div>
      )}
      <form
        action={`${action.replace("?index", "")}#${contactFormId}`}
        className="mt-6 border-t border-line pt-4"
        onSubmit={(event) => {
          event.preventDefault();
          onWriteAnother();
        }}
      >
        <button
          type="submit"
          className="py-1 font-semibold text-evergreen underline decoration-clay decoration-2 underline-offset-4"
        >
          Write another message
        </button>
      </form>
    </div>
  );
}
