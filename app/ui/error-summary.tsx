import type { ReactNode } from "react";

interface ErrorSummaryProps {
  /** What is to be corrected, in the order of the form. */
  fields: { id: string; label: string }[];
}

/** Says at the top of a form which answers to look at, with a link to each. What is wrong stands there. */
export function ErrorSummary({ fields }: ErrorSummaryProps) {
  if (fields.length === 0) return null;
  return (
    <div role="alert" className="rounded-md bg-clay-soft p-3 text-sm font-medium text-danger">
      <p>
        {fields.length === 1 ? "Please check 1 answer:" : `Please check ${fields.length} answers:`}
      </p>
      <ul className="mt-1 flex flex-wrap gap-x-4">
        {fields.map(({ id, label }) => (
          <li key={id}>
            <a href={`#${id}`} className="inline-block py-1 underline underline-offset-4">
              {label}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Why a form could not be sent. */
export function FormFailure({ children }: { children: ReactNode }) {
  return (
    <p role="alert" className="rounded-md bg-clay-soft p-3 text-sm font-medium text-danger">
      {children}
    </p>
  );
}
