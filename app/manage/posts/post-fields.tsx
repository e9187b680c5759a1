import type { ReactNode } from "react";
import { useSite } from "../../config/use-site.ts";
import { TextField } from "../../ui/field.tsx";
import { ContentField } from "./content-field.tsx";
import { PostDetails } from "./post-details.tsx";
import { type PostDraft, postLimits } from "./post-schema.ts";

interface PostFieldsProps {
  draft: PostDraft;
  disabled: boolean;
  /** The image field, and who signs the post. */
  image: ReactNode;
  onChange: (changes: Partial<PostDraft>) => void;
}

export function PostFields({ draft, disabled, image, onChange }: PostFieldsProps) {
  const { services } = useSite();

  function toggleService(slug: string, chosen: boolean) {
    const others = draft.relatedServices.filter((other) => other !== slug);
    onChange({ relatedServices: chosen ? [...others, slug] : others });
  }

  return (
    <div className="mt-8 space-y-6 *:max-w-3xl *:data-wide:max-w-none">
      <TextField
        label="Title"
        value={draft.title}
        maxLength={postLimits.title}
        disabled={disabled}
        onChange={(event) => onChange({ title: event.target.value })}
      />
      <TextField
        label="Category"
        value={draft.category}
        maxLength={postLimits.category}
        disabled={disabled}
        onChange={(event) => onChange({ category: event.target.value })}
      />
      {image}
      <ContentField
        value={draft.text}
        disabled={disabled}
        onChange={(text) => onChange({ text })}
      />
      <fieldset disabled={disabled}>
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
      <PostDetails draft={draft} disabled={disabled} onChange={onChange} />
    </div>
  );
}
