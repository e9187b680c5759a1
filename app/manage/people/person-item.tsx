import { type FormEvent, useId, useRef, useState } from "react";
import {
  type InvitationOutcome,
  maxNameLength,
} from "../../../supabase/functions/_shared/invitation.ts";
import { roleInfo } from "../../../supabase/functions/_shared/roles.ts";
import { useSendsMail } from "../../config/use-site.ts";
import type { Client } from "../../supabase/client-context.ts";
import { TextField } from "../../ui/field.tsx";
import { FormFailure } from "../../ui/form-errors.tsx";
import { MenuItem, MoreMenu } from "../../ui/menu.tsx";
import { Button } from "../button.tsx";
import { DeleteDialog } from "../delete-button.tsx";
import { Badge } from "../page-parts.tsx";
import { useAction } from "../use-action.ts";
import { FormConflicts, useFollowingForm } from "../versions/following-form.tsx";
import { InvitationResult } from "./invitation-result.tsx";
import { invitePerson, type Person, readPeople, removePerson, savePerson } from "./people.ts";
import { nameOfRole, RoleField } from "./role-field.tsx";

interface PersonItemProps {
  person: Person;
  isSelf: boolean;
  isOnlyOwner: boolean;
  onChanged: () => void;
  onRemoved: () => void;
}

export function PersonItem({ person, isSelf, isOnlyOwner, onChanged, onRemoved }: PersonItemProps) {
  const { id, email, name, role, is_invited } = person;
  const [editing, setEditing] = useState(false);
  const sendsMail = useSendsMail();
  const { isRunning, run } = useAction();
  const [outcome, setOutcome] = useState<InvitationOutcome | null>(null);
  const formId = useId();
  const editButton = useRef<HTMLButtonElement>(null);
  const dialog = useRef<HTMLDialogElement>(null);
  const called = name ?? email;

  function resend() {
    setOutcome(null);
    return run(
      async (client) => setOutcome(await invitePerson(client, { email, role, name: name ?? "" })),
      null,
      { title: "Invitation failed" },
    );
  }

  return (
    <li className="px-4 py-3">
      <div className="flex items-center gap-3">
        <span
          aria-hidden="true"
          className="flex size-9 shrink-0 items-center justify-center rounded-full bg-sand text-sm font-semibold text-muted uppercase"
        >
          {called.slice(0, 1)}
        </span>
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <h3 className="text-base wrap-anywhere">
              <span>{called}</span>
              {isSelf && <span className="font-normal text-muted"> (you)</span>}
            </h3>
            <Badge>{roleInfo[role].name}</Badge>
            {is_invited && <Badge look="warning">Invited</Badge>}
          </div>
          {name && <p className="text-sm text-muted wrap-anywhere">{email}</p>}
        </div>
        <div className="flex shrink-0 items-center">
          <button
            type="button"
            ref={editButton}
            aria-expanded={editing}
            aria-controls={formId}
            className="min-h-10 rounded-md px-2 text-sm font-semibold hover:bg-sand sm:px-3"
            onClick={() => setEditing(!editing)}
          >
            Change<span className="sr-only">{` ${called}`}</span>
          </button>
          {(is_invited || !isSelf) && (
            <MoreMenu of={called}>
              {is_invited && (
                <MenuItem disabled={isRunning} onClick={resend}>
                  {sendsMail ? "Send the invitation again" : "Make a new link"}
                </MenuItem>
              )}
              {!isSelf && (
                <MenuItem look="danger" onClick={() => dialog.current?.showModal()}>
                  Remove
                </MenuItem>
              )}
            </MoreMenu>
          )}
        </div>
      </div>
      <DeleteDialog
        ref={dialog}
        what="person"
        text={`This action cannot be undone. ${called} is signed out everywhere, and the account is deleted. Posts stay.`}
        success={{ title: "Person Removed", description: `${called} can't sign in any more.` }}
        failure={{ title: "Removal Failed" }}
        onDelete={(client) => removePerson(client, id)}
        onDeleted={onRemoved}
      />
      {outcome && <InvitationResult email={email} outcome={outcome} />}
      <div id={formId} hidden={!editing}>
        {editing && (
          <PersonForm
            person={person}
            isOnlyOwner={isOnlyOwner}
            onSaved={() => {
              setEditing(false);
              editButton.current?.focus();
              onChanged();
            }}
          />
        )}
      </div>
    </li>
  );
}

interface PersonFormProps {
  person: Person;
  /** The database does not let the only owner's role change. */
  isOnlyOwner: boolean;
  onSaved: () => void;
}

function PersonForm({ person, isOnlyOwner, onSaved }: PersonFormProps) {
  const { id, name, role } = person;
  const form = useRef<HTMLFormElement>(null);
  const following = useFollowingForm(form, { name: name ?? "", role });
  const { failure, isRunning, run } = useAction();

  async function save(client: Client) {
    const changes = await following.changes(async () => {
      const now = (await readPeople(client)).find((each) => each.id === id);
      return now && { name: now.name ?? "", role: now.role };
    });
    await savePerson(client, id, changes);
    onSaved();
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const success = { title: "Person Saved", description: "The change applies at once." };
    void run(save, success, { title: "Saving failed" });
  }

  return (
    <form ref={form} onSubmit={submit} className="mt-4 space-y-4 border-t border-line pt-4">
      <TextField
        label="Name"
        name="name"
        autoComplete="off"
        maxLength={maxNameLength}
        defaultValue={name ?? ""}
      />
      {isOnlyOwner ? (
        <p className="text-sm text-muted">
          The only owner who has signed in stays an owner. To change this role, make someone else an
          owner, who signs in first.
        </p>
      ) : (
        <RoleField defaultRole={role} />
      )}
      <FormConflicts
        form={following}
        names={{ name: "Name", role: "Role" }}
        textOf={(value, field) => (field === "role" ? nameOfRole(value) : value)}
      />
      <FormFailure text={failure} />
      <Button look="primary" type="submit" disabled={isRunning || following.conflicts.length > 0}>
        {isRunning ? "Saving..." : "Save"}
      </Button>
    </form>
  );
}
