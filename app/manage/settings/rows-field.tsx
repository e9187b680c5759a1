import { Plus, X } from "lucide";
import { type ReactNode, useId, useState } from "react";
import { buttonClass } from "../../ui/button.ts";
import { Icon } from "../../ui/icon.ts";
import { Problem } from "./controls/field-frame.tsx";
import { RowButton, RowHeader } from "./row-header.tsx";
import { useRows } from "./use-rows.ts";

interface RowsFieldProps<Row> {
  /** Makes the list the target of links, as in a summary of problems. */
  id?: string;
  label: string;
  help?: string;
  /** The label of the button that adds a row. */
  addLabel: string;
  rows: readonly Row[];
  onChange: (rows: Row[]) => void;
  newRow: () => Row;
  /** The controls of a row. */
  renderRow: (row: Row, change: (row: Row) => void, index: number) => ReactNode;
  /** What a row is called on screen and by screen readers. */
  rowName: (row: Row, index: number) => string;
  /** After the name of a row. */
  rowNotes?: (index: number) => ReactNode;
  /** Null without a limit. */
  max: number | null;
  /** Whether rows can be closed, for rows with many controls. */
  collapsible?: boolean;
  /** What is wrong with the list as a whole. */
  problem?: string;
}

/** A list of rows to add, remove and reorder by pointer or keyboard. */
export function RowsField<Row>(props: RowsFieldProps<Row>) {
  const { label, help, addLabel, rows, onChange, newRow, rowName, max, problem } = props;
  const { list, addButton, keys, announcement, add, remove, move } = useRows({
    rows,
    onChange,
    nameOf: rowName,
  });
  const [added, setAdded] = useState(0);
  const ownId = useId();
  const id = props.id ?? ownId;
  return (
    <fieldset
      id={id}
      tabIndex={-1}
      aria-describedby={`${id}-help`}
      className="min-w-0 outline-none"
    >
      <legend className="text-sm font-semibold">{label}</legend>
      <p id={`${id}-help`} className="text-sm text-muted">
        {help}
        {max !== null && ` At most ${max}.`}
      </p>
      <ol ref={list} className="mt-2 space-y-3 empty:hidden">
        {rows.map((row, index) => {
          const key = keys[index] ?? index;
          return (
            <RowItem
              key={key}
              name={rowName(row, index)}
              notes={props.rowNotes?.(index)}
              index={index}
              count={rows.length}
              collapsible={props.collapsible ?? false}
              openAtFirst={index >= rows.length - 1 && added > 0}
              onMove={(by) => move(index, by)}
              onRemove={() => remove(index)}
            >
              {props.renderRow(row, (changed) => onChange(rows.with(index, changed)), index)}
            </RowItem>
          );
        })}
      </ol>
      <Problem id={`${id}-problem`} text={problem} />
      <button
        ref={addButton}
        type="button"
        disabled={max !== null && rows.length >= max}
        onClick={() => {
          setAdded(added + 1);
          add(newRow());
        }}
        className={`${buttonClass("secondary", "small")} mt-3`}
      >
        <Icon drawing={Plus} className="size-4" />
        {addLabel}
      </button>
      <p role="status" className="sr-only">
        {announcement}
      </p>
    </fieldset>
  );
}

interface RowItemProps {
  name: string;
  notes: ReactNode;
  index: number;
  count: number;
  collapsible: boolean;
  openAtFirst: boolean;
  onMove: (by: 1 | -1) => void;
  onRemove: () => void;
  children: ReactNode;
}

function RowItem(props: RowItemProps) {
  const { name, notes, index, count, collapsible, onMove, onRemove, children } = props;
  const [open, setOpen] = useState(props.openAtFirst || !collapsible);
  const panelId = useId();
  return (
    <li className="rounded-md border border-line bg-surface px-4 pt-1">
      <RowHeader
        name={name}
        notes={notes}
        index={index}
        count={count}
        onMove={onMove}
        disclosure={collapsible ? { open, panelId, onToggle: () => setOpen(!open) } : undefined}
      >
        <RowButton
          data-row-focus={collapsible ? undefined : ""}
          label={`Remove ${name}`}
          drawing={X}
          onClick={onRemove}
        />
      </RowHeader>
      <div id={panelId} className={open ? "space-y-4 pb-4" : ""}>
        {open && children}
      </div>
    </li>
  );
}
