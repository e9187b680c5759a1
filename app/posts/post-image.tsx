import { useState } from "react";
import { Image } from "../ui/image.tsx";
import { generatedAlt } from "./generated-alt.ts";
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
  post: Pick<PostSummary, "title" | "image_url" | "alt" | "category">;
  className: string;
  /** How wide it is shown, as in `<img sizes>`. */
  sizes: string;
  /** The picture that a visitor sees first on its page. */
  priority?: boolean;
  /** On a card, whose link says the title: a generated description would only say it again. */
  onCard?: boolean;
}

/** A post's picture, or the stock picture of its category: when it has none, or when it is gone. */
export function PostImage({ post, className, sizes, priority, onCard }: PostImageProps) {
  const [missing, setMissing] = useState<string | null>(null);
  const url = post.image_url === missing ? null : post.image_url;

  const described = url && !(onCard && post.alt === generatedAlt(post.title));

  function giveUp() {
    if (url) setMissing(url);
  }

  return (
    <Image
      // A picture can fail before the page listens.
      ref={(image) => {
        if (image?.complete && image.naturalWidth === 0) giveUp();
      }}
      onError={giveUp}
      src={url ?? fallbackImage(post.category)}
      alt={described ? post.alt : ""}
      width={1600}
      height={900}
      sizes={sizes}
      wide
      priority={priority}
      className={`image aspect-video ${className}`}
    />
  );
}
