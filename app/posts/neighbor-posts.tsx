import { ArrowLeft, ArrowRight } from "lucide";
import { Link } from "react-router";
import type { VisitorClient } from "../supabase/client-context.ts";
import { Icon } from "../ui/icon.ts";

/** A post beside another one in the list of all posts, which has the newest first. */
interface Neighbor {
  direction: "newer" | "older";
  slug: string;
  title: string;
}

/** The posts beside a post: two, one at the ends of the list, none for an unknown slug. @throws the backend's error */
export async function listNeighbors(client: VisitorClient, slug: string): Promise<Neighbor[]> {
  const { data } = await client.rpc("find_neighbor_posts", { post_slug: slug }).throwOnError();
  // The columns of a function are typed as nullable. The function sets the direction to one of the two words.
  return data as Neighbor[];
}

/** Links to the next newer and the next older post, as the pager of the list names them. */
export function NeighborPosts({ neighbors }: { neighbors: Neighbor[] }) {
  if (neighbors.length === 0) return null;
  return (
    <nav
      data-screen
      aria-label="Newer and older articles"
      className="mt-16 grid grid-cols-1 gap-x-8 border-t border-line sm:grid-cols-2"
    >
      {neighbors.map(({ direction, slug, title }) => {
        const isNewer = direction === "newer";
        return (
          <Link
            key={direction}
            to={`/blog/${slug}`}
            state={{ title }}
            rel={isNewer ? "prev" : "next"}
            className={`group flex flex-col gap-1.5 py-5 ${isNewer ? "max-sm:not-last:border-b max-sm:border-line" : "sm:col-start-2 sm:items-end sm:text-right"}`}
          >
            <span className="inline-flex items-center gap-2 text-sm font-semibold text-clay">
              {isNewer && <Icon drawing={ArrowLeft} className="size-4" />}
              <span>{isNewer ? "Newer article" : "Older article"}</span>
              {!isNewer && <Icon drawing={ArrowRight} className="size-4" />}
            </span>
            <span className="line-clamp-3 font-serif text-xl text-evergreen decoration-clay decoration-2 underline-offset-4 group-hover:underline">
              {title}
            </span>
          </Link>
        );
      })}
    </nav>
  );
}
