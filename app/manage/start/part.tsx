import type { IconNode } from "lucide";
import { type ReactNode, useId } from "react";
import { Link } from "react-router";
import { Icon } from "../../ui/icon.ts";
import { Button } from "../button.tsx";
import { type LiveQuery, useLiveQuery } from "../live-query.ts";

interface PartProps<Value> {
  title: string;
  /** Leads to all of what the part shows some of. */
  all: { to: string; label: string };
  query: LiveQuery<Value>;
  /** In the sentences 'Loading messages...' and 'The messages could not be loaded.' */
  noun: string;
  children: (value: Value) => ReactNode;
}

/** A part of Home, which is read, fails and is tried again alone. It has the same height in every state. */
export function Part<Value>(props: PartProps<Value>) {
  const { title, all, query, noun, children } = props;
  const { value, failures, retry } = useLiveQuery(query);
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <div className="flex min-h-7 items-center justify-between gap-4">
        <h2 id={id} className="text-xl">
          {title}
        </h2>
        <Link
          to={all.to}
          className="inline-flex min-h-6 shrink-0 items-center text-sm font-medium text-muted underline-offset-4 hover:text-ink hover:underline"
        >
          {all.label}
        </Link>
      </div>
      <div className="mt-3 flex min-h-49 flex-col overflow-clip rounded-lg border border-line bg-surface">
        {value !== undefined ? (
          children(value)
        ) : failures > 0 ? (
          <div role="alert" className="m-auto px-6 py-4 text-center">
            <p>{`The ${noun} could not be loaded.`}</p>
            <Button className="mt-3" onClick={retry} of={noun}>
              Try again
            </Button>
          </div>
        ) : (
          <Placeholder noun={noun} />
        )}
      </div>
    </section>
  );
}

const widths = ["w-2/5", "w-3/5", "w-1/2"];

interface PlaceholderProps {
  noun: string;
  rows?: number;
}

/** Rows that stand for what is being read; after some seconds a sentence in their place. */
export function Placeholder({ noun, rows = widths.length }: PlaceholderProps) {
  return (
    <div className="relative">
      <p role="status" className="sr-only">{`Loading ${noun}...`}</p>
      <div aria-hidden="true" className="divide-y divide-line">
        {widths.slice(0, rows).map((width) => (
          <div key={width} className="flex h-16 flex-col justify-center gap-2 px-4 sm:px-5">
            <div className={`skeleton h-4 ${width}`} />
            <div className="skeleton h-3 w-4/5" />
          </div>
        ))}
      </div>
      <p className="late absolute inset-0 flex items-center justify-center bg-surface px-6 text-center text-sm text-balance text-muted">
        This is taking longer than it should. It goes on trying.
      </p>
    </div>
  );
}

interface EmptyProps {
  drawing: IconNode;
  text: string;
  children?: ReactNode;
}

/** What a part says while it has nothing to show, with what to do then. */
export function Empty({ drawing, text, children }: EmptyProps) {
  return (
    <div className="m-auto flex flex-col items-center gap-3 px-6 py-4 text-center">
      <Icon drawing={drawing} className="size-6 text-edge" />
      <p className="max-w-xs text-balance text-muted">{text}</p>
      {children}
    </div>
  );
}
