import type { ReactNode } from "react";
import { controlClass } from "../../../ui/field.tsx";
import { idOf, useForm } from "./form-context.ts";

interface FieldFrameProps {
  path: string;
  label: ReactNode;
  help: string;
  /** In characters, with the current length. */
  length?: { current: number; limit: number };
  /** A second line below the control, such as the number that a link dials. */
  note?: ReactNode;
  optional?: boolean;
  /** For an entry of a list, which has a visible title already. */
  hideLabel?: boolean;
  children: ReactNode;
}

/** A control with its label, help, limit and problem. Spread `useControl(path)` on the control. */
export function FieldFrame(props: FieldFrameProps) {
  const { path, label, help, length, note, optional, hideLabel, children } = props;
  const { problemAt } = useForm();
  const id = idOf(path);
  const problem = problemAt(path);
  return (
    <div>
      <label htmlFor={id} className={hideLabel ? "sr-only" : "text-sm font-semibold"}>
        {label}
        {optional && <span className="font-normal text-muted"> (optional)</span>}
      </label>
      <p id={`${id}-help`} className="text-sm text-muted empty:hidden">
        {help}
      </p>
      {children}
      <div
        id={`${id}-note`}
        className="mt-1 flex justify-between gap-4 text-sm text-muted empty:hidden"
      >
        {note}
        {length && (
          <p
            className={`ml-auto shrink-0 tabular-nums ${length.current > length.limit ? "font-semibold text-danger" : ""}`}
          >
            {length.current} of {length.limit}
            <span className="sr-only"> characters</span>
          </p>
        )}
      </div>
      <Problem id={`${id}-problem`} text={problem} />
    </div>
  );
}

export function Problem({ id, text }: { id: string; text: string | undefined }) {
  if (!text) return null;
  return (
    <p id={id} className="mt-1 text-sm font-medium text-danger">
      {text}
    </p>
  );
}

/** The attributes of a control in a FieldFrame. */
export function useControl(path: string) {
  const { problemAt, visit } = useForm();
  const id = idOf(path);
  const hasProblem = problemAt(path) !== undefined;
  return {
    id,
    className: controlClass,
    "aria-invalid": hasProblem || undefined,
    "aria-describedby": [`${id}-help`, `${id}-note`, hasProblem && `${id}-problem`]
      .filter(Boolean)
      .join(" "),
    onBlur: () => visit(path),
  };
}
