import { diffWordsWithSpace } from "diff";
import type { ReactNode } from "react";

/** In milliseconds. Longer comparisons of long texts are given up, and the texts are shown without marks. */
const timeout = 500;

export interface ComparedText {
  /** Whose text it is. */
  label: string;
  text: string;
}

interface WordDifferencesProps {
  before: ComparedText;
  after: ComparedText;
}

/** Two texts side by side, with the words that only one of them has. */
export function WordDifferences({ before, after }: WordDifferencesProps) {
  const parts = diffWordsWithSpace(before.text, after.text, { timeout }) ?? [
    { value: before.text, removed: true, added: false },
    { value: after.text, removed: false, added: true },
  ];
  return (
    <div className="mt-1 grid gap-3 sm:grid-cols-2">
      <Side label={before.label}>
        {parts.map(({ value, added, removed }, index) =>
          added ? null : removed ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of two fixed texts never move.
            <del key={index} className="bg-clay-soft decoration-danger">
              {value}
            </del>
          ) : (
            value
          ),
        )}
      </Side>
      <Side label={after.label}>
        {parts.map(({ value, added, removed }, index) =>
          removed ? null : added ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <ins key={index} className="bg-sage decoration-evergreen">
              {value}
            </ins>
          ) : (
            value
          ),
        )}
      </Side>
    </div>
  );
}

function Side({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <p className="text-sm text-muted">{label}</p>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
        tabIndex={0}
        aria-label={label}
        className="max-h-72 overflow-auto rounded-md border border-line bg-surface p-3 whitespace-pre-wrap [overflow-wrap:anywhere]"
      >
        {children}
      </section>
    </div>
  );
}
