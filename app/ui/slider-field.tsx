import { type PointerEvent, useId, useRef, useState } from "react";
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
  /** Whether equal distances multiply the number, so that a wide range leaves room for its usual, low numbers. */
  isLogarithmic?: boolean;
  onChange: (value: number) => void;
}

/** A slider with a number field, which needs no dragging (WCAG 2.5.7). */
export function SliderField(props: SliderFieldProps) {
  const { name, label, value, range, prefix, suffix, format = String, onChange } = props;
  const { isLogarithmic = false } = props;
  const { min, max, step } = range;
  const scale = scaleOf(range, isLogarithmic);
  const middle = isLogarithmic ? roundedMiddle(scale, range) : null;
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
        <span className="print:hidden flex w-34 shrink-0 items-center gap-1.5 rounded-md border border-edge bg-surface px-3 max-[22rem]:w-30 max-[22rem]:px-2 focus-within:outline-3 focus-within:outline-clay">
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
      <Slider
        id={id}
        {...{ value, range, scale }}
        text={format(value)}
        onChange={(number) => {
          onChange(number);
          setCorrection("");
        }}
      />
      <div
        aria-hidden="true"
        className="relative flex justify-between text-sm text-muted print:hidden"
      >
        <span>{format(min)}</span>
        {middle !== null && (
          <span
            className="slider-mark absolute -translate-x-1/2 max-[22rem]:hidden"
            style={{ "--share": scale.shareOf(middle) }}
          >
            {format(middle)}
          </span>
        )}
        <span>{format(max)}</span>
      </div>
      <p role="status" className="text-sm text-muted print:hidden">
        {correction}
      </p>
    </div>
  );
}

interface SliderProps {
  id: string;
  value: number;
  range: SliderRange;
  scale: Scale;
  /** The value in words. */
  text: string;
  onChange: (value: number) => void;
}

/** In pixels. app.css has the same. */
const thumbWidth = 24;

/**
 * A range input with the true numbers, for keyboards and screen readers. It is invisible over a drawn track and thumb, because
 * browsers have no other scale than a linear one; pointers are read here for the same reason.
 */
function Slider({ id, value, range, scale, text, onChange }: SliderProps) {
  const { min, max, step } = range;
  /** How far from its center the thumb is held, in pixels; null while it is not held. */
  const grip = useRef<number | null>(null);

  function positionOf({ currentTarget, clientX }: PointerEvent): [x: number, length: number] {
    const { left, width } = currentTarget.getBoundingClientRect();
    return [clientX - left - thumbWidth / 2, width - thumbWidth];
  }

  function grasp(event: PointerEvent<HTMLInputElement>) {
    if (event.button !== 0) return;
    // The browser would set the value on its own scale. This also keeps it from moving the focus.
    event.preventDefault();
    event.currentTarget.focus();
    event.currentTarget.setPointerCapture(event.pointerId);
    const [x, length] = positionOf(event);
    const distance = x - scale.shareOf(value) * length;
    grip.current = Math.abs(distance) <= thumbWidth / 2 ? distance : 0;
    follow(event);
  }

  function follow(event: PointerEvent<HTMLInputElement>) {
    if (grip.current === null) return;
    const [x, length] = positionOf(event);
    const number = fitToRange(scale.valueAt((x - grip.current) / length), range);
    if (number !== value) onChange(number);
  }

  return (
    <div
      className="slider mt-3 noscript:hidden print:hidden"
      style={{ "--share": scale.shareOf(value) }}
    >
      <input
        id={id}
        type="range"
        min={min}
        max={max}
        step={step}
        value={value}
        aria-valuetext={text}
        onChange={({ target }) => {
          // A touch also reaches the browser's own scale.
          if (grip.current === null) onChange(target.valueAsNumber);
        }}
        onPointerDown={grasp}
        onPointerMove={follow}
        onLostPointerCapture={() => {
          grip.current = null;
        }}
      />
      <span aria-hidden="true" />
    </div>
  );
}

/** Where the numbers of a range are on a track, as shares of its length. */
interface Scale {
  shareOf: (value: number) => number;
  valueAt: (share: number) => number;
}

export function scaleOf({ min, max, step }: SliderRange, isLogarithmic: boolean): Scale {
  const length = max - min;
  // Nothing to choose from.
  if (length <= 0) return { shareOf: () => 1, valueAt: () => min };
  if (!isLogarithmic) {
    return { shareOf: (value) => (value - min) / length, valueAt: (share) => min + share * length };
  }
  // Zero has no logarithm. With two steps in its place, the first step takes less than a tenth of the track.
  const unit = 2 * step;
  const decades = Math.log1p(length / unit);
  return {
    shareOf: (value) => Math.log1p((value - min) / unit) / decades,
    valueAt: (share) => min + unit * Math.expm1(share * decades),
  };
}

/** A round number near the middle of the track, such as 200, 500 or 1,000. */
function roundedMiddle(scale: Scale, range: SliderRange): number | null {
  const exact = scale.valueAt(0.5);
  const power = 10 ** Math.floor(Math.log10(exact));
  const factor = [1, 2, 5, 10].findLast((each) => exact >= each * power * 0.75) ?? 1;
  const middle = fitToRange(factor * power, range);
  return middle > range.min && middle < range.max ? middle : null;
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
