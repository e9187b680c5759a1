import { useState } from "react";

/** A result that is computed on press alone and knows when its inputs have moved on (section 4). */
export function useCalculation<Input extends object, Result>(
  input: Input,
  calculate: (input: Input) => Result,
  /** Whether the page comes with a result: without JavaScript the press is the server's. */
  pressed: boolean,
) {
  const [done, setDone] = useState<{ input: Input; result: Result } | null>(
    pressed ? { input, result: calculate(input) } : null,
  );
  const keys = Object.keys(input) as (keyof Input)[];
  return {
    /** The result and what it was computed from; null until the button is pressed. */
    done,
    /** Whether a slider moved since. */
    outdated: done !== null && keys.some((key) => input[key] !== done.input[key]),
    calculate: () => setDone({ input, result: calculate(input) }),
  };
}
