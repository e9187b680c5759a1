import { ArrowDown, ArrowUp, Plus, X } from "lucide";
import { type ReactNode, useRef } from "react";
import { flushSync } from "react-dom";
import { buttonClass } from "../../../ui/button.ts";
import { Icon } from "../../../ui/icon.ts";
import { emptyEntry, limitAt } from "../fit-document.ts";
import { Problem } from "./field-frame.tsx";
import { idOf, useForm } from "./form-context.ts";

interface EntriesControlProps {
  name: string;
  label: string;
  help: string;
  /** How one entry is called, such as "Paragraph". */
  entry: string;
  entries: readonly unknown[];
  onChange: (entries: unknown[]) => void;
  children: (entry: unknown, index: number) => ReactNode;
}

/** A list to add to, remove from and reorder, by pointer and keyboard. */
export function EntriesControl(props: EntriesControlProps) {
  const { name, label, help, entry, entries, onChange, children } = props;
  const { section, problemAt, visit, announce } = useForm();
  const group = useRef<HTMLFieldSetElement>(null);
  const id = idOf(name);
  const limit = limitAt(section, [name]);
  const isFull = limit !== null && entries.length >= limit;
  const title = (index: number) => `${entry} ${index + 1}`;

  /** Renders the change before it moves the focus to what replaces the pressed button. */
  function change(next: unknown[], focus: string, message: string): void {
    flushSync(() => onChange(next));
    group.current?.querySelector<HTMLElement>(focus)?.focus();
    announce(message);
  }

  function add(): void {
    const index = entries.length;
    const next = [...entries, emptyEntry(section, name)];
    change(next, `[data-entry="${index}"] :is(input, textarea)`, `${title(index)} added.`);
  }

  function remove(index: number): void {
    const left = entries.length - 1;
    const focus =
      left === 0 ? "[data-add]" : `[data-entry="${Math.min(index, left - 1)}"] [data-remove]`;
    change(entries.toSpliced(index, 1), focus, `${title(index)} removed. ${left} left.`);
    visit(name);
  }

  function move(index: number, by: 1 | -1): void {
    const to = index + by;
    const next = entries.toSpliced(index, 1).toSpliced(to, 0, entries[index]);
    const isAtEnd = to === 0 || to === entries.length - 1;
    const direction = (by === -1) === isAtEnd ? "down" : "up";
    const focus = `[data-entry="${to}"] [data-move="${direction}"]`;
    change(next, focus, `Moved to place ${to + 1} of ${entries.length}.`);
  }

  return (
    <fieldset
      ref={group}
      id={id}
      tabIndex={-1}
      aria-describedby={`${id}-help`}
      className="outline-none"
    >
      <legend className="text-sm font-semibold">{label}</legend>
      <p id={`${id}-help`} className="text-sm text-muted">
        {help}
        {limit !== null && ` At most ${limit}.`}
      </p>
      {entries.length > 0 && (
        <ol className="mt-3 space-y-3">
          {entries.map((value, index) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: entries have no identity, and their controls no state.
              key={index}
              data-entry={index}
              className="rounded-md border border-line bg-surface p-4 pt-2"
            >
              <div className="flex items-center justify-between gap-2">
                <span aria-hidden="true" className="text-sm text-muted">
                  {title(index)}
                </span>
                <span className="-mr-2 flex">
                  <EntryButton
                    data-move="up"
                    label={`Move ${title(index)} up`}
                    drawing={ArrowUp}
                    disabled={index === 0}
                    onClick={() => move(index, -1)}
                  />
                  <EntryButton
                    data-move="down"
                    label={`Move ${title(index)} down`}
                    drawing={ArrowDown}
                    disabled={index === entries.length - 1}
                    onClick={() => move(index, 1)}
                  />
                  <EntryButton
                    data-remove=""
                    label={`Remove ${title(index)}`}
                    drawing={X}
                    onClick={() => remove(index)}
                  />
                </span>
              </div>
              {children(value, index)}
            </li>
          ))}
        </ol>
      )}
      <Problem id={`${id}-problem`} text={problemAt(name)} />
      <button
        type="button"
        data-add=""
        disabled={isFull}
        onClick={add}
        className={`${buttonClass("secondary", "small")} mt-3`}
      >
        <Icon drawing={Plus} className="size-4" />
        Add {entry.toLowerCase()}
      </button>
    </fieldset>
  );
}

interface EntryButtonProps {
  "data-move"?: string;
  "data-remove"?: string;
  label: string;
  drawing: typeof X;
  disabled?: boolean;
  onClick: () => void;
}

function EntryButton({ label, drawing, ...button }: EntryButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      {...button}
      className="flex size-10 items-center justify-center rounded-full text-muted hover:bg-sand hover:text-ink disabled:opacity-35"
    >
      <Icon drawing={drawing} className="size-4.5" />
    </button>
  );
}
