import { useRef, useState } from "react";
import { contactMessages as lengths } from "../../../supabase/functions/_shared/database-limits.ts";
import { TextAreaField } from "../../ui/field.tsx";
import { showToast } from "../../ui/toast.ts";
import { Button } from "../button.tsx";
import { Alert } from "../page-parts.tsx";
import { useAction } from "../use-action.ts";
import { getMessage, type Message, saveNote } from "./messages.ts";
import { type NoteDraft, readNoteDraft, storeNoteDraft } from "./note-draft.ts";

interface MessageNoteProps {
  message: Message;
  onChanged: (changes: Partial<Message>) => void;
}

/** The note of an opened message. Unsaved text stays in this browser until it is saved or discarded. */
export function MessageNote({ message, onChanged }: MessageNoteProps) {
  const { id, name, note, noted_at } = message;
  const [draft, setDraft] = useState(() => readNoteDraft(id));
  /** The draft at any time, also while a save is awaited. */
  const latest = useRef(draft);
  const { isRunning: saving, failure, run } = useAction();
  const saveButton = useRef<HTMLButtonElement>(null);
  const text = draft?.text ?? note ?? "";
  const isConflict = draft !== null && draft.version !== noted_at;

  function edit(next: NoteDraft | null) {
    latest.current = next;
    setDraft(next);
    storeNoteDraft(id, next);
  }

  const canSave = draft !== null && !saving;

  async function save() {
    if (!draft || !canSave) return;
    await run(
      async (client) => {
        // A conflict is shown, so this replaces the other note knowingly.
        const saved = await saveNote(client, id, draft.text, noted_at);
        if (saved) {
          // Text that was typed during the save becomes a draft based on the saved note.
          const rest = latest.current?.text ?? draft.text;
          edit(rest === draft.text ? null : { text: rest, version: saved.noted_at });
          showToast({ tone: "success", title: "Note Saved" });
        }
        // The note was changed elsewhere when no row was saved: load it, so that the form shows the conflict.
        onChanged(saved ?? (await getMessage(client, id)));
      },
      null,
      {
        title: "The note could not be saved",
        description: "Your text stays in this browser. Check your connection and save it again.",
      },
    );
  }

  return (
    <form
      className="mt-6 max-w-prose"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      {isConflict && (
        <div role="alert" className="mb-3 rounded-md bg-clay-soft p-3 text-sm">
          <p className="font-medium text-danger">
            {note === null
              ? "This note was removed in another window while you were writing."
              : "This note was changed in another window while you were writing. Saving replaces it:"}
          </p>
          <p className="mt-2 whitespace-pre-wrap wrap-anywhere empty:hidden">{note}</p>
        </div>
      )}
      <TextAreaField
        label={
          <>
            <span>Note</span>
            <span className="sr-only">{` about the message from ${name}`}</span>
            <span className="font-normal text-muted">
              {" "}
              (seen only by people who manage this site)
            </span>
          </>
        }
        rows={text === "" ? 2 : 4}
        maxLength={lengths.note}
        value={text}
        onChange={({ target }) =>
          edit(
            !isConflict && target.value === (note ?? "")
              ? null
              : { text: target.value, version: draft ? draft.version : noted_at },
          )
        }
      />
      {text.length > lengths.note - 200 && (
        <p className="mt-1.5 text-sm text-muted">{`${lengths.note - text.length} characters left.`}</p>
      )}
      <div className="mt-3 flex flex-wrap items-center gap-3">
        <Button
          className="aria-disabled:opacity-60"
          ref={saveButton}
          type="submit"
          // A disabled button would lose the keyboard focus.
          aria-disabled={!canSave}
        >
          {saving ? "Saving..." : "Save note"}
        </Button>
        {draft && (
          <>
            <Button
              onClick={() => {
                // The pressed button disappears.
                saveButton.current?.focus();
                edit(null);
              }}
            >
              Discard changes
            </Button>
            {!saving && !failure && <p className="text-sm text-muted">Not saved yet</p>}
          </>
        )}
      </div>
      <Alert text={failure} />
    </form>
  );
}
