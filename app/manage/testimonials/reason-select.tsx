import type { ComponentProps } from "react";
import { refusalReasons } from "./refusal-reasons.ts";

/** A choice of the reasons of a refusal. `none` is the text of the empty choice. */
export function ReasonSelect({ none, ...props }: ComponentProps<"select"> & { none: string }) {
  return (
    <select {...props}>
      <option value="">{none}</option>
      {Object.entries(refusalReasons).map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}
