import { type FormEvent, type RefObject, useId, useState } from "react";
import type { Service } from "../../config/site-schema.ts";
import { Dialog, useOpenDialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Button } from "../button.tsx";
import { DialogActions } from "../confirm-dialog.tsx";
import { SelectField } from "../page-parts.tsx";
import { findSlugProblem, freeSlug, redirectTargets, type Services } from "./services.ts";

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
              <span>Address of the page</span>
              <span className="block font-normal text-muted">After /services/.</span>
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
            {`This is a former address. It will show the new service instead of leading to /services${redirect.to ? `/${redirect.to}` : ""}.`}
          </p>
        )}
        <DialogActions dialog={ref}>
          <Button look="primary" type="submit">
            Add service
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

interface DeleteServiceDialogProps {
  services: Services;
  service: Service;
  /** Whether the page may be known to visitors; a new service's page leads nowhere. */
  needsRedirect: boolean;
  /** @param to the slug of a service, "" for /services, null for no redirect */
  onDelete: (to: string | null) => void;
  onCancel: () => void;
}

export function DeleteServiceDialog(props: DeleteServiceDialogProps) {
  const { services, service, needsRedirect, onDelete, onCancel } = props;
  const dialog = useOpenDialog();
  const [to, setTo] = useState("");

  return (
    <Dialog
      ref={dialog}
      title={`Delete ${service.title || "this service"}?`}
      description="Its texts are removed from the draft. Visitors see no change until you publish. To keep the texts, hide the service instead."
      onClose={onCancel}
    >
      {needsRedirect && (
        <div className="mt-5">
          <SelectField
            label={
              <>
                <span>Where should its page lead?</span>
                <span className="block font-normal text-muted">
                  {`For links to /services/${service.slug} on other sites.`}
                </span>
              </>
            }
            value={to}
            none="All services (/services)"
            options={redirectTargets(services, service.slug).map(
              ({ slug, title }) => [slug, title || slug] as const,
            )}
            onChange={(event) => setTo(event.target.value)}
          />
        </div>
      )}
      <DialogActions dialog={dialog} className="mt-7">
        <Button look="danger" onClick={() => onDelete(needsRedirect ? to : null)}>
          Delete service
        </Button>
      </DialogActions>
    </Dialog>
  );
}
