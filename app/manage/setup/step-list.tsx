import { Link } from "react-router";
import { type StepId, type StepState, type StepStates, steps } from "./steps.ts";

const stateNames: Record<StepState, string> = {
  open: "not done",
  draft: "saved, not published",
  skipped: "skipped",
  done: "done",
};
const barColors: Record<StepState, string> = {
  open: "bg-line",
  draft: "bg-clay",
  skipped: "bg-edge",
  done: "bg-evergreen",
};

/** The progress of the setup; every step can be opened at any time. */
export function StepList({ current, states }: { current: StepId; states: StepStates }) {
  const place = steps.findIndex(({ id }) => id === current) + 1;
  return (
    <nav aria-label="Steps" className="mt-5">
      <p className="text-sm text-muted">
        Step {place} of {steps.length}
      </p>
      <ol className="mt-1 grid grid-cols-6 gap-1.5 sm:gap-2">
        {steps.map(({ id, title }) => (
          <li key={id}>
            <Link
              to={`?step=${id}`}
              aria-current={id === current ? "step" : undefined}
              className="group block min-h-11 py-2 text-sm leading-snug text-muted hover:text-evergreen aria-[current]:font-semibold aria-[current]:text-ink"
            >
              <span
                aria-hidden="true"
                className={`block rounded-full group-aria-[current]:outline-2 group-aria-[current]:outline-offset-2 group-aria-[current]:outline-ink ${barColors[states[id]]} h-1.5`}
              />
              <span className="mt-2 block max-sm:sr-only">
                {title}
                <span className="sr-only"> ({stateNames[states[id]]})</span>
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}
