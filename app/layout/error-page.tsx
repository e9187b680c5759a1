import { isRouteErrorResponse, useLocation } from "react-router";
import { buttonClass } from "../ui/button-class.ts";

/** The fallback page for an unexpected error. */
export function ErrorPage({ error }: { error: unknown }) {
  const { pathname, search } = useLocation();
  return (
    <div className="wrap section text-center">
      <title>Unexpected Application Error!</title>
      <meta name="robots" content="noindex" />
      <h1 className="text-3xl">Unexpected Application Error!</h1>
      <p className="mx-auto mt-4 max-w-prose text-muted">{textOf(error)}</p>
      <p className="mt-8 flex flex-wrap justify-center gap-3">
        <a href="/" className={buttonClass("primary")}>
          Return to Home
        </a>
        {isRouteErrorResponse(error) && error.status === 503 && (
          <a href={pathname + search} className={buttonClass("secondary")}>
            Try again
          </a>
        )}
      </p>
    </div>
  );
}

function textOf(error: unknown): string {
  if (isRouteErrorResponse(error)) return `${error.status} ${error.statusText}`;
  // Errors of supabase-js are plain objects with a message.
  if (error && typeof error === "object" && "message" in error) return String(error.message);
  return "Unknown error";
}
