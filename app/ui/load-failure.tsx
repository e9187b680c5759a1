import { buttonClass } from "./button.ts";

interface LoadFailureProps {
  /** What failed to load, as the subject of a sentence. */
  what: string;
  onRetry: () => void;
  className?: string;
}

/** Replaces a part of the page whose code or data could not be loaded. */
export function LoadFailure({ what, onRetry, className = "" }: LoadFailureProps) {
  return (
    // Above a card's link, which covers the whole card.
    <div role="alert" className={`relative z-10 ${className}`}>
      <p>{what} could not be loaded. Check your connection and try again.</p>
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
