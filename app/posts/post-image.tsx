import type { PostSummary } from "./posts.ts";

/** Which picture stands in for a post without one, by words in its category (section 9). */
const fallbacks: readonly [RegExp, string][] = [
  [/life|insur/i, "life-insurance"],
  [/retire|saving|invest/i, "retirement"],
  [/famil|protect|child|parent/i, "family"],
  [/tax/i, "taxes"],
  [/estate|legacy|will\b|trust/i, "estate"],
];

function fallbackImage(category: string): string {
  const [, name] = fallbacks.find(([words]) => words.test(category)) ?? [null, "general"];
  return `/images/fallback-${name}.svg`;
}

interface PostImageProps {
  post: Pick<PostSummary, "image_url" | "alt" | "category">;
  className: string;
  /** The picture that a visitor sees first on its page. */
  priority?: boolean;
}

/** A post's picture, or the stock picture of its category. */
export function PostImage({ post, className, priority = false }: PostImageProps) {
  return (
    <img
      src={post.image_url ?? fallbackImage(post.category)}
      alt={post.image_url ? post.alt : ""}
      width={1600}
      height={900}
      loading={priority ? "eager" : "lazy"}
      fetchPriority={priority ? "high" : undefined}
      decoding="async"
      className={`aspect-video bg-sage object-cover ${className}`}
    />
  );
}
