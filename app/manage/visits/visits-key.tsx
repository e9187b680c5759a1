import { useState } from "react";
import { buttonClass } from "../../ui/button.ts";
import { createVisitsKey } from "./visits.ts";

interface VisitsKeyProps {
  Heading: "h2" | "h3";
  /** Whether there is a key that would become invalid. */
  isReplacing?: boolean;
}

/** Creates the key that lets a site on a hosted project add its counts. It is shown once. */
export function VisitsKey({ Heading, isReplacing = false }: VisitsKeyProps) {
  const [state, setState] = useState<"idle" | "creating" | "failed" | { key: string }>("idle");

  async function create() {
    setState("creating");
    try {
      setState({ key: await createVisitsKey() });
    } catch (error) {
      console.error("Creating a visits key failed", error);
      setState("failed");
    }
  }

  const button = isReplacing ? "Create another key" : "Create a key";
  return (
    <section
      className={isReplacing ? "mt-4" : "mb-8 rounded-lg border border-line bg-surface px-5 py-4"}
    >
      {!isReplacing && (
        <>
          <Heading className="text-xl">Visits are not counted yet</Heading>
          <p className="mt-2 max-w-prose">
            The site needs a key to store its counts in the Supabase project, so that nobody else
            can add any. Create it here, add it to the environment of the site, and restart the
            site.
          </p>
        </>
      )}
      <div role="status">
        {typeof state === "object" && (
          <p className="mt-3">
            Add this line to the environment of the site. It is shown only now.
            <code className="mt-2 block rounded-md bg-sage px-3 py-2 text-sm [overflow-wrap:anywhere] select-all">
              VISITS_KEY={state.key}
            </code>
          </p>
        )}
      </div>
      {state === "failed" && (
        <p role="alert" className="mt-3 text-danger">
          The key could not be created. Please try again.
        </p>
      )}
      {typeof state !== "object" && (
        <button
          type="button"
          className={`${buttonClass("secondary", "small")} mt-4`}
          disabled={state === "creating"}
          onClick={create}
        >
          {state === "creating" ? "Creating..." : button}
        </button>
      )}
    </section>
  );
}
