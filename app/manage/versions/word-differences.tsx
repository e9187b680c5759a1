import { diffWordsWithSpace } from "diff";

/** The time limit in milliseconds. Longer comparisons are given up, and the texts are shown without marks. */
const timeout = 500;

export interface ComparedText {
  label: string;
  text: string;
}

interface WordDifferencesProps {
  before: ComparedText;
  after: ComparedText;
}

export function WordDifferences({ before, after }: WordDifferencesProps) {
  const parts = diffWordsWithSpace(before.text, after.text, { timeout }) ?? [
    { value: before.text, removed: true, added: false },
    { value: after.text, removed: false, added: true },
  ];
  return (
    <div className="mt-1 grid gap-3 sm:grid-cols-2">
      <Side label={before.label} parts={parts} own="removed" other="added" />
      <Side label={after.label} parts={parts} own="added" other="removed" />
    </div>
  );
}

interface SideProps {
  label: string;
  parts: readonly { value: string; added: boolean; removed: boolean }[];
  /** Marks the words that only this side has. */
  own: "added" | "removed";
  other: "added" | "removed";
}

function Side({ label, parts, own, other }: SideProps) {
  const [Mark, color] =
    own === "removed"
      ? (["del", "bg-clay-soft decoration-danger"] as const)
      : (["ins", "bg-sage decoration-evergreen"] as const);
  return (
    <div className="min-w-0">
      <p className="text-sm text-muted">{label}</p>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
        tabIndex={0}
        aria-label={label}
        className="max-h-72 overflow-auto rounded-md border border-line bg-surface p-3 whitespace-pre-wrap wrap-anywhere"
      >
        {parts.map((part, index) =>
          part[other] ? null : part[own] ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of two fixed texts never move.
            <Mark key={index} className={color}>
              {part.value}
            </Mark>
          ) : (
            part.value
          ),
        )}
      </section>
    </div>
  );
}
