import { ChevronDown } from "lucide";
import type { ReactNode } from "react";
import { generatedTagline } from "../../posts/post-content.ts";
import { generatedAlt } from "../../posts/posts.ts";
import { slugify } from "../../posts/slugify.ts";
import { TextAreaField, TextField } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.ts";
import { type PostDraft, postLimits } from "./post-schema.ts";
import { toSlugCharacters } from "./slug.ts";

interface PostDetailsProps {
  draft: PostDraft;
  disabled: boolean;
  onChange: (changes: Partial<PostDraft>) => void;
}

/** The texts that are generated from the title while they are empty. */
export function PostDetails({ draft, disabled, onChange }: PostDetailsProps) {
  const title = draft.title.trim();
  const hasOwn = draft.tagline || draft.alt || draft.slug;
  return (
    <details className="group rounded-md border border-line bg-surface">
      <summary className="flex min-h-12 cursor-pointer items-center gap-x-2 px-4 py-2 font-semibold">
        <Icon
          drawing={ChevronDown}
          className="size-5 shrink-0 -rotate-90 text-muted group-open:rotate-0"
        />
        Details
        <span className="text-sm font-normal text-muted">
          {hasOwn ? "some are your own" : "made from the headline"}
        </span>
      </summary>
      <div className="space-y-6 border-t border-line p-4">
        <Detail hint="Shown by search engines and in feeds. While it is empty, they show how the text begins.">
          <TextAreaField
            label="Tagline"
            rows={2}
            value={draft.tagline}
            maxLength={postLimits.tagline}
            placeholder={title && generatedTagline(title)}
            disabled={disabled}
            onChange={(event) => onChange({ tagline: event.target.value.replace(/\n/g, " ") })}
          />
        </Detail>
        <Detail hint="Describes the featured image to people who cannot see it.">
          <TextField
            label="Alternative text"
            value={draft.alt}
            maxLength={postLimits.alt}
            placeholder={title && generatedAlt(title)}
            disabled={disabled}
            onChange={(event) => onChange({ alt: event.target.value })}
          />
        </Detail>
        <Detail
          hint={`The end of /blog/${draft.slug || slugify(title)}: letters, digits, hyphens and underscores. A number is added when another post has it. Former addresses lead to the new one.`}
        >
          <TextField
            label="Address"
            value={draft.slug}
            maxLength={postLimits.slug}
            placeholder={slugify(title)}
            autoCapitalize="none"
            spellCheck={false}
            disabled={disabled}
            onChange={(event) => onChange({ slug: toSlugCharacters(event.target.value) })}
          />
        </Detail>
      </div>
    </details>
  );
}

function Detail({ hint, children }: { hint: string; children: ReactNode }) {
  return (
    <div>
      {children}
      <p className="mt-1.5 text-sm text-muted [overflow-wrap:anywhere]">{hint}</p>
    </div>
  );
}
