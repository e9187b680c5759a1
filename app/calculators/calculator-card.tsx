import { type FormEvent, type ReactNode, useState } from "react";
import { Link } from "react-router";
import { useSite } from "../config/use-site.ts";
import { buttonClass } from "../ui/button-class.ts";
import { SliderField } from "../ui/slider-field.tsx";
import { reportVisit } from "../visits/visit-count.ts";
import { type FieldsOf, fitInput, namesOf } from "./calculator-input.ts";
import { formatDollars } from "./money.ts";

interface CalculatorCardProps {
  /** Identifies the calculator in the form that is posted without JavaScript. */
  name: string;
  title: string;
  description: string;
  button: string;
  resultLabel: string;
  /** The result in dollars; null until the button is pressed. */
  result: number | null;
  /** The inputs and the formula in words. Directly below the result, so that a screenshot of it has them. */
  basis: string | null;
  /** A legal notice, shown with and without a result. */
  disclosure: string | undefined;
  /** Whether an input has changed since the result was computed. */
  outdated: boolean;
  onCalculate: () => void;
  /** Content below a result: chart, assumptions, next steps. */
  details: ReactNode;
  /** A pale drawing of the details, in their place until there is a result. */
  outline: ReactNode;
  children: ReactNode;
}

/** The layout of a calculator: form, button and result. */
export function CalculatorCard(props: CalculatorCardProps) {
  const { name, title, description, button, resultLabel, result, outdated, onCalculate } = props;
  const { countsVisits, adviser } = useSite();
  const ground = outdated ? "bg-sand" : "bg-sage";

  function submit(event: FormEvent) {
    event.preventDefault();
    if (result === null && countsVisits) reportVisit(`used=${name}`);
    onCalculate();
  }

  return (
    <section
      aria-labelledby={`${name}-title`}
      className="overflow-hidden rounded-lg border border-line bg-surface shadow-card print:mb-6 print:overflow-visible"
    >
      <div className="p-6 sm:p-9 print:break-inside-avoid">
        <h2 id={`${name}-title`} className="text-2xl">
          {title}
        </h2>
        <p className="mt-2 text-muted">{description}</p>
        <form
          method="post"
          // The server counts that a calculator was used (server/visits/), not what was entered.
          action={`/savings-calculator?used=${name}#${name}`}
          onSubmit={submit}
          noValidate
          data-print
          className="mt-8"
        >
          <div className="space-y-7">{props.children}</div>
          <button
            type="submit"
            name="calculator"
            value={name}
            className={`${buttonClass("primary")} mt-8 w-full`}
          >
            {button}
          </button>
        </form>
        {props.disclosure && (
          <p className="mt-6 text-sm whitespace-pre-line text-muted">{props.disclosure}</p>
        )}
      </div>
      <div id={name} aria-live="polite">
        {result !== null && (
          <div className={`@container border-t border-line px-6 pt-7 sm:px-9 ${ground}`}>
            <p className="font-semibold">{resultLabel}</p>
            <p
              className={`mt-1 font-serif text-[clamp(1.25rem,11.5cqi,3.5rem)] leading-tight tabular-nums ${outdated ? "text-muted" : "text-evergreen"}`}
            >
              {formatDollars(result)}
            </p>
            <p className="mt-2 text-sm">
              <strong className="font-semibold">Hypothetical, not a promise.</strong>
              <span>{` ${props.basis}`}</span>
            </p>
            {outdated && (
              <p className="mt-2 border-l-2 border-clay pl-3">
                {`Out of date: press ${button} again.`}
              </p>
            )}
          </div>
        )}
      </div>
      {result !== null && (
        <div className={`px-6 pt-6 pb-8 sm:px-9 ${ground}`}>
          {props.details}
          {/* Fills in the contact form, where the visitor sees the values before anything is sent (contact-action.ts). */}
          <form method="post" action="/contact#contact-form" data-screen className="mt-6">
            <input type="hidden" name="prefill" value="on" />
            <input
              type="hidden"
              name="message"
              value={`${title}\n${resultLabel}: ${formatDollars(result)}\n${props.basis}\n\n`}
            />
            <button type="submit" className={buttonClass("secondary", "small")}>
              {`Send this result to ${adviser.fullName}`}
            </button>
            <p className="mt-2 text-sm text-muted">
              Opens the contact form with the amount and your numbers in the message. Nothing is
              sent until you press 'Send Message' there.
            </p>
          </form>
        </div>
      )}
      {result === null && (
        <div data-screen className="border-t border-line bg-sand px-6 py-7 sm:px-9">
          <p className="text-sm text-muted">Your estimate appears here.</p>
          <div aria-hidden="true" className="mt-3">
            <div className="h-11 w-3/5 rounded-sm bg-line/60" />
            <div className="mt-6">{props.outline}</div>
          </div>
        </div>
      )}
    </section>
  );
}

interface ResultNotesProps {
  /** The assumptions of the estimate. */
  assumptions: string;
  /** Suggestions for the next steps. */
  next: ReactNode;
}

/** The text below a result's chart. */
export function ResultNotes({ assumptions, next }: ResultNotesProps) {
  return (
    <>
      <h3 className="mt-8 text-xl">What this assumes</h3>
      <p className="mt-1.5 whitespace-pre-line">{assumptions}</p>
      <h3 className="mt-6 text-xl">What you might do next</h3>
      <p className="mt-1.5">{next}</p>
    </>
  );
}

/** A link to a service; nothing when the firm does not offer it. */
export function ServiceHint({ slug }: { slug: string }) {
  const service = useSite().services.find((each) => each.slug === slug);
  if (!service) return null;
  return (
    <>
      <span> Read more: </span>
      <Link
        to={`/services/${slug}`}
        className="font-medium text-evergreen underline decoration-clay decoration-2 underline-offset-4"
      >
        {service.cardTitle}
      </Link>
    </>
  );
}

/**
 * The state of a calculator, and its sliders. Computes a result only on press.
 * @param posted the input of a form that was posted without JavaScript: the first rendering shows its result
 */
export function useCalculator<Name extends string, Result>(
  fieldsOf: FieldsOf<Name>,
  calculate: (input: Record<Name, number>) => Result,
  posted: Record<Name, number> | undefined,
) {
  const [input, setInput] = useState(posted ?? fitInput(fieldsOf, () => null));
  const [done, setDone] = useState(posted ? { input, result: calculate(input) } : null);
  const fields = fieldsOf(input);
  const sliders = namesOf(fieldsOf).map((name) => {
    const { label, unit, ...range } = fields[name];
    return (
      <SliderField
        key={name}
        {...{ name, label, range }}
        {...(unit && units[unit])}
        isLogarithmic={unit === "dollars"}
        value={input[name]}
        onChange={(number) =>
          setInput((current) =>
            fitInput(fieldsOf, (each) => ({ ...current, [name]: number })[each]),
          )
        }
      />
    );
  });
  return {
    sliders,
    /** The result and the input that it was computed from; null until the button is pressed. */
    done,
    outdated: done !== null && namesOf(fieldsOf).some((name) => done.input[name] !== input[name]),
    onCalculate: () => setDone({ input, result: calculate(input) }),
  };
}

const units = {
  dollars: { prefix: "$", format: formatDollars },
  percent: { suffix: "%", format: (percent: number) => `${percent}%` },
};
