import type { ReactNode } from "react";
import { serviceCatalogue } from "../../config/service-catalogue.ts";
import { buttonClass } from "../../ui/button.ts";
import { TextAreaField, TextField } from "../../ui/field.tsx";
import type { PostDraft } from "./post-draft.ts";

/** Upper bounds in characters, the same as the CHECKs of the posts table. */
const limits = { title: 500, category: 100 } as const;

interface PostFieldsProps {
  heading: string;
  draft: PostDraft;
  onChange: (changes: Partial<PostDraft>) => void;
  /** The featured image. */
  image: ReactNode;
  /** Said below the content field. */
  contentNote?: string;
  /** What went wrong at the last attempt; stays until the next. */
  failure: ReactNode;
  /** A notice above the form, such as that a draft was restored. */
  notice?: ReactNode;
  submitting: boolean;
  submitLabel: string;
  /** Why the post cannot be submitted now; disables the button. */
  submitBlockedBy?: string;
  onSubmit: () => void;
  onCancel: () => void;
}

/** The fields that creating and editing a post share (section 2). */
export function PostFields(props: PostFieldsProps) {
  const { heading, draft, onChange, image, contentNote, failure, notice } = props;
  const { submitting, submitLabel, submitBlockedBy, onSubmit, onCancel } = props;

  function toggle(slug: string, chosen: boolean) {
    const others = draft.relatedServices.filter((other) => other !== slug);
    onChange({ relatedServices: chosen ? [...others, slug] : others });
  }

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      className="mx-auto max-w-3xl"
    >
      <h1 className="text-3xl">{heading}</h1>
      {notice}
      <div className="mt-8 space-y-6">
        <TextField
          label="Title"
          value={draft.title}
          maxLength={limits.title}
          disabled={submitting}
          onChange={(event) => onChange({ title: event.target.value })}
        />
        <TextField
          label="Category"
          value={draft.category}
          maxLength={limits.category}
          disabled={submitting}
          onChange={(event) => onChange({ category: event.target.value })}
        />
        {image}
        <div>
          <TextAreaField
            label="Content"
            rows={18}
            value={draft.text}
            disabled={submitting}
            onChange={(event) => onChange({ text: event.target.value })}
          />
          <p className="mt-1.5 text-sm text-muted">
            A blank line starts a new paragraph.{contentNote && ` ${contentNote}`}
          </p>
        </div>
        <fieldset disabled={submitting}>
          <legend className="text-sm font-semibold">Related Services</legend>
          <div className="mt-2 grid gap-x-6 gap-y-1 sm:grid-cols-2">
            {serviceCatalogue.map(({ slug, title }) => (
              <label key={slug} className="flex min-h-10 cursor-pointer items-center gap-3">
                <input
                  type="checkbox"
                  checked={draft.relatedServices.includes(slug)}
                  onChange={(event) => toggle(slug, event.target.checked)}
                  className="size-5 accent-evergreen"
                />
                {title}
              </label>
            ))}
          </div>
        </fieldset>
      </div>
      {failure && (
        <div role="alert" className="mt-8 rounded-md bg-clay-soft p-4 font-medium text-danger">
          {failure}
        </div>
      )}
      <div className="mt-8 flex flex-wrap items-center justify-end gap-3 border-t border-line pt-6">
        {submitBlockedBy && <p className="mr-auto text-sm text-muted">{submitBlockedBy}</p>}
        <button
          type="button"
          className={buttonClass("secondary")}
          onClick={onCancel}
          disabled={submitting}
        >
          Cancel
        </button>
        <button
          type="submit"
          className={buttonClass("primary")}
          disabled={submitting || submitBlockedBy !== undefined}
        >
          {submitLabel}
        </button>
      </div>
    </form>
  );
}

/** Says that what was typed before is here again. */
export function RestoredNotice({ onDiscard }: { onDiscard: () => void }) {
  return (
    <div
      role="status"
      className="mt-6 flex flex-wrap items-center justify-between gap-3 rounded-md bg-sage p-4"
    >
      <p>What you had typed before is here again. It is not saved yet.</p>
      <button type="button" className={buttonClass("secondary", "small")} onClick={onDiscard}>
        Discard it
      </button>
    </div>
  );
}
