import { useState } from "react";
import { useRevalidator } from "react-router";
import { buttonClass } from "./button-class.ts";

interface LoadFailureProps {
  /** What failed to load, as the subject of a sentence. */
  what: string;
  /** What to do, or what happens next. */
  advice?: string;
  onRetry: () => void;
  className?: string;
}

export function LoadFailure(props: LoadFailureProps) {
  const { what, onRetry, className = "" } = props;
  const { advice = "Check your connection and try again." } = props;
  return (
    // Placed above the link of a card, which covers the whole card.
    <div role="alert" className={`relative z-10 ${className}`}>
      <p>{`${what} could not be loaded. ${advice}`}</p>
      <button
        type="button"
        className={`${buttonClass("secondary", "small")} mt-3`}
        onClick={onRetry}
      >
        Try again
      </button>
    </div>
  );
}

interface ReadFailureProps {
  /** Identifies the failed attempt. */
  failed: object | number;
  text: string;
  /** Reads the page's data again by default. */
  onRetry?: () => void;
}

/** Replaces data that could not be read. */
export function ReadFailure({ failed, text, onRetry }: ReadFailureProps) {
  const { revalidate } = useRevalidator();
  // The revalidator is idle again before the data arrives, so a retry ends with the next result.
  const [retried, setRetried] = useState<object | number>();
  const retrying = retried === failed;
  return (
    <div
      role="alert"
      className="mt-10 rounded-lg border border-line bg-surface px-6 py-12 text-center"
    >
      <p className="text-lg">{text}</p>
      <button
        type="button"
        className={`${buttonClass("secondary")} mt-5`}
        disabled={retrying}
        onClick={() => {
          setRetried(failed);
          (onRetry ?? revalidate)();
        }}
      >
        {retrying ? "Trying again..." : "Try again"}
      </button>
    </div>
  );
}

/** Appears below a placeholder after 6 seconds (`late` in app.css). */
export function TakingLonger() {
  return (
    <p className="late mt-8 text-sm text-muted">
      This is taking longer than it should. It goes on trying.
    </p>
  );
}
