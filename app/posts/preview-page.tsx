import { data, Link, redirect } from "react-router";
import { z } from "zod/mini";
import { withVersion } from "../config/image-address.ts";
import { pageSettingsContext } from "../config/request-context.ts";
import { siteOf, useSite } from "../config/use-site.ts";
import { SearchResult } from "../seo/search-result.tsx";
import { type Client, clientContext } from "../supabase/client-context.ts";
import { buttonClass } from "../ui/button-class.ts";
import { TextAreaField, TextField } from "../ui/field.tsx";
import { FormFailure } from "../ui/form-errors.tsx";
import { readPostedForm } from "../ui/posted-form.ts";
import type { Route } from "./+types/preview-page";
import { parseBlocks } from "./blocks.tsx";
import { PostCard } from "./post-card.tsx";
import { excerptOf, generatedTagline } from "./post-content.ts";
import { PageView, PostView } from "./post-view.tsx";
import { generatedAlt, type Post } from "./posts.ts";
import { wantedSlug } from "./slugify.ts";

/** A preview may change or end at any time, and its address must not become known. */
const previewHeaders = {
  "cache-control": "no-store",
  "x-robots-tag": "noindex, nofollow",
  // Not no-referrer: browsers would send "Origin: null" with the form, which request-checks.ts rejects.
  "referrer-policy": "same-origin",
};

/** A draft may lack everything, which is empty then. */
const document = z.unknown() as z.ZodMiniType<Post>;

/** The result of get_preview. */
const previewSchema = z.object({
  kind: z.string(),
  state: z.union([z.literal("draft"), z.literal("scheduled")]),
  document,
  /** The published or scheduled post that it changes. */
  stored: z.nullable(z.object({ title: z.string(), slug: z.string() })),
  /** Null unless the link may approve the post. */
  approval: z.nullable(
    z.object({
      number: z.nullable(z.number()),
      event: z.nullable(z.string()),
      name: z.nullable(z.string()),
      how: z.nullable(z.string()),
      /** Who made the link. */
      maker: z.nullable(z.string()),
    }),
  ),
});

export async function loader({ context, params }: Route.LoaderArgs) {
  const preview = await readPreview(context.get(clientContext), params.token);
  if (!preview) return data(null, { status: 404, headers: previewHeaders });
  const { state, approval } = preview;
  const isPage = preview.kind === "page";
  const { siteUrl } = context.get(pageSettingsContext);
  return data(
    { post: toPost(preview), isPage, state, approval, siteUrl },
    { headers: previewHeaders },
  );
}

export async function action({ request, context, params: { token } }: Route.ActionArgs) {
  const form = await readPostedForm(request);
  const text = (name: string) => String(form.get(name) ?? "").trim();
  const review = { name: text("name"), email: text("email"), comment: text("comment") };
  const { data: problem, error } = await context.get(clientContext).rpc("decide", {
    ...{ ...review, preview_token: token, is_approved: form.get("decision") === "approved" },
    submission: Number(form.get("submission")),
  });
  if (error) console.error("Storing a decision failed", error);
  const failure = error ? "Your decision could not be stored. Please try again." : problem;
  if (!failure) throw redirect(`/blog/preview/${token}#approval`, 303);
  return data({ review, failure }, { status: error ? 503 : 400 });
}

async function readPreview(client: Client, token: string) {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(token)) return null;
  const { data: preview, error } = await client.rpc("get_preview", { preview_token: token });
  if (error) {
    console.error("Reading a preview failed", error);
    const statusText = "This preview can't be shown right now.";
    throw data(null, { status: 503, statusText, headers: previewHeaders });
  }
  return preview === null ? null : previewSchema.parse(preview);
}

function toPost({ kind, document: post, stored }: z.infer<typeof previewSchema>): Post {
  return {
    ...post,
    title: post.title || "Untitled",
    alt: post.alt || generatedAlt(post.title),
    image_url: withVersion(post.image_url, post.updated_at),
    slug: wantedSlug(post, stored),
    tagline: post.tagline || (kind === "page" ? "" : generatedTagline(post.title)),
    created_at: post.published_date,
  };
}

export function headers({ loaderHeaders, errorHeaders }: Route.HeadersArgs) {
  return errorHeaders ?? loaderHeaders;
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  return [
    {
      title: `${loaderData ? `Preview: ${loaderData.post.title}` : "Preview ended"} | ${siteOf(matches).firm.name}`,
    },
    { name: "robots", content: "noindex, nofollow" },
    { name: "referrer", content: "same-origin" },
  ];
}

export default function PreviewPage({ loaderData, actionData }: Route.ComponentProps) {
  if (!loaderData) return <Ended />;
  const { post, isPage, state, approval, siteUrl } = loaderData;
  const noun = isPage ? "page" : "post";
  return (
    <div className="wrap py-10 md:py-14">
      <p role="note" className="rounded-md bg-clay-soft p-4 font-medium">
        {state === "draft"
          ? "Preview of a draft, not published"
          : `Preview of a scheduled ${noun}, not published`}
      </p>
      {isPage ? <PageView page={post} /> : <PostView post={post} isPreview />}
      <Elsewhere {...{ post, isPage, siteUrl }} />
      {approval && (
        <section id="approval" className="mt-12 max-w-[42rem] rounded-lg border border-line p-6">
          <h2 className="mb-3 text-2xl">Approval</h2>
          <FormFailure text={actionData?.failure} />
          {approval.event === "submitted" ? (
            <ApprovalForm
              submission={approval.number}
              maker={approval.maker}
              review={actionData?.review}
            />
          ) : (
            <p className="mt-3">
              {approval.event
                ? `${approval.name} (${approval.how}) ${approval.event} this version. Thank you.`
                : `Nothing waits for approval now. Open this link again when the ${noun} was submitted.`}
            </p>
          )}
        </section>
      )}
    </div>
  );
}

/** What becomes public outside of the post's own page, and the texts that this page does not show. */
function Elsewhere({ post, isPage, siteUrl }: { post: Post; isPage: boolean; siteUrl: string }) {
  const { firm, blog } = useSite();
  const url = `${siteUrl}${isPage ? "" : "/blog"}/${post.slug}`;
  const described = parseBlocks(post.content).filter((block) => block.type === "image");
  const texts = [
    ["Address", url],
    ...(isPage
      ? []
      : [
          // A generated one is shown nowhere.
          ...(post.tagline === generatedTagline(post.title) ? [] : [["Tagline", post.tagline]]),
          ["Alternative text of the featured image", post.alt],
        ]),
    ...described.map(({ alt }, index) => [
      `Alternative text of image ${index + 1} in the text`,
      alt,
    ]),
  ];
  return (
    <section aria-labelledby="elsewhere" className="mt-16 border-t border-line pt-10">
      <h2 id="elsewhere" className="text-2xl">
        {`Also public with this ${isPage ? "page" : "post"}`}
      </h2>
      {!isPage && (
        <>
          <p className="mt-6 mb-3 text-sm text-muted">In lists of articles</p>
          <PostCard post={{ ...post, excerpt: excerptOf(post) }} isWide isPreview />
        </>
      )}
      <div className="mt-10">
        <SearchResult
          label={`The ${isPage ? "page" : "post"} in search results`}
          caption={`In search results${isPage ? "" : ", feeds"} and shared links`}
          firm={firm.name}
          url={url}
          title={`${post.title} | ${isPage ? firm.name : blog.titleEnding}`}
          description={excerptOf(post)}
        />
      </div>
      <dl className="mt-10 max-w-[42rem] space-y-4">
        {texts.map(([name, text]) => (
          <div key={name}>
            <dt className="text-sm font-semibold">{name}</dt>
            <dd className="mt-0.5 wrap-anywhere">{text || "None"}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

interface ApprovalFormProps {
  submission: number | null;
  maker: string | null;
  /** What was posted and could not be stored. */
  review: { name: string; email: string; comment: string } | undefined;
}

/** Posts to the action of this page, also when scripts run. */
function ApprovalForm({ submission, maker, review }: ApprovalFormProps) {
  return (
    <form method="post" action="#approval" className="mt-4 space-y-5">
      <p>
        {`Your name, your email address and your decision are stored with this version, as typed at the link of ${maker}. With an account of this site, sign in and decide in the editor.`}
      </p>
      <input type="hidden" name="submission" value={submission ?? ""} />
      <TextField
        {...{ label: "Your name", name: "name", autoComplete: "name", maxLength: 100 }}
        required
        defaultValue={review?.name}
      />
      <TextField
        {...{ label: "Your email address", name: "email", type: "email", autoComplete: "email" }}
        {...{ required: true, maxLength: 320, defaultValue: review?.email }}
      />
      <TextAreaField
        {...{ label: "Comment (needed to return the post)", name: "comment", rows: 4 }}
        {...{ maxLength: 2000, defaultValue: review?.comment }}
      />
      <div className="flex flex-wrap gap-3">
        <button type="submit" name="decision" value="approved" className={buttonClass("primary")}>
          Approve
        </button>
        <button type="submit" name="decision" value="returned" className={buttonClass("secondary")}>
          Return with comment
        </button>
      </div>
    </form>
  );
}

function Ended() {
  return (
    <div className="wrap section text-center">
      <p className="font-semibold text-clay">404</p>
      <h1 className="mt-2 text-3xl">This preview has ended</h1>
      <p className="mx-auto mt-4 max-w-md text-lg text-muted">
        Preview links end after 14 days, or earlier when the post is published or the link is
        revoked. If the post is not in the blog yet, ask for a new link.
      </p>
      <Link to="/blog" className={`${buttonClass("secondary")} mt-8`}>
        Read the blog
      </Link>
    </div>
  );
}
