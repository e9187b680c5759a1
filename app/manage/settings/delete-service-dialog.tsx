import { useId, useState } from "react";
import type { Service } from "../../config/site-schema.ts";
import { buttonClass } from "../../ui/button.ts";
import { Dialog, DialogActions, useOpenDialog } from "../../ui/dialog.tsx";
import { controlClass } from "../../ui/field.tsx";

interface DeleteServiceDialogProps {
  service: Service;
  /** The services that its page can lead to. */
  targets: readonly Service[];
  /** Whether the page may be known to visitors; a new service's page leads nowhere. */
  needsRedirect: boolean;
  /** @param to the slug of a service, "" for /services, null for no redirect */
  onDelete: (to: string | null) => void;
  onCancel: () => void;
}

/** Asks for confirmation and where the page of the deleted service leads to. */
export function DeleteServiceDialog(props: DeleteServiceDialogProps) {
  const { service, targets, needsRedirect, onDelete, onCancel } = props;
  const dialog = useOpenDialog();
  const id = useId();
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
          <label htmlFor={id} className="text-sm font-semibold">
            Where should its page lead?
            <span className="block font-normal text-muted">
              For links to /services/{service.slug} on other sites.
            </span>
          </label>
          <select
            id={id}
            value={to}
            onChange={(event) => setTo(event.target.value)}
            className={controlClass}
          >
            <option value="">All services (/services)</option>
            {targets.map(({ slug, title }) => (
              <option key={slug} value={slug}>
                {title || slug}
              </option>
            ))}
          </select>
        </div>
      )}
      <DialogActions dialog={dialog} className="mt-7">
        <button
          type="button"
          className={buttonClass("danger", "small")}
          onClick={() => onDelete(needsRedirect ? to : null)}
        >
          Delete service
        </button>
      </DialogActions>
    </Dialog>
  );
}
