import { FormFailure } from "../../ui/form-errors.tsx";
import { Button } from "../button.tsx";

interface RunControlsProps {
  /** Why the last run ended. */
  failure: string | null;
  isRunning: boolean;
  /** How far the run has come; null until that is known. */
  progress: { label: string; done: number; total: number; text: string } | null;
  /** The name of the button that starts a run. It stops one that is under way. */
  start: string;
}

/** The end of a form that starts a run of several minutes. */
export function RunControls({ failure, isRunning, progress, start }: RunControlsProps) {
  return (
    <>
      <FormFailure text={failure} />
      {isRunning && progress && (
        <label className="flex items-center gap-3 text-sm">
          <span>{progress.label}</span>
          <progress
            value={progress.done}
            max={progress.total}
            className="progress h-2 min-w-0 flex-1"
          />
          <span className="tabular-nums">{progress.text}</span>
        </label>
      )}
      <Button type="submit" look={isRunning ? "secondary" : "primary"}>
        {isRunning ? "Stop" : start}
      </Button>
    </>
  );
}
