import { useState } from "react";

/** A result that is computed on press alone and knows when its inputs have moved on (section 4). */
export function useCalculation<Input extends Record<string, number>>(
  input: Input,
  calculate: (input: Input) => number,
) {
  const [done, setDone] = useState<{ input: Input; result: number } | null>(null);
  return {
    result: done?.result ?? null,
    outdated: done !== null && Object.keys(input).some((key) => input[key] !== done.input[key]),
    onCalculate: () => setDone({ input, result: calculate(input) }),
  };
}
