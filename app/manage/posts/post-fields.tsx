import type { ChangeEvent, ComponentProps, ReactNode } from "react";
import { toOneLine } from "../../../supabase/functions/_shared/one-line.ts";
import { type ServiceLink, useSite } from "../../config/use-site.ts";
import { listCategories } from "../../posts/categories.ts";
import { isRelated } from "../../posts/post-content.ts";
import { slugify } from "../../posts/slugify.ts";
import { TextAreaField, TextField } from "../../ui/field.tsx";
import { ContentField, contentSelector } from "../content/content-field.tsx";
import { useLiveQuery } from "../live-query.ts";
import { Choice, Disclosure, SelectField } from "../page-parts.tsx";
import { readWritersSettings } from "../versions/approvals.ts";
import type { Kind } from "./kinds.ts";
import { labelsOf, type PostDraft, postLimits } from "./post-schema.ts";
import { toSlugCharacters } from "./slug.ts";

interface FieldProps {
  draft: PostDraft;
  kind: Kind;
  disabled: boolean;
  onChange: (changes: Partial<PostDraft>) => void;
}

interface PostFieldsProps extends FieldProps {
  /** The name of the writer of an unpublished post; null hides the choice of the author. */
  ownName: string | null;
  image: ReactNode;
  content: Pick<ComponentProps<typeof ContentField>, "onChange" | "onUploading" | "onTitle">;
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

/** Words first: the title and the text, and beside or below them all other fields. */
export function PostFields(props: PostFieldsProps) {
  const { draft, kind, disabled, ownName, image, content, onChange } = props;
  const labels = labelsOf(kind);
  const { services } = useSite();
  const { value: categories = [] } = useLiveQuery({ key: ["categories"], read: listCategories });

  function toggleService(service: ServiceLink, chosen: boolean) {
    const others = draft.relatedServices.filter((other) => !isRelated(service, [other]));
    onChange({ relatedServices: chosen ? [...others, service.slug] : others });
  }

  return (
    <div className="mt-6 items-start gap-x-10 lg:grid lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="space-y-5">
        <TextField
          label={labels.title}
          {...textProps(props, "title")}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
            // The text follows; the form is not sent.
            event.preventDefault();
            document.querySelector<HTMLElement>(contentSelector)?.focus();
          }}
        />
        <ContentField {...content} content={draft.content} disabled={disabled} />
      </div>
      <div className="space-y-6 max-lg:mt-8">
        {kind.inBlog && image}
        {kind.inBlog && (
          <TextField
            label={labels.category}
            {...textProps(props, "category")}
            list="post-categories"
          />
        )}
        <datalist id="post-categories">
          {categories.map(({ name }) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        {ownName !== null && kind.inBlog && (
          <AuthorField
            label={labels.author}
            ownName={ownName}
            author={draft.author || ownName}
            disabled={disabled}
            onChange={(author) => onChange({ author })}
          />
        )}
        <fieldset disabled={disabled} hidden={!kind.inBlog}>
          <legend className="text-sm font-semibold">{labels.relatedServices}</legend>
          <div className="mt-1">
            {services.map((service) => (
              <Choice
                key={service.slug}
                type="checkbox"
                checked={isRelated(service, draft.relatedServices)}
                onChange={(event) => toggleService(service, event.target.checked)}
              >
                {service.title}
              </Choice>
            ))}
          </div>
        </fieldset>
        <PostDetails {...{ draft, kind, disabled, onChange }} />
      </div>
    </div>
  );
}

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

/** The texts that are generated from the title while they are empty. */
function PostDetails(props: FieldProps) {
  const { draft, kind, disabled, onChange } = props;
  const labels = labelsOf(kind);
  const title = draft.title.trim();
  const hasOwn = draft.tagline || draft.alt || draft.slug;
  const address = draft.slug || slugify(title);
  return (
    <Disclosure
      title="Details"
      note={hasOwn ? "some are your own" : "made from the headline"}
      className="rounded-md border border-line bg-surface px-4"
    >
      <div className="-mx-4 space-y-6 border-t border-line p-4">
        <Detail
          hint={`Shown by search engines${kind.inBlog ? " and in feeds" : ""}. While it is empty, they show how the text begins.`}
        >
          <TextAreaField
            label={labels.tagline}
            rows={2}
            {...textProps(props, "tagline")}
            placeholder={title && kind.tagline(title)}
          />
        </Detail>
        {kind.inBlog && (
          <Detail hint="Describes the featured image to people who cannot see it.">
            <TextField
              label={labels.alt}
              {...textProps(props, "alt")}
              placeholder={title && kind.alt(title)}
            />
          </Detail>
        )}
        <Detail
          hint={`The end of ${kind.folder}${kind.toSlug(address)}: letters, digits, hyphens and underscores. A number is added when another ${kind.name} has it. Former addresses lead to the new one.`}
        >
          <TextField
            label={labels.slug}
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
    </Disclosure>
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
