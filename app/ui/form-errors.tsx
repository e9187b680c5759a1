interface ErrorSummaryProps {
  /** The invalid fields, in the order of the form. */
  fields: { id: string; label: string }[];
}

/** A list at the top of a form that links to its invalid fields. Each field has its own error message. */
export function ErrorSummary({ fields }: ErrorSummaryProps) {
  if (fields.length === 0) return null;
  return (
    <div role="alert" className={errorClass}>
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

/** Why a submitted form could not be processed. */
export function FormFailure({ text }: { text: string | null | undefined }) {
  if (!text) return null;
  return (
    <p role="alert" className={errorClass}>
      {text}
    </p>
  );
}

const errorClass = "rounded-md bg-clay-soft p-3 text-sm font-medium text-danger";
