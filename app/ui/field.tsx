import { type ComponentProps, type FormEvent, type ReactNode, useId } from "react";
import { trimAddress } from "../../supabase/functions/_shared/one-line.ts";

export const controlClass =
  "mt-1.5 block w-full rounded-md border border-edge bg-surface px-4 py-2.5 text-base text-ink placeholder:text-muted/80 disabled:opacity-60 aria-[invalid=true]:border-danger aria-[invalid=true]:border-2";

interface FieldProps {
  label: ReactNode;
  error?: string;
  /** A question about the answer, which may stay as it is. */
  question?: string;
}

export function TextField({
  label,
  error,
  question,
  ...props
}: FieldProps & ComponentProps<"input">) {
  const id = useFieldId(props.id);
  return (
    <Labelled id={id} label={label} error={error} question={question}>
      <input
        {...controlProps(id, error, question)}
        onInput={props.type === "email" ? removeUnseenMarks : undefined}
        {...props}
      />
    </Labelled>
  );
}

/** The browser would reject an address with marks that came along when it was copied. */
function removeUnseenMarks({ currentTarget }: FormEvent<HTMLInputElement>): void {
  const { value } = currentTarget;
  const visible = trimAddress(value);
  if (visible !== value) currentTarget.value = visible;
}

export function TextAreaField({ label, error, ...props }: FieldProps & ComponentProps<"textarea">) {
  const id = useFieldId(props.id);
  return (
    <Labelled id={id} label={label} error={error}>
      <textarea {...props} {...controlProps(id, error)} />
    </Labelled>
  );
}

function useFieldId(given: string | undefined): string {
  const own = useId();
  return given ?? own;
}

function controlProps(id: string, error?: string, question?: string) {
  return {
    id,
    className: controlClass,
    "aria-invalid": error ? true : undefined,
    "aria-describedby": error ? `${id}-error` : question ? `${id}-question` : undefined,
  };
}

function Labelled({
  id,
  label,
  error,
  question,
  children,
}: FieldProps & { id: string; children: ReactNode }) {
  return (
    <div>
      <label htmlFor={id} className="text-sm font-semibold">
        {label}
      </label>
      {children}
      {error && (
        <p id={`${id}-error`} className="mt-1.5 text-sm font-medium text-danger">
          {error}
        </p>
      )}
      {question && (
        <p id={`${id}-question`} role="status" className="mt-1.5 text-sm text-muted">
          {question}
        </p>
      )}
    </div>
  );
}
