import { type FormEvent, useRef } from "react";
import { Dialog } from "../../ui/dialog.tsx";
import { Button } from "../button.tsx";
import { DialogActions } from "../confirm-dialog.tsx";
import { useAction } from "../use-action.ts";
import { changeTestimonial, refusal, type StoredTestimonial } from "./manage-testimonials.ts";
import { type RefusalReason, refusalReasons } from "./refusal-reasons.ts";

// Object.keys returns string[]; the object has exactly these keys.
const reasons = Object.keys(refusalReasons) as RefusalReason[];

interface RefuseButtonProps {
  testimonial: StoredTestimonial;
  onRefused: () => void;
}

/** Refuses a testimonial, or takes it off the site, for a reason of the list. */
export function RefuseButton({ testimonial, onRefused }: RefuseButtonProps) {
  const { id, name, approved_at } = testimonial;
  const dialog = useRef<HTMLDialogElement>(null);
  const { isRunning, run } = useAction();
  const label = approved_at ? "Take off the site" : "Refuse";

  async function refuse(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const chosen = new FormData(event.currentTarget).get("reason");
    const reason = reasons.find((each) => each === chosen);
    if (!reason) return;
    await run(
      async (client) => {
        await changeTestimonial(client, id, refusal(reason));
        dialog.current?.close();
        onRefused();
      },
      { title: "Review refused", description: `The review by ${name} is kept under 'Refused'.` },
      { title: "Refusing failed" },
    );
  }

  return (
    <>
      <Button of={`the review by ${name}`} onClick={() => dialog.current?.showModal()}>
        {label}
      </Button>
      <Dialog
        ref={dialog}
        title={approved_at ? "Why does it leave the site?" : "Why is it refused?"}
        description="The review is kept with the reason, and you can approve it later. Few stars are no reason."
      >
        <form onSubmit={refuse} className="mt-5">
          <fieldset className="grid gap-1">
            <legend className="sr-only">Reason</legend>
            {reasons.map((reason) => (
              <label key={reason} className="flex min-h-10 cursor-pointer items-center gap-3">
                <input
                  type="radio"
                  name="reason"
                  value={reason}
                  required
                  className="size-5 shrink-0 accent-evergreen"
                />
                {refusalReasons[reason]}
              </label>
            ))}
          </fieldset>
          <DialogActions dialog={dialog} className="mt-7">
            <Button type="submit" look="danger" disabled={isRunning}>
              {label}
            </Button>
          </DialogActions>
        </form>
      </Dialog>
    </>
  );
}
