import type { FormEvent, ReactNode } from "react";
import { buttonClass } from "../ui/button.ts";
import { formatDollars } from "./money.ts";

interface CalculatorCardProps {
  title: string;
  description: string;
  button: string;
  resultLabel: string;
  /** In dollars; null until the button is pressed. */
  result: number | null;
  /** Whether a slider moved since the result was computed. */
  outdated: boolean;
  onCalculate: () => void;
  children: ReactNode;
}

/** The frame of a calculator: its sliders, its button and its result, computed only on press. */
export function CalculatorCard(props: CalculatorCardProps) {
  const { title, description, button, resultLabel, result, outdated, onCalculate, children } =
    props;

  function submit(event: FormEvent) {
    event.preventDefault();
    onCalculate();
  }

  return (
    <section className="flex flex-col rounded-lg border border-line/80 bg-surface p-6 shadow-card sm:p-8">
      <h2 className="text-2xl">{title}</h2>
      <p className="mt-2 text-muted">{description}</p>
      <form onSubmit={submit} noValidate className="mt-8 flex flex-1 flex-col">
        <div className="space-y-7">{children}</div>
        <button type="submit" className={`${buttonClass("primary")} mt-8 w-full`}>
          {button}
        </button>
      </form>
      <div aria-live="polite">
        {result !== null && (
          <div
            className={`@container mt-6 rounded-md p-5 text-center ${outdated ? "bg-sand" : "bg-sage"}`}
          >
            <p className="text-sm font-semibold">{resultLabel}</p>
            <p
              className={`mt-1 font-serif text-[clamp(1.25rem,11cqi,2.875rem)] leading-tight tabular-nums ${outdated ? "text-muted" : "text-evergreen"}`}
            >
              {formatDollars(result)}
            </p>
            {outdated && <p className="mt-1 text-sm">Out of date: press {button} again.</p>}
          </div>
        )}
      </div>
    </section>
  );
}
