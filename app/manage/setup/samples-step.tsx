import { buttonClass } from "../../ui/button.ts";
import { SamplesPanel } from "../samples/samples-panel.tsx";

interface SamplesStepProps {
  onDone: () => void;
  onSkip: () => void;
}

/** Removes the sample posts and reviews in one step. */
export function SamplesStep({ onDone, onSkip }: SamplesStepProps) {
  return (
    <div className="mt-6 space-y-5">
      <p>Posts and reviews that you or your visitors wrote are not touched.</p>
      <SamplesPanel hideHeading onRemoved={onDone} />
      <button
        type="button"
        onClick={onSkip}
        className={`${buttonClass("secondary")} max-sm:w-full`}
      >
        Keep them for now
      </button>
    </div>
  );
}
