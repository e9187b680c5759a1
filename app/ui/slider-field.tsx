import { useId, useState } from "react";
import { parseTypedNumber, writeNumber } from "./typed-number.ts";

interface SliderFieldProps {
  /** The number field's, under which it is posted. */
  name: string;
  label: string;
  value: number;
  min: number;
  max: number;
  step: number;
  /** What stands before or after the number: "$", "%". */
  prefix?: string;
  suffix?: string;
  /** Says the value as a person would. */
  format: (value: number) => string;
  /** The nearest value that is allowed; typed numbers go through it. */
  toAllowed: (value: number) => number;
  onChange: (value: number) => void;
}

/** A slider with a number field beside it, so that no one has to drag. */
export function SliderField(props: SliderFieldProps) {
  const { name, label, value, min, max, step, prefix, suffix, format, toAllowed, onChange } = props;
  const id = useId();
  // While a number is being typed it may be out of range; it is fitted when the field is left.
  const [draft, setDraft] = useState<string | null>(null);
  const [correction, setCorrection] = useState("");

  function commit() {
    if (draft === null) return;
    if (draft.trim() !== "") setCorrection(take(parseTypedNumber(draft)));
    setDraft(null);
  }

  /** @returns what became of what was typed, and why; nothing when it is as it was typed. */
  function take(typed: number | null): string {
    if (typed === null) return `Still ${format(value)}: that was not a number.`;
    const allowed = toAllowed(typed);
    onChange(allowed);
    if (allowed === typed) return "";
    if (allowed === min) return `Set to ${format(min)}, the lowest here.`;
    if (allowed === max) return `Set to ${format(max)}, the highest here.`;
    return `Set to ${format(allowed)}: this goes in steps of ${format(step)}.`;
  }

  return (
    <div>
      <div className="flex items-center justify-between gap-3">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        <span className="hidden tabular-nums print:inline">{format(value)}</span>
        <span className="print:hidden flex w-34 shrink-0 items-center gap-1.5 rounded-md border border-edge bg-surface px-3 focus-within:outline-3 focus-within:outline-clay">
          {prefix && <span aria-hidden="true">{prefix}</span>}
          <input
            // A number field would refuse "75,000" without a word.
            type="text"
            name={name}
            inputMode="decimal"
            autoComplete="off"
            aria-label={`${label}, as a number`}
            value={draft ?? writeNumber(value)}
            onChange={(event) => {
              setDraft(event.target.value);
              setCorrection("");
            }}
            onBlur={commit}
            onKeyDown={(event) => {
              if (event.key === "Enter") commit();
            }}
            className="min-w-0 flex-1 py-1.5 text-right tabular-nums outline-none"
          />
          {suffix && <span aria-hidden="true">{suffix}</span>}
        </span>
      </div>
      <input
        id={id}
        type="range"
        min={min}
        max={max}
        step={step}
        value={value}
        aria-valuetext={format(value)}
        onChange={(event) => {
          onChange(event.target.valueAsNumber);
          setCorrection("");
        }}
        style={{ "--filled": `${max > min ? ((value - min) / (max - min)) * 100 : 100}%` }}
        className="slider mt-3 block h-6 w-full noscript:hidden print:hidden"
      />
      <div aria-hidden="true" className="flex justify-between text-sm text-muted print:hidden">
        <span>{format(min)}</span>
        <span>{format(max)}</span>
      </div>
      <p role="status" className="text-sm text-muted print:hidden">
        {correction}
      </p>
    </div>
  );
}
