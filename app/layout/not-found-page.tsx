import { data, Link } from "react-router";
import { type Matches, useSite } from "../config/use-site.ts";
import { findFormerPath } from "../seo/former-path.ts";
import { unlistedMeta } from "../seo/page-meta.ts";
import { clientContext } from "../supabase/client-context.ts";
import { buttonClass } from "../ui/button-class.ts";
import type { Route } from "./+types/not-found-page";

export async function loader({ context, request }: Route.LoaderArgs) {
  const moved = await findFormerPath(context.get(clientContext), request);
  if (moved) throw moved;
  return data(null, { status: 404 });
}

export function meta({ matches }: { matches: Matches }) {
  return unlistedMeta({ matches }, "Page not found");
}

export default function NotFoundPage() {
  const { closed } = useSite();
  return (
    <div className="wrap section text-center">
      <p className="font-semibold text-clay">404</p>
      <h1 className="mt-2 text-3xl">This page isn't here</h1>
      <p className="mx-auto mt-4 max-w-md text-lg text-muted">
        It may have moved, or the address has a typo. These pages will help you on:
      </p>
      <p className="mt-8 flex flex-wrap justify-center gap-3">
        <Link to="/" className={buttonClass("primary")}>
          Return to Home
        </Link>
        {!closed.includes("/blog") && (
          <Link to="/blog" className={buttonClass("secondary")}>
            Read the blog
          </Link>
        )}
        <Link to="/contact" className={buttonClass("secondary")}>
          Contact
        </Link>
      </p>
    </div>
  );
}
