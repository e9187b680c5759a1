import { data, Link } from "react-router";
import { z } from "zod/mini";
import { siteOf } from "../config/use-site.ts";
import { type Client, clientContext } from "../supabase/client-context.ts";
import { buttonClass } from "../ui/button.ts";
import type { Route } from "./+types/preview-page";
import { withVersion } from "./image-url.ts";
import { PostView } from "./post-view.tsx";
import { generatedAlt, type Post } from "./posts.ts";

/** A preview may change or end at any time, and its address must not become known. */
const previewHeaders = {
  "cache-control": "no-store",
  "x-robots-tag": "noindex, nofollow",
  "referrer-policy": "no-referrer",
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
});

export async function loader({ context, params }: Route.LoaderArgs) {
  const preview = await readPreview(context.get(clientContext), params.token);
  if (!preview) return data(null, { status: 404, headers: previewHeaders });
  return data({ post: toPost(preview.post), state: preview.state }, { headers: previewHeaders });
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
    { name: "referrer", content: "no-referrer" },
  ];
}

/** A draft or scheduled post, for people who have its preview link. */
export default function PreviewPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData) return <Ended />;
  const { post, state } = loaderData;
  return (
    <div className="wrap py-10 md:py-14">
      <p role="note" className="rounded-md bg-clay-soft p-4 font-medium">
        {state === "draft"
          ? "Preview of a draft, not published"
          : "Preview of a scheduled post, not published"}
      </p>
      <PostView post={post} isPreview />
    </div>
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
