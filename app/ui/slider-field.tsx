import { useId, useState } from "react";

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
    if (draft.trim() !== "") {
      const typed = Number(draft);
      const allowed = toAllowed(typed);
      onChange(allowed);
      if (allowed !== typed) setCorrection(correct(allowed));
    }
    setDraft(null);
  }

  /** Says what became of a typed number, and why. */
  function correct(allowed: number): string {
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
        <span className="flex items-center gap-1.5 rounded-md border border-edge bg-surface px-3 focus-within:outline-3 focus-within:outline-clay">
          {prefix && <span aria-hidden="true">{prefix}</span>}
          <input
            type="number"
            name={name}
            inputMode="decimal"
            aria-label={`${label}, as a number`}
            min={min}
            max={max}
            step={step}
            value={draft ?? value}
            onChange={(event) => {
              setDraft(event.target.value);
              setCorrection("");
            }}
            onBlur={commit}
            onKeyDown={(event) => {
              if (event.key === "Enter") commit();
            }}
            className="w-20 py-1.5 text-right tabular-nums outline-none [appearance:textfield] [&::-webkit-inner-spin-button]:appearance-none"
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
        className="slider mt-3 block h-6 w-full noscript:hidden"
      />
      <div aria-hidden="true" className="flex justify-between text-sm text-muted">
        <span>{format(min)}</span>
        <span>{format(max)}</span>
      </div>
      <p role="status" className="text-sm text-muted">
        {correction}
      </p>
    </div>
  );
}
