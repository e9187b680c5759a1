// Parts of pages and forms that many pages have.
import { ChevronDown } from "lucide";
import { type ComponentProps, type ReactNode, useId } from "react";
import { controlClass } from "../ui/field.tsx";
import { Icon } from "../ui/icon.ts";

interface SectionProps {
  title: ReactNode;
  className?: string;
  headingClass?: string;
  children: ReactNode;
}

/** A part of a page, which its heading names. */
export function Section(props: SectionProps) {
  const { title, className, headingClass = "text-xl", children } = props;
  const id = useId();
  return (
    <section aria-labelledby={id} className={className}>
      <h2 id={id} className={headingClass}>
        {title}
      </h2>
      {children}
    </section>
  );
}

const badgeLooks = {
  plain: "bg-sand text-muted",
  good: "bg-sage text-evergreen",
  warning: "bg-clay-soft text-danger",
};

interface BadgeProps {
  look?: keyof typeof badgeLooks;
  children: ReactNode;
}

/** A state of a row in a few words. */
export function Badge({ look = "plain", children }: BadgeProps) {
  return (
    <span
      className={`inline-flex items-center gap-1.5 rounded-full px-2.5 py-0.5 text-sm font-medium whitespace-nowrap ${badgeLooks[look]}`}
    >
      {children}
    </span>
  );
}

interface DisclosureProps {
  title: string;
  note: string;
  mark?: ReactNode;
  className: string;
  children: ReactNode;
}

export function Disclosure(props: DisclosureProps) {
  const { title, note, mark, className, children } = props;
  return (
    <details className={`group ${className}`}>
      <summary className="flex min-h-12 cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 py-2 font-semibold">
        <Icon
          drawing={ChevronDown}
          className="size-5 shrink-0 -rotate-90 text-muted group-open:rotate-0"
        />
        <span>{title}</span>
        <span className="text-sm font-normal text-muted">{note}</span>
        {mark}
      </summary>
      {children}
    </details>
  );
}

interface AlertProps {
  text: string | null | undefined;
  className?: string;
}

/** Why something failed, where it did; nothing without a text. */
export function Alert({ text, className = "mt-3" }: AlertProps) {
  if (!text) return null;
  return (
    <p role="alert" className={`text-sm font-medium text-danger ${className}`}>
      {text}
    </p>
  );
}

interface SelectFieldProps extends Omit<ComponentProps<"select">, "className"> {
  label: ReactNode;
  options: Iterable<readonly [value: string, text: string]>;
  /** The text of the empty choice, if there is one. */
  none?: string;
  /** Whether it stands beside buttons, where only screen readers read the label. */
  inline?: boolean;
}

export function SelectField(props: SelectFieldProps) {
  const { label, options, none, inline = false, ...select } = props;
  const ownId = useId();
  const id = select.id ?? ownId;
  return (
    <div>
      <label htmlFor={id} className={inline ? "sr-only" : "text-sm font-semibold"}>
        {label}
      </label>
      <select
        {...select}
        id={id}
        className={
          inline
            ? "min-h-9 max-w-44 rounded-full border border-edge bg-surface px-3 text-sm"
            : controlClass
        }
      >
        {none !== undefined && <option value="">{none}</option>}
        {[...options].map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

export function Choice({ children, className = "", ...input }: ComponentProps<"input">) {
  return (
    <label className={`flex min-h-10 cursor-pointer items-center gap-3 ${className}`}>
      <input {...input} className="size-5 shrink-0 accent-evergreen" />
      <span className="contents">{children}</span>
    </label>
  );
}
