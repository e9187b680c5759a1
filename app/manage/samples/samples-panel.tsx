import { useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { setSiteOutdated } from "../../config/refresh-site.ts";
import { useSite } from "../../config/use-site.ts";
import { messageOf } from "../../forms/use-form-submit.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import type { Client } from "../../supabase/client-context.ts";
import { buttonClass } from "../../ui/button.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { LoadFailure } from "../../ui/load-state.tsx";
import { showToast } from "../../ui/toast.ts";
import { useLiveValue } from "../live-value.ts";
import { readSamples, removeSamples, restoreSamples, type SampleContent } from "./samples.ts";

interface SamplesPanelProps {
  /** For a page that has a heading of its own. */
  hideHeading?: boolean;
  onRemoved?: () => void;
}

/** Removes all sample content in one step, and puts it back. For owners. */
export function SamplesPanel({ hideHeading = false, onRemoved }: SamplesPanelProps) {
  const { isDefault, testimonials } = useSite();
  const { revalidate } = useRevalidator();
  const dialog = useRef<HTMLDialogElement>(null);
  const section = useRef<HTMLElement>(null);
  const samples = useLiveValue(readSamples);
  const content = samples.state === "loaded" ? samples.value : null;
  const [busy, setBusy] = useState(false);
  const [includeEdited, setIncludeEdited] = useState(false);

  async function change(
    work: (client: Client) => Promise<SampleContent>,
    success: { title: string; description: string },
    failure: string,
    onSuccess?: () => void,
  ): Promise<void> {
    setBusy(true);
    try {
      const changed = await work(await getBrowserClient());
      if (samples.state === "loaded") samples.replace(changed);
      setIncludeEdited(false);
      dialog.current?.close();
      showToast({ tone: "success", ...success });
      // The focused button is replaced.
      section.current?.focus();
      setSiteOutdated(true);
      onSuccess?.();
      revalidate();
    } catch (error) {
      dialog.current?.close();
      showToast({ tone: "error", title: failure, description: messageOf(error) });
    } finally {
      setBusy(false);
    }
  }

  // The page may still show the settings from before the last change.
  const hasStatic = content?.showsSamples ?? testimonials.samples;
  const remove = () =>
    change(
      (client) => {
        // The removal publishes what is shown, which must not be the fictional firm's.
        const shown = isDefault ? { ...testimonials, lead: "" } : testimonials;
        return removeSamples(client, shown, includeEdited);
      },
      { title: "Sample content removed", description: "You can put it back for 30 days." },
      "Removing failed",
      onRemoved,
    );
  const restore = () =>
    change(
      restoreSamples,
      { title: "Sample content restored", description: "The samples are on the site again." },
      "Restoring failed",
    );

  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-label="Sample content"
      className="rounded-lg border border-line bg-surface p-5 outline-none sm:p-6"
    >
      {!hideHeading && <h2 className="mb-2 font-sans text-lg font-semibold">Sample content</h2>}
      {content ? (
        <>
          <p role="status" className="max-w-2xl text-muted">
            {describe(content, hasStatic)}
          </p>
          {content.editedPosts > 0 && (
            <label className="mt-4 flex min-h-6 items-start gap-3">
              <input
                type="checkbox"
                className="mt-1 size-4 accent-evergreen"
                checked={includeEdited}
                onChange={(event) => setIncludeEdited(event.currentTarget.checked)}
              />
              <span>
                Also remove the {count(content.editedPosts, "sample post")} that you have edited
              </span>
            </label>
          )}
          <div className="mt-4 flex flex-wrap gap-3">
            {hasSamples(content, hasStatic, includeEdited) && (
              <button
                type="button"
                className={buttonClass("quietDanger", "small")}
                disabled={busy}
                onClick={() => dialog.current?.showModal()}
              >
                Remove all sample content
              </button>
            )}
            {content.removedAt && (
              <button
                type="button"
                className={buttonClass("secondary", "small")}
                disabled={busy}
                onClick={restore}
              >
                {busy ? "Restoring..." : "Undo: put the samples back"}
              </button>
            )}
          </div>
          <ConfirmDialog
            ref={dialog}
            title="Remove all sample content?"
            text={`This removes ${listOf(content, hasStatic, includeEdited)} from the site, with their images. You can undo it for 30 days.`}
            confirm="Remove"
            busy={busy}
            onConfirm={remove}
          />
        </>
      ) : samples.state === "failed" ? (
        <LoadFailure what="The sample content" onRetry={samples.retry} />
      ) : (
        <p role="status" className="text-muted">
          Counting the sample content...
        </p>
      )}
    </section>
  );
}

function removablePosts({ posts, editedPosts }: SampleContent, includeEdited: boolean): number {
  return includeEdited ? posts : posts - editedPosts;
}

function hasSamples(content: SampleContent, hasStatic: boolean, includeEdited: boolean): boolean {
  return hasStatic || content.testimonials > 0 || removablePosts(content, includeEdited) > 0;
}

/** "8 sample posts and 12 sample testimonials" */
function listOf(content: SampleContent, hasStatic: boolean, includeEdited: boolean): string {
  const posts = removablePosts(content, includeEdited);
  const testimonials = content.testimonials + (hasStatic ? 5 : 0);
  const parts = [
    posts > 0 && count(posts, "sample post"),
    testimonials > 0 && count(testimonials, "sample testimonial"),
  ];
  return parts.filter(Boolean).join(" and ");
}

function describe(content: SampleContent, hasStatic: boolean): string {
  const shown = listOf(content, hasStatic, true);
  if (shown) {
    return `The site shows ${shown}. Their people are invented, so remove them before real visitors come.`;
  }
  return content.removedAt
    ? "The sample content is removed. You can put it back for 30 days."
    : "The site shows no sample content.";
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}
