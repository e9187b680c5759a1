import { useId, useState } from "react";
import { removeUnseen, toAscii } from "../../supabase/functions/_shared/one-line.ts";

export interface SliderRange {
  min: number;
  max: number;
  step: number;
  initial: number;
  /** What the number is for, as in `$75,000 a year`. */
  period?: "year" | "month";
}

interface SliderFieldProps {
  /** Name of the number field, which is what the form posts. */
  name: string;
  label: string;
  value: number;
  range: SliderRange;
  /** Displayed before or after the number: "$", "%". */
  prefix?: string;
  suffix?: string;
  format?: (value: number) => string;
  onChange: (value: number) => void;
}

/** A slider with a number field, which needs no dragging (WCAG 2.5.7). */
export function SliderField(props: SliderFieldProps) {
  const { name, label, value, range, prefix, suffix, format = String, onChange } = props;
  const { min, max, step } = range;
  const id = useId();
  // The number may be out of range while the visitor types; it is corrected on blur.
  const [draft, setDraft] = useState<string | null>(null);
  const [correction, setCorrection] = useState("");

  function commit() {
    if (draft === null) return;
    if (draft.trim() !== "") setCorrection(take(parseTypedNumber(draft, range.period)));
    setDraft(null);
  }

  /** @returns how and why a typed number was corrected; empty when it was not. */
  function take(typed: number | null): string {
    if (typed === null) return `Still ${format(value)}: that was not a number.`;
    const allowed = fitToRange(typed, range);
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
            // type="number" would silently reject "75,000".
            type="text"
            name={name}
            inputMode="decimal"
            autoComplete="off"
            aria-label={`${label}, as a number`}
            value={draft ?? formatNumber(value)}
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

export function fitToRange(value: number, { min, max, step }: SliderRange): number {
  if (Number.isNaN(value)) return min;
  const stepped = min + Math.round((value - min) / step) * step;
  // A minimum above the maximum is the only value.
  return Math.max(min, Math.min(max, stepped));
}

/** A number without spaces, with what stands before and behind it. */
const typedNumber =
  /^(?:usd?|us(?=\$))?\$?([-+]?)([\d.,'‘’ʼ′´`]+)(k|m|thousand|million)?(?:%|percent)?(?:usd|dollars?)?(?:(?:\/|per|an?)?(y(?:(?:ea)?r(?:ly)?)?|ann(?:um|ual(?:ly)?)|p\.?a|m(?:o|th|onth)(?:ly)?))?\.?$/i;

/**
 * Parses a number as people type and paste it: `75000`, `75,000`, `US$75,000`, `75k`, `7.5 %`, `7,5`, `$75,000/yr`; null for
 * other text.
 * @param period of the number. Another one in the text would make it another number.
 */
export function parseTypedNumber(text: string, period?: "year" | "month"): number | null {
  const shown = removeUnseen(toAscii(text)).replace(/[\u2212\u2013]/, "-");
  const [, sign = "", written = "", unit = "", per] = typedNumber.exec(shown) ?? [];
  if (per && period !== (/^m/i.test(per) ? "month" : "year")) return null;
  // A comma before one or two last digits, and several points, are as in other languages: 7,5 and 1.250.000.
  const hasOthers = /^[^,]*,\d\d?$|^\d+(?:\.\d{3}){2,}$/.test(written);
  const american = hasOthers ? written.replaceAll(".", "").replace(",", ".") : written;
  const digits = american.replace(/[,'‘’ʼ′´`]/g, "");
  const number = digits === "" ? Number.NaN : Number(sign + digits);
  return Number.isNaN(number) ? null : number * (factors[unit.charAt(0).toLowerCase()] ?? 1);
}

const factors: Record<string, number> = { k: 1_000, t: 1_000, m: 1_000_000 };

/**
 * Formats a number with thousands separators, such as `75,000` or `7.5`. Without Intl, whose first use takes a cheap phone
 * 150 ms.
 */
export function formatNumber(value: number): string {
  return String(value).replace(/\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ","));
}
