import { useState } from "react";
import { useSite } from "../config/use-site.ts";
import { Image } from "../ui/image.tsx";
import { generatedAlt, type PostSummary } from "./posts.ts";

const fallbacks: readonly [RegExp, string][] = [
  [/life|insur/i, "life-insurance"],
  [/retire|saving|invest/i, "retirement"],
  [/famil|protect|child|parent/i, "family"],
  [/tax/i, "taxes"],
  [/estate|legacy|will\b|trust/i, "estate"],
];

/** @param isDefault whether this is the site of the fictional firm, in whose style some are drawn */
function fallbackImage(category: string, isDefault: boolean): string {
  const [, name] = fallbacks.find(([words]) => words.test(category)) ?? [null, "general"];
  return `/images/${isDefault ? "" : "neutral/"}fallback-${name}.svg`;
}

interface PostImageProps {
  post: Pick<PostSummary, "title" | "image_url" | "alt" | "category">;
  /** Of the frame, with its corners. */
  className: string;
  sizes: string;
  /** Loads the image early: it is in the first screen of the page. */
  priority?: boolean;
  /** Omits a generated alt text, which would repeat the title in the card's link. */
  onCard?: boolean;
}

/** A post's image, or a fallback image when it has none or its image fails to load. */
export function PostImage({ post, className, sizes, priority, onCard }: PostImageProps) {
  const { isDefault } = useSite();
  const [missing, setMissing] = useState<string | null>(null);
  const url = post.image_url === missing ? null : post.image_url;

  const described = url && !(onCard && post.alt === generatedAlt(post.title));

  function giveUp() {
    if (url) setMissing(url);
  }

  const src = url ?? fallbackImage(post.category, isDefault);
  // The gray drawings take the tint of their frame, which is the firm's color.
  const [ground, blend] = src.includes("/neutral/")
    ? ["isolate bg-sage", "mix-blend-luminosity"]
    : ["", ""];
  return (
    <span className={`block overflow-hidden ${ground} ${className}`}>
      <Image
        // The image can fail before React attaches `onError`. One that has just arrived can have no width for a moment.
        ref={(image) => {
          if (image?.complete && image.naturalWidth === 0) {
            image.decode().catch(() => image.naturalWidth === 0 && giveUp());
          }
        }}
        onError={giveUp}
        src={src}
        alt={described ? post.alt : ""}
        width={1600}
        height={900}
        sizes={sizes}
        wide
        priority={priority}
        className={`image aspect-video w-full transition-transform duration-500 ease-settle group-hover:scale-[1.025] ${blend}`}
      />
    </span>
  );
}
