import { SliderField } from "../ui/slider-field.tsx";
import { fitToRange, type SliderRange } from "./slider-range.ts";

interface RangeFieldProps {
  name: string;
  label: string;
  range: SliderRange;
  value: number;
  prefix?: string;
  suffix?: string;
  format?: (value: number) => string;
  onChange: (value: number) => void;
}

/** A slider of a calculator. */
export function RangeField({ label, range, value, format = String, ...rest }: RangeFieldProps) {
  return (
    <SliderField
      {...rest}
      label={label}
      min={range.min}
      max={range.max}
      step={range.step}
      value={value}
      format={format}
      toAllowed={(typed) => fitToRange(typed, range)}
    />
  );
}
