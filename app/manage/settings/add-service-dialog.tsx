import { type FormEvent, type RefObject, useId, useState } from "react";
import { buttonClass } from "../../ui/button.ts";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { findSlugProblem, freeSlug, type Services } from "./services.ts";

interface AddServiceDialogProps {
  ref: RefObject<HTMLDialogElement | null>;
  services: Services;
  onAdd: (slug: string, title: string) => void;
}

/** Asks for the title and the address of a new service. The address follows the title until it is changed. */
export function AddServiceDialog({ ref, services, onAdd }: AddServiceDialogProps) {
  const id = useId();
  const [title, setTitle] = useState("");
  const [typedSlug, setTypedSlug] = useState<string | null>(null);
  const [submitted, setSubmitted] = useState(false);
  const slug = typedSlug ?? (title.trim() ? freeSlug(services, title) : "");
  const titleProblem = title.trim() ? undefined : "Please enter a title.";
  const slugProblem = slug ? (findSlugProblem(services, slug) ?? undefined) : "Please enter it.";
  const redirect = services.redirects.find(({ from }) => from === slug);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setSubmitted(true);
    if (titleProblem || slugProblem) {
      document.getElementById(titleProblem ? `${id}-title` : `${id}-slug`)?.focus();
      return;
    }
    ref.current?.close();
    onAdd(slug, title.trim());
  }

  function reset() {
    setTitle("");
    setTypedSlug(null);
    setSubmitted(false);
  }

  return (
    <Dialog
      ref={ref}
      title="Add a service"
      description="It gets a card and a page of its own."
      onClose={reset}
    >
      <form noValidate onSubmit={submit} className="mt-5 space-y-5">
        <TextField
          id={`${id}-title`}
          label="Title"
          value={title}
          maxLength={120}
          error={submitted ? titleProblem : undefined}
          onChange={(event) => setTitle(event.target.value)}
        />
        <TextField
          id={`${id}-slug`}
          label={
            <>
              Address of the page
              <span className="block font-normal text-muted">
                After /services/. It cannot be changed later.
              </span>
            </>
          }
          value={slug}
          maxLength={80}
          autoCapitalize="none"
          spellCheck={false}
          error={submitted || typedSlug !== null ? slugProblem : undefined}
          onChange={(event) => setTypedSlug(event.target.value.trim().toLowerCase())}
        />
        {redirect && (
          <p className="text-sm text-muted">
            This is the address of a deleted service. It will show the new service instead of
            leading to /services{redirect.to && `/${redirect.to}`}.
          </p>
        )}
        <DialogActions dialog={ref}>
          <button type="submit" className={buttonClass("primary", "small")}>
            Add service
          </button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
