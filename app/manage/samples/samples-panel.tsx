import { useRef, useState } from "react";
import { count } from "../../config/checks/checks.ts";
import { setSiteOutdated } from "../../config/refresh-site.ts";
import { builtInSamples } from "../../config/site.ts";
import { useSite } from "../../config/use-site.ts";
import { LoadFailure } from "../../ui/load-state.tsx";
import { DeleteButton } from "../delete-button.tsx";
import { type LiveQuery, replaceValue, useLiveQuery, useReload } from "../live-query.ts";
import { Choice } from "../page-parts.tsx";
import { readSamples, removeSamples, type SampleContent } from "./samples.ts";

interface SamplesPanelProps {
  hideHeading?: boolean;
  onRemoved?: () => void;
}

const samplesQuery: LiveQuery<SampleContent> = {
  key: ["the sample content"],
  read: readSamples,
  tables: ["posts", "testimonials", "public_site_settings"],
};

/** Removes all sample content in one step. For owners. */
export function SamplesPanel({ hideHeading = false, onRemoved }: SamplesPanelProps) {
  const { isDefault, testimonials } = useSite();
  const reload = useReload();
  const section = useRef<HTMLElement>(null);
  const { value: content, failures, retry } = useLiveQuery(samplesQuery);
  const [includeEdited, setIncludeEdited] = useState(false);
  const [keepPosts, setKeepPosts] = useState(false);
  // The page may still show the settings from before the last change.
  const hasStatic = content?.shows_samples ?? testimonials.samples;
  const shown = content && listOf(content, hasStatic, true);
  const removable = content && listOf(content, hasStatic, includeEdited);

  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-label="Sample content"
      className="rounded-lg border border-line bg-surface p-5 outline-none sm:p-6"
    >
      {!hideHeading && <h2 className="mb-2 font-sans text-lg font-semibold">Sample content</h2>}
      {failures > 0 ? (
        <LoadFailure what="The sample content" onRetry={retry} />
      ) : (
        <p role="status" className="max-w-2xl text-muted">
          {shown === undefined
            ? "Counting the sample content..."
            : shown
              ? `The site has ${shown}. Their people are invented, so remove them before real visitors come.`
              : "The site has no sample content."}
        </p>
      )}
      {content && content.edited_posts > 0 && (
        <Choice
          type="checkbox"
          className="mt-4"
          checked={includeEdited}
          onChange={(event) => setIncludeEdited(event.currentTarget.checked)}
        >
          {`Also remove the ${count(content.edited_posts, "sample post")} that you have edited`}
        </Choice>
      )}
      {content && content.posts > 0 && (
        <Choice
          type="checkbox"
          className="mt-4"
          checked={keepPosts}
          onChange={(event) => setKeepPosts(event.currentTarget.checked)}
        >
          Keep the posts as drafts under my name, to rewrite them
        </Choice>
      )}
      {removable && (
        <DeleteButton
          label="Remove all sample content"
          what="sample content"
          title="Remove all sample content?"
          text={`This removes ${removable} from the site. ${keepPosts ? "The posts become your drafts, which visitors do not see." : "You can restore the posts under Posts, Deleted for 30 days."} The testimonials can't be restored.`}
          confirm="Remove"
          className="mt-4"
          success={{
            title: "Sample content removed",
            description: keepPosts
              ? "The posts are your drafts now."
              : "The posts can be restored for 30 days.",
          }}
          failure={{ title: "Removing failed" }}
          onDelete={async (client) => {
            // The removal publishes the shown texts, which must not be the fictional firm's.
            const current = isDefault ? { ...testimonials, lead: "" } : testimonials;
            const left = await removeSamples(client, current, {
              includeEdited,
              keepPosts,
            });
            replaceValue(samplesQuery.key, left);
          }}
          onDeleted={() => {
            setIncludeEdited(false);
            setKeepPosts(false);
            // Moves the focus, because the focused button is removed.
            section.current?.focus();
            setSiteOutdated(true);
            onRemoved?.();
            reload();
          }}
        />
      )}
    </section>
  );
}

/** "8 sample posts and 12 sample testimonials", or nothing */
function listOf(content: SampleContent, hasStatic: boolean, includeEdited: boolean): string {
  const posts = content.posts - (includeEdited ? 0 : content.edited_posts);
  const testimonials = content.testimonials + (hasStatic ? builtInSamples : 0);
  const parts = [
    posts > 0 && count(posts, "sample post"),
    testimonials > 0 && count(testimonials, "sample testimonial"),
  ];
  return parts.filter(Boolean).join(" and ");
}
