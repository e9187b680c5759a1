import { type ChangeEvent, type ComponentProps, type ReactNode, useId } from "react";
import { toOneLine } from "../../../supabase/functions/_shared/one-line.ts";
import { type ServiceLink, useSite } from "../../config/use-site.ts";
import { listCategories } from "../../posts/categories.ts";
import { isRelated } from "../../posts/post-content.ts";
import { slugify } from "../../posts/slugify.ts";
import { TextAreaField, TextField } from "../../ui/field.tsx";
import { ContentField, contentSelector } from "../content/content-field.tsx";
import { useLiveQuery } from "../live-query.ts";
import { Choice, SelectField } from "../page-parts.tsx";
import { readWritersSettings } from "../versions/approvals.ts";
import type { Kind } from "./kinds.ts";
import { labelsOf, type PostDraft, type PostErrors, postLimits } from "./post-schema.ts";
import { toSlugCharacters } from "./slug.ts";

interface FieldProps {
  draft: PostDraft;
  kind: Kind;
  disabled: boolean;
  errors: PostErrors;
  onChange: (changes: Partial<PostDraft>) => void;
}

interface PostTextProps extends FieldProps {
  content: Pick<ComponentProps<typeof ContentField>, "onChange" | "onUploading" | "onTitle">;
}

interface PostSettingsProps extends FieldProps {
  /** The name of the writer of an unpublished post; null hides the choice of the author. */
  ownName: string | null;
  image: ReactNode;
}

type TextName = "title" | "category" | "tagline" | "alt";

/** What the fields of texts of one line share. */
function textProps({ draft, disabled, onChange }: FieldProps, name: TextName) {
  return {
    value: draft[name],
    maxLength: postLimits[name],
    disabled,
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      onChange({ [name]: toOneLine(target.value) }),
  };
}

/** The title and the text. */
export function PostText(props: PostTextProps) {
  const { draft, kind, disabled, errors, content } = props;
  const id = useId();
  return (
    <>
      <div data-invalid={errors.title ? "" : undefined}>
        <label htmlFor={id} className="sr-only">
          {labelsOf(kind).title}
        </label>
        {/* Grows with its text, which post-editor.css repeats behind it. */}
        <div className="post-title" data-text={draft.title}>
          <textarea
            {...textProps(props, "title")}
            id={id}
            rows={1}
            placeholder="Title"
            aria-invalid={errors.title ? true : undefined}
            aria-describedby={errors.title && `${id}-error`}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
              // The text follows.
              event.preventDefault();
              document.querySelector<HTMLElement>(contentSelector)?.focus();
            }}
          />
        </div>
        <FieldError id={`${id}-error`} text={errors.title} />
      </div>
      <ContentField
        {...content}
        content={draft.content}
        disabled={disabled}
        error={errors.content}
      />
    </>
  );
}

function FieldError({ id, text }: { id?: string; text: string | undefined }) {
  if (!text) return null;
  return (
    <p id={id} className="mt-1.5 text-sm font-medium text-danger">
      {text}
    </p>
  );
}

/** Everything but the words: beside the text, or below it. */
export function PostSettings(props: PostSettingsProps) {
  const { draft, kind, disabled, ownName, errors, image, onChange } = props;
  const labels = labelsOf(kind);
  const { services } = useSite();
  const { value: categories = [] } = useLiveQuery({ key: ["categories"], read: listCategories });

  function toggleService(service: ServiceLink, chosen: boolean) {
    const others = draft.relatedServices.filter((other) => !isRelated(service, [other]));
    onChange({ relatedServices: chosen ? [...others, service.slug] : others });
  }

  return (
    <>
      {kind.inBlog && (
        <>
          <div className={panelPart} data-invalid={errors.imageUrl ? "" : undefined}>
            <div className="max-w-md">{image}</div>
            <FieldError text={errors.imageUrl} />
            {(draft.imageUrl || draft.alt) && (
              <Detail hint="What the image shows, for people who cannot see it.">
                <TextField
                  label={labels.alt}
                  {...textProps(props, "alt")}
                  error={errors.alt}
                  placeholder={draft.title.trim() && kind.alt(draft.title.trim())}
                />
              </Detail>
            )}
          </div>
          <div className={panelPart}>
            <div data-invalid={errors.category ? "" : undefined}>
              <TextField
                label={labels.category}
                {...textProps(props, "category")}
                error={errors.category}
                list="post-categories"
              />
              <datalist id="post-categories">
                {categories.map(({ name }) => (
                  <option key={name} value={name} />
                ))}
              </datalist>
            </div>
            {ownName !== null && (
              <AuthorField
                label={labels.author}
                ownName={ownName}
                author={draft.author || ownName}
                disabled={disabled}
                onChange={(author) => onChange({ author })}
              />
            )}
          </div>
          <fieldset disabled={disabled} className={panelPart}>
            <legend className="float-left text-sm font-semibold">{labels.relatedServices}</legend>
            <div className="clear-both sm:max-lg:grid sm:max-lg:grid-cols-2">
              {services.map((service) => (
                <Choice
                  key={service.slug}
                  type="checkbox"
                  className="text-sm"
                  checked={isRelated(service, draft.relatedServices)}
                  onChange={(event) => toggleService(service, event.target.checked)}
                >
                  {service.title}
                </Choice>
              ))}
            </div>
          </fieldset>
        </>
      )}
      <PostDetails {...props} />
    </>
  );
}

/** A part of the panel, between lines. */
export const panelPart = "space-y-4 border-b border-line px-4 py-5 sm:px-8 lg:px-5";

interface AuthorFieldProps {
  label: string;
  ownName: string;
  author: string;
  disabled: boolean;
  onChange: (author: string) => void;
}

function AuthorField({ label, ownName, author, disabled, onChange }: AuthorFieldProps) {
  const { value: blog } = useLiveQuery({
    key: ["the settings of the blog"],
    read: readWritersSettings,
    tables: ["public_site_settings"],
  });
  if (!blog?.authors.length) return null;
  const names = new Set([ownName, ...blog.authors]);
  return (
    <SelectField
      label={label}
      value={author}
      disabled={disabled}
      options={names.entries()}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

/** The fields that are made from the title while they are empty. */
function PostDetails(props: FieldProps) {
  const { draft, kind, disabled, errors, onChange } = props;
  const labels = labelsOf(kind);
  const title = draft.title.trim();
  const address = kind.folder + kind.toSlug(draft.slug || slugify(title));
  const invalid = errors.slug ?? errors.tagline;
  return (
    <div className={panelPart} data-invalid={invalid ? "" : undefined}>
      <Detail
        hint={`${title || draft.slug ? `The ${kind.name} is at ${address}. ` : ""}A number is added when another ${kind.name} is there. A former address leads to the new one.`}
      >
        <TextField
          label={labels.slug}
          value={draft.slug}
          maxLength={postLimits.slug}
          placeholder={title && slugify(title)}
          autoCapitalize="none"
          spellCheck={false}
          disabled={disabled}
          error={errors.slug}
          onChange={(event) => onChange({ slug: toSlugCharacters(event.target.value) })}
        />
      </Detail>
      <Detail
        hint={`Search engines${kind.inBlog ? " and feeds" : ""} show it. While it is empty, they show how the text begins.`}
      >
        <TextAreaField
          label={labels.tagline}
          rows={2}
          {...textProps(props, "tagline")}
          error={errors.tagline}
          placeholder={title && kind.tagline(title)}
        />
      </Detail>
    </div>
  );
}

function Detail({ hint, children }: { hint: string; children: ReactNode }) {
  return (
    <div>
      {children}
      <p className="mt-1.5 text-sm text-muted wrap-anywhere">{hint}</p>
    </div>
  );
}
