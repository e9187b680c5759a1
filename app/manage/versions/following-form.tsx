// Small forms that stay open while what they show is changed elsewhere.
import { type RefObject, useEffect, useRef, useState } from "react";
import { toOneLine } from "../../../supabase/functions/_shared/one-line.ts";
import { FieldConflicts } from "./field-conflicts.tsx";
import { type Conflict, mergeDocuments, type Side } from "./merge-documents.ts";

type Values = Readonly<Record<string, string>>;

/**
 * Lets the uncontrolled fields of a form follow what is stored: a field that was not changed here takes the new value.
 * @param stored the values by the names of the fields
 */
export function useFollowingForm<Stored extends Values>(
  form: RefObject<HTMLFormElement | null>,
  stored: Stored,
) {
  const base = useRef<Values>(stored);
  const newest = useRef(stored);
  const [conflicts, setConflicts] = useState<readonly Conflict[]>([]);

  function merge(choose?: (path: string) => Side | undefined): readonly Conflict[] {
    const merged = mergeDocuments<Values>(base.current, typed(), newest.current, choose);
    base.current = merged.base;
    for (const [name, value] of Object.entries(merged.document)) {
      const field = fieldOf(form.current, name);
      if (field && field.value !== value) field.value = value;
    }
    setConflicts(merged.conflicts);
    return merged.conflicts;
  }

  /** A form can lack fields, such as a role that may not change. */
  function typed(): Values {
    const values = Object.entries(base.current).map(([name, value]) => {
      return [name, fieldOf(form.current, name)?.value ?? value];
    });
    return Object.fromEntries(values);
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the values decide, not the object.
  useEffect(() => {
    newest.current = stored;
    merge();
  }, [JSON.stringify(stored)]);

  return {
    conflicts,
    choose: (path: string, side: Side) => merge((at) => (at === path ? side : undefined)),
    /**
     * What was changed here, trimmed, a text of one line without tabs. Everything else may have changed elsewhere.
     * @param read reads what is stored now, because a change elsewhere may not have been heard; undefined when it is gone
     * @throws when the same was changed elsewhere. The form shows both then
     */
    async changes(read: () => Promise<Stored | undefined>): Promise<Partial<Stored>> {
      newest.current = (await read()) ?? newest.current;
      if (merge().length > 0) throw new Error(conflictText);
      const changed = Object.entries(typed())
        .map(([name, value]) => {
          const isLine = fieldOf(form.current, name) instanceof HTMLInputElement;
          return [name, (isLine ? toOneLine(value) : value).trim()] as const;
        })
        .filter(([name, value]) => value !== base.current[name]);
      // The names are those of the stored values.
      return Object.fromEntries(changed) as Partial<Stored>;
    },
  };
}

const conflictText = "Another window changed this as well. Choose what counts.";

function fieldOf(form: HTMLFormElement | null, name: string) {
  const field = form?.elements.namedItem(name);
  const hasValue =
    field instanceof RadioNodeList ||
    field instanceof HTMLInputElement ||
    field instanceof HTMLTextAreaElement ||
    field instanceof HTMLSelectElement;
  return hasValue ? field : null;
}

interface FormConflictsProps {
  form: Pick<ReturnType<typeof useFollowingForm>, "conflicts" | "choose">;
  names: Readonly<Record<string, string>>;
  /** The text of a value that is not shown as it is stored. */
  textOf?: (value: string, field: string) => string;
}

export function FormConflicts({ form, names, textOf = (value) => value }: FormConflictsProps) {
  const { conflicts, choose } = form;
  if (conflicts.length === 0) return null;
  return (
    <div className="rounded-md bg-clay-soft p-4">
      <p role="alert" className="font-medium">
        {conflictText}
      </p>
      <FieldConflicts
        conflicts={conflicts}
        nameOf={(field) => names[field] ?? field}
        textOf={(value, field) => textOf(String(value), field) || "Empty"}
        onChoose={choose}
      />
    </div>
  );
}
