import { useRevalidator } from "react-router";
import { buttonClass } from "../ui/button.ts";

/** What stands where posts would, when they could not be read. */
export function PostsError() {
  const { revalidate, state } = useRevalidator();
  return (
    <div
      role="alert"
      className="mt-10 rounded-lg border border-line bg-surface px-6 py-12 text-center"
    >
      <p className="text-lg">The articles can't be shown right now.</p>
      <button
        type="button"
        className={`${buttonClass("secondary")} mt-5`}
        disabled={state === "loading"}
        onClick={() => revalidate()}
      >
        {state === "loading" ? "Trying again..." : "Try again"}
      </button>
    </div>
  );
}
