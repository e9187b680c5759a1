import { type ComponentProps, type ReactNode, useId } from "react";

const control =
  "mt-1.5 block w-full rounded-md border border-edge bg-surface px-4 py-2.5 text-base text-ink placeholder:text-muted/80 disabled:opacity-60 aria-[invalid=true]:border-danger aria-[invalid=true]:border-2";

interface FieldProps {
  label: ReactNode;
  error?: string;
}

/** A labelled one-line input; its error is tied to it. */
export function TextField({ label, error, ...props }: FieldProps & ComponentProps<"input">) {
  const ownId = useId();
  const id = props.id ?? ownId;
  return (
    <div>
      <label htmlFor={id} className="text-sm font-semibold">
        {label}
      </label>
      <input
        {...props}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        className={control}
      />
      <FieldError id={`${id}-error`} text={error} />
    </div>
  );
}

/** A labelled text area; its error is tied to it. */
export function TextAreaField({ label, error, ...props }: FieldProps & ComponentProps<"textarea">) {
  const ownId = useId();
  const id = props.id ?? ownId;
  return (
    <div>
      <label htmlFor={id} className="text-sm font-semibold">
        {label}
      </label>
      <textarea
        {...props}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        className={control}
      />
      <FieldError id={`${id}-error`} text={error} />
    </div>
  );
}

function FieldError({ id, text }: { id: string; text: string | undefined }) {
  if (!text) return null;
  return (
    <p id={id} className="mt-1.5 text-sm font-medium text-danger">
      {text}
    </p>
  );
}
