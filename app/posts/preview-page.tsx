import { data, Link, redirect } from "react-router";
import { z } from "zod/mini";
import { withVersion } from "../config/image-address.ts";
import { siteOf } from "../config/use-site.ts";
import { type Client, clientContext } from "../supabase/client-context.ts";
import { buttonClass } from "../ui/button.ts";
import { TextAreaField, TextField } from "../ui/field.tsx";
import { FormFailure } from "../ui/form-errors.tsx";
import { readPostedForm } from "../ui/posted-form.ts";
import type { Route } from "./+types/preview-page";
import { PostView } from "./post-view.tsx";
import { generatedAlt, type Post } from "./posts.ts";

/** A preview may change or end at any time, and its address must not become known. */
const previewHeaders = {
  "cache-control": "no-store",
  "x-robots-tag": "noindex, nofollow",
  // Not no-referrer: browsers would send "Origin: null" with the form, which request-checks.ts rejects.
  "referrer-policy": "same-origin",
};

/** The result of get_post_preview. A draft may lack everything. */
const previewSchema = z.object({
  state: z.union([z.literal("draft"), z.literal("scheduled")]),
  post: z.object({
    id: z.string(),
    title: z.string(),
    category: z.string(),
    author: z.string(),
    content: z.unknown(),
    image_url: z.union([z.string(), z.literal(null)]),
    alt: z.string(),
    related_services: z.unknown(),
    published_date: z.string(),
    updated_at: z.string(),
  }),
  /** Null unless the link may approve the post. */
  approval: z.nullable(
    z.object({
      id: z.nullable(z.number()),
      event: z.nullable(z.string()),
      name: z.nullable(z.string()),
    }),
  ),
});

export async function loader({ context, params }: Route.LoaderArgs) {
  const preview = await readPreview(context.get(clientContext), params.token);
  if (!preview) return data(null, { status: 404, headers: previewHeaders });
  const { state, approval } = preview;
  return data({ post: toPost(preview.post), state, approval }, { headers: previewHeaders });
}

/** Stores a reviewer's decision. */
export async function action({ request, context, params: { token } }: Route.ActionArgs) {
  const form = await readPostedForm(request);
  const text = (name: string) => String(form.get(name) ?? "").trim();
  const review = { name: text("name"), email: text("email"), comment: text("comment") };
  const { data: problem, error } = await context.get(clientContext).rpc("decide_post", {
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
  const { data: preview, error } = await client.rpc("get_post_preview", { preview_token: token });
  if (error) {
    console.error("Reading a preview failed", error);
    const statusText = "This preview can't be shown right now.";
    throw data(null, { status: 503, statusText, headers: previewHeaders });
  }
  return preview === null ? null : previewSchema.parse(preview);
}

function toPost(post: z.infer<typeof previewSchema>["post"]): Post {
  return {
    ...post,
    // These are checked where they are shown, like those of a published post.
    content: post.content as Post["content"],
    related_services: post.related_services as Post["related_services"],
    title: post.title || "Untitled",
    alt: post.alt || generatedAlt(post.title),
    image_url: withVersion(post.image_url, post.updated_at),
    slug: "",
    tagline: "",
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

/** A draft or scheduled post, for people who have its preview link. */
export default function PreviewPage({ loaderData, actionData }: Route.ComponentProps) {
  if (!loaderData) return <Ended />;
  const { post, state, approval } = loaderData;
  return (
    <div className="wrap py-10 md:py-14">
      <p role="note" className="rounded-md bg-clay-soft p-4 font-medium">
        {state === "draft"
          ? "Preview of a draft, not published"
          : "Preview of a scheduled post, not published"}
      </p>
      <PostView post={post} isPreview />
      {approval && (
        <section id="approval" className="mt-12 max-w-[42rem] rounded-lg border border-line p-6">
          <h2 className="mb-3 text-2xl">Approval</h2>
          <FormFailure text={actionData?.failure} />
          {approval.event === "submitted" ? (
            <ApprovalForm submission={approval.id} review={actionData?.review} />
          ) : (
            <p className="mt-3">
              {approval.event
                ? `This version was ${approval.event} by ${approval.name}. Thank you.`
                : "Nothing waits for approval now. Open this link again when the post was submitted."}
            </p>
          )}
        </section>
      )}
    </div>
  );
}

interface ApprovalFormProps {
  submission: number | null;
  /** What was posted and could not be stored. */
  review: { name: string; email: string; comment: string } | undefined;
}

/** Posts to the action of this page, also when scripts run. */
function ApprovalForm({ submission, review }: ApprovalFormProps) {
  return (
    <form method="post" action="#approval" className="mt-4 space-y-5">
      <p>Your name, your email address and your decision are stored with this version.</p>
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
