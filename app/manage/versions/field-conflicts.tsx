import { Button } from "../button.tsx";
import type { Conflict, Side } from "./merge-documents.ts";
import { WordDifferences } from "./word-differences.tsx";

interface FieldConflictsProps {
  conflicts: readonly Conflict[];
  nameOf: (path: string) => string;
  textOf: (value: unknown, path: string) => string;
  onChoose: (path: string, side: Side) => void;
}

export function FieldConflicts({ conflicts, nameOf, textOf, onChoose }: FieldConflictsProps) {
  return conflicts.map(({ path, here, there }) => {
    const name = nameOf(path);
    return (
      <div key={path} className="mt-5">
        <h3 className="font-sans text-base font-semibold">{name}</h3>
        <WordDifferences
          before={{ label: "Yours", text: textOf(here, path) }}
          after={{ label: "The other version", text: textOf(there, path) }}
        />
        <div className="mt-3 flex flex-wrap gap-3">
          <Button of={name} onClick={() => onChoose(path, "here")}>
            Keep mine
          </Button>
          <Button of={name} onClick={() => onChoose(path, "there")}>
            Use the other version
          </Button>
        </div>
      </div>
    );
  });
}
