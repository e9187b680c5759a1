import type { PointerEvent } from "react";

interface ChartSliderProps {
  label: string;
  count: number;
  /** Index of the selected point; null for none. */
  index: number | null;
  /** A point in words, for screen readers. */
  describe: (index: number) => string;
  onSelect: (index: number | null) => void;
}

/** An invisible slider over a chart: pointer, touch, keyboard and screen readers select a point with it. */
export function ChartSlider({ label, count, index, describe, onSelect }: ChartSliderProps) {
  const last = count - 1;
  const value = index ?? last;

  function follow({ currentTarget, clientX, pointerType }: PointerEvent<HTMLInputElement>) {
    if (pointerType === "touch") return;
    const { left, width } = currentTarget.getBoundingClientRect();
    // The center of the thumb, which is 16 px wide, stays 8 px away from both ends.
    const share = (clientX - left - 8) / (width - 16);
    onSelect(Math.round(Math.min(1, Math.max(0, share)) * last));
  }

  return (
    <input
      type="range"
      aria-label={label}
      aria-valuetext={describe(value)}
      min={0}
      max={last}
      value={value}
      onChange={({ target }) => onSelect(target.valueAsNumber)}
      onFocus={({ target }) => target.matches(":focus-visible") && onSelect(value)}
      onBlur={() => onSelect(null)}
      onPointerMove={follow}
      onPointerLeave={({ pointerType }) => pointerType !== "touch" && onSelect(null)}
      className="absolute inset-y-0 -left-2 m-0 h-full w-[calc(100%+1rem)] cursor-crosshair touch-pan-y opacity-0 noscript:hidden"
    />
  );
}
