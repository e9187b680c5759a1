/** What a slider allows and where it starts. */
export interface SliderRange {
  min: number;
  max: number;
  step: number;
  initial: number;
}

/** The nearest value that the range allows: what was typed is corrected, never refused. */
export function fitToRange(value: number, { min, max, step }: SliderRange): number {
  if (Number.isNaN(value)) return min;
  const stepped = min + Math.round((value - min) / step) * step;
  return Math.min(max, Math.max(min, stepped));
}
