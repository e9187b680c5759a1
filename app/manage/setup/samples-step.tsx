import { messageOf, useSubmission } from "../../forms/use-form-submit.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import { buttonClass } from "../../ui/button.ts";
import { FormFailure } from "../../ui/form-errors.tsx";
import { removeSamples } from "./sample-content.ts";

interface SamplesStepProps {
  removed: boolean;
  onDone: () => void;
  onSkip: () => void;
}

/** Removes the sample posts and reviews in one step. */
export function SamplesStep({ removed, onDone, onSkip }: SamplesStepProps) {
  const { failure, submitting, run } = useSubmission({
    sent: { title: "Sample content removed", description: "Your own content stays as it is." },
    onSent: onDone,
    describeFailure: (error) => ({ title: "Removing failed", description: messageOf(error) }),
  });
  return (
    <div className="mt-6 space-y-5">
      <p>
        {removed
          ? "The sample content is removed."
          : "Posts and reviews that you or your visitors wrote are not touched."}
      </p>
      <FormFailure text={failure} />
      <div className="flex flex-wrap gap-3">
        {!removed && (
          <button
            type="button"
            disabled={submitting}
            onClick={() => run(async () => removeSamples(await getBrowserClient()))}
            className={`${buttonClass("primary")} max-sm:w-full`}
          >
            {submitting ? "Removing..." : "Remove all sample content"}
          </button>
        )}
        <button
          type="button"
          disabled={submitting}
          onClick={removed ? onDone : onSkip}
          className={`${buttonClass(removed ? "primary" : "secondary")} max-sm:w-full`}
        >
          {removed ? "Continue" : "Keep it for now"}
        </button>
      </div>
    </div>
  );
}
