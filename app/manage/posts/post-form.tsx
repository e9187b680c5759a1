import type { ReactNode } from "react";
import { useNavigate } from "react-router";
import { useSite } from "../../config/use-site.ts";
import { buttonClass } from "../../ui/button.ts";
import { TextAreaField, TextField } from "../../ui/field.tsx";
import { LeaveGuard } from "../leave-guard.tsx";
import { postLimits } from "./post-schema.ts";
import type { PostFormState } from "./use-post-form.ts";

interface PostFormProps {
  form: PostFormState;
  heading: string;
  /** The image field. */
  image: ReactNode;
  /** Whether the image differs from the stored one. */
  imageChanged: boolean;
  /** The last failure, until the next attempt. */
  failure: ReactNode;
  submitLabel: string;
  /** Why the post cannot be submitted now; disables the button. */
  submitBlockedBy?: string;
  onSubmit: () => void;
  /** Where Cancel goes. */
  cancelPath: string;
  onDiscard: () => void;
}

/** The form of a new and of an edited post (section 2). */
export function PostForm(props: PostFormProps) {
  const { services } = useSite();
  const { form, heading, image, imageChanged, failure, onDiscard } = props;
  const { submitLabel, submitBlockedBy, onSubmit, cancelPath } = props;
  const { draft, restored, submitting, settled, change } = form;
  const navigate = useNavigate();

  function toggleService(slug: string, chosen: boolean) {
    const others = draft.relatedServices.filter((other) => other !== slug);
    change({ relatedServices: chosen ? [...others, slug] : others });
  }

  return (
    <>
      <LeaveGuard
        hasUnsavedChanges={() => !settled.current && (form.isChanged || imageChanged)}
        title="Leave without saving?"
        text="What you changed in this post has not been saved. Leaving discards it."
        confirm="Discard and leave"
        onLeave={() => {
          settled.current = true;
          onDiscard();
        }}
      />
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
        className="mx-auto max-w-3xl"
      >
        <h1 className="text-3xl">{heading}</h1>
        {restored && <RestoredNotice onDiscard={onDiscard} />}
        <div className="mt-8 space-y-6">
          <TextField
            label="Title"
            value={draft.title}
            maxLength={postLimits.title}
            disabled={submitting}
            onChange={(event) => change({ title: event.target.value })}
          />
          <TextField
            label="Category"
            value={draft.category}
            maxLength={postLimits.category}
            disabled={submitting}
            onChange={(event) => change({ category: event.target.value })}
          />
          {image}
          <div>
            <TextAreaField
              label="Content"
              rows={18}
              value={draft.text}
              disabled={submitting}
              onChange={(event) => change({ text: event.target.value })}
            />
            <ContentHint />
          </div>
          <fieldset disabled={submitting}>
            <legend className="text-sm font-semibold">Related Services</legend>
            <div className="mt-2 grid gap-x-6 gap-y-1 sm:grid-cols-2">
              {services.map(({ slug, title }) => (
                <label key={slug} className="flex min-h-10 cursor-pointer items-center gap-3">
                  <input
                    type="checkbox"
                    checked={draft.relatedServices.includes(slug)}
                    onChange={(event) => toggleService(slug, event.target.checked)}
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
            onClick={() => navigate(cancelPath)}
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
    </>
  );
}

/** What can be written in the content field (blocks-to-text.ts). */
const examples = [
  ["## Heading", "a heading"],
  ["- item", "a list"],
  ["1. item", "a numbered list"],
  ["> words", "a quote"],
  ["!! words", "a 'Remember this' box"],
  ["**words**", "bold"],
  ["*words*", "italic"],
  ["[words](https://…)", "a link"],
] as const;

function ContentHint() {
  return (
    <div className="mt-1.5 text-sm text-muted">
      <p>A blank line starts a new paragraph. You can also write:</p>
      <ul className="mt-1 flex flex-wrap gap-x-5 gap-y-1">
        {examples.map(([example, result]) => (
          <li key={example}>
            <code className="rounded-sm bg-sand px-1 text-ink">{example}</code> {result}
          </li>
        ))}
      </ul>
    </div>
  );
}

function RestoredNotice({ onDiscard }: { onDiscard: () => void }) {
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
