import { buttonClass } from "./button.ts";

interface LoadFailureProps {
  /** What is missing, as the subject of a sentence. */
  what: string;
  onRetry: () => void;
  className?: string;
}

/** Stands where a part of the page would be whose code or data could not be loaded. */
export function LoadFailure({ what, onRetry, className = "" }: LoadFailureProps) {
  return (
    // Above the link that covers a card.
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
