import { type FormEvent, useState } from "react";
import { flushSync } from "react-dom";
import { Dialog, useOpenDialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Button } from "../button.tsx";
import { DialogActions } from "../confirm-dialog.tsx";
import { formatSchedule, timeZoneName } from "../format-moment.ts";
import { Choice } from "../page-parts.tsx";
import {
  dateAndTimeOf,
  findTime,
  type Instant,
  tomorrowMorning,
  type ZonedTime,
} from "./zoned-time.ts";

interface ScheduleDialogProps {
  timeZone: string;
  /** The scheduled time, ISO 8601; null for a post that is not scheduled. */
  scheduledFor: string | null;
  /** Receives the time, ISO 8601. @returns whether it was stored */
  onSchedule: (publishedDate: string) => Promise<boolean>;
  onClose: () => void;
}

/** Asks when the post is published, in the time zone of the site. Opens when it is rendered. */
export default function ScheduleDialog(props: ScheduleDialogProps) {
  const { timeZone, scheduledFor, onSchedule, onClose } = props;
  const dialog = useOpenDialog();
  const [{ date, time }, setChosen] = useState(() =>
    scheduledFor ? dateAndTimeOf(scheduledFor, timeZone) : tomorrowMorning(new Date(), timeZone),
  );
  const [takesSecond, setTakesSecond] = useState(false);
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const found = findTime(date, time, timeZone);
  const instant = instantOf(found, takesSecond);

  function change(changes: { date?: string; time?: string }) {
    setError(undefined);
    setTakesSecond(false);
    setChosen({ date, time, ...changes });
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const problem = problemOf(found, instant);
    if (problem || !instant) {
      // Render the error before moving focus, so screen readers announce it with the field.
      flushSync(() => setError(problem ?? "Please choose a date and a time."));
      form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
      return;
    }
    setBusy(true);
    const isStored = await onSchedule(instant.iso);
    setBusy(false);
    if (isStored) dialog.current?.close();
    else setError("The time was not stored. What you wrote is still in the form.");
  }

  return (
    <Dialog
      ref={dialog}
      title={scheduledFor ? "Change the time" : "Schedule the post"}
      description={`Dates and times are those of the site: ${timeZoneName(timeZone)}.`}
      onClose={onClose}
    >
      <form noValidate onSubmit={submit} className="mt-6">
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField
            label="Date"
            type="date"
            max="2199-12-31"
            value={date}
            aria-invalid={error ? true : undefined}
            error={error}
            onChange={(event) => change({ date: event.target.value })}
          />
          <TextField
            label="Time"
            type="time"
            value={time}
            onChange={(event) => change({ time: event.target.value })}
          />
        </div>
        {found.kind === "twice" && (
          <fieldset className="mt-5">
            <legend className="text-sm font-semibold">
              The clocks are set back that day, so this time comes twice
            </legend>
            {found.instants.map(({ iso, offset }, index) => (
              <Choice
                key={iso}
                type="radio"
                name="occurrence"
                className="mt-1"
                checked={takesSecond === (index === 1)}
                onChange={() => setTakesSecond(index === 1)}
              >
                {`${index === 0 ? "The first time" : "The second time"} (${offset})`}
              </Choice>
            ))}
          </fieldset>
        )}
        <p role="status" className="mt-5 min-h-[1lh] text-muted">
          {found.kind === "skipped"
            ? skipped(found.next)
            : instant && `To be published on ${formatSchedule(instant.iso, timeZone)}.`}
        </p>
        <DialogActions dialog={dialog} className="mt-6">
          <Button look="primary" type="submit" disabled={busy}>
            {busy ? "Scheduling..." : scheduledFor ? "Save the time" : "Schedule"}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function instantOf(found: ZonedTime, takesSecond: boolean): Instant | null {
  if (found.kind === "once") return found.instant;
  return found.kind === "twice" ? found.instants[takesSecond ? 1 : 0] : null;
}

function problemOf(found: ZonedTime, instant: Instant | null): string | undefined {
  if (found.kind === "skipped") return skipped(found.next);
  if (!instant) return "Please choose a date and a time.";
  if (Date.parse(instant.iso) <= Date.now()) {
    return "This time is in the past. Choose a later one, or publish the post now.";
  }
  // The CHECK of the database has the same limit.
  if (Date.parse(instant.iso) > Date.UTC(2200, 0)) return "Choose a time before the year 2200.";
}

function skipped(next: string): string {
  return `There is no such time: the clocks are set forward that day. You could choose ${next}.`;
}
