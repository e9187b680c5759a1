import { createContext, type ReactNode, useContext } from "react";
import type { Site } from "../../config/public-site.ts";
import type { FieldInfo } from "../../config/site-schema.ts";
import { controlClass } from "../../ui/field.tsx";
import type { AnyDocument, Schema } from "./fields.ts";

interface FormContextValue {
  /** The site with this document. Not in the setup. */
  site: Site | undefined;
  /** The whole document, for fields that depend on others. */
  document: AnyDocument;
  /** What the form shows without a draft. */
  start: AnyDocument;
  change(document: AnyDocument): void;
  /** Changes the document in nothing but which of its texts were read. */
  markRead(document: AnyDocument): void;
  /** Whether a field still has a text that came with the site and was not read. */
  isUnread(path: string): boolean;
  /** The problem to show at a path; undefined while the owner has not left the field. */
  problemAt(path: string): string | undefined;
  /** The number of problems that are shown at or below the paths. */
  countProblems(paths: readonly string[]): number;
  /** Called when the owner leaves a field, whose problem may be shown then. */
  visit(path: string): void;
}

export const FormContext = createContext<FormContextValue | null>(null);

export function useForm(): FormContextValue {
  const form = useContext(FormContext);
  if (!form) throw new Error("useForm must be used within a settings form");
  return form;
}

export function idOf(path: string): string {
  return `setting-${path.replace(/[^\w-]+/g, "-").replace(/-$/, "")}`;
}

export interface FieldProps<Value = unknown> {
  schema: Schema;
  info: FieldInfo;
  /** The path of the value, such as "socials[0].url". */
  path: string;
  value: Value;
  onChange: (value: Value) => void;
}

interface FieldFrameProps {
  path: string;
  label: ReactNode;
  help: string;
  /** In characters. Shown when the text gets close to its limit. */
  length?: { current: number; limit: number };
  /** A second line below the control, such as the number that a link dials. */
  note?: ReactNode;
  optional?: boolean;
  /** Whether the label is hidden, as for an entry of a list with a visible title. */
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
        <span>{label}</span>
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
        {length && length.current > 0.8 * length.limit && (
          <p
            className={`ml-auto shrink-0 tabular-nums ${length.current > length.limit ? "font-semibold text-danger" : ""}`}
          >
            <span>{`${length.current} of ${length.limit}`}</span>
            <span className="sr-only"> characters</span>
          </p>
        )}
      </div>
      <Problem id={`${id}-problem`} text={problem} />
    </div>
  );
}

interface FieldGroupProps extends Pick<FieldProps, "info" | "path"> {
  hint?: string;
  children: ReactNode;
}

/** Several controls with one label and help. Links in the summary of problems lead here. */
export function FieldGroup({ info, path, hint, children }: FieldGroupProps) {
  const id = idOf(path);
  return (
    <fieldset
      id={id}
      tabIndex={-1}
      aria-describedby={`${id}-help`}
      className="min-w-0 outline-none"
    >
      <legend className="text-sm font-semibold">{info.label}</legend>
      <p id={`${id}-help`} className="text-sm text-muted">
        {`${info.help ?? ""}${hint ?? ""}`}
      </p>
      {children}
    </fieldset>
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
