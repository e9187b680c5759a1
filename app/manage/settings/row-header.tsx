import { ArrowDown, ArrowUp, ChevronDown, type IconNode } from "lucide";
import type { ComponentProps, ReactNode } from "react";
import { Icon } from "../../ui/icon.ts";

interface RowHeaderProps {
  name: string;
  index: number;
  count: number;
  onMove: (by: 1 | -1) => void;
  /** Before the name. */
  icon?: ReactNode;
  /** After the name, such as "Hidden". */
  notes?: ReactNode;
  /** The buttons after those that move the row. */
  children: ReactNode;
  /** Of a row that opens. */
  disclosure?: { open: boolean; panelId: string; onToggle: () => void };
}

/** The name of a row and the buttons that move it. */
export function RowHeader(props: RowHeaderProps) {
  const { name, index, count, onMove, icon, notes, children, disclosure } = props;
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-2">
      {disclosure ? (
        <button
          type="button"
          data-row-focus=""
          aria-expanded={disclosure.open}
          aria-controls={disclosure.panelId}
          onClick={disclosure.onToggle}
          className="flex min-h-11 min-w-40 flex-1 items-center gap-3 text-left font-semibold"
        >
          <Icon
            drawing={ChevronDown}
            className={`size-5 shrink-0 text-muted ${disclosure.open ? "" : "-rotate-90"}`}
          />
          {icon}
          <span className="flex min-w-0 flex-wrap gap-x-3 gap-y-1 py-1.5">
            {name}
            {notes}
          </span>
        </button>
      ) : (
        <p className="flex min-h-11 min-w-0 items-center gap-3 text-sm text-muted">
          {icon}
          {name}
          {notes}
        </p>
      )}
      <div className="-mr-2 ml-auto flex">
        <RowButton
          data-move="up"
          label={`Move ${name} up`}
          drawing={ArrowUp}
          disabled={index === 0}
          onClick={() => onMove(-1)}
        />
        <RowButton
          data-move="down"
          label={`Move ${name} down`}
          drawing={ArrowDown}
          disabled={index === count - 1}
          onClick={() => onMove(1)}
        />
        {children}
      </div>
    </div>
  );
}

interface RowButtonProps extends Omit<ComponentProps<"button">, "children"> {
  label: string;
  drawing: IconNode;
  "data-move"?: "up" | "down";
  "data-row-focus"?: string;
}

export function RowButton({ label, drawing, ...button }: RowButtonProps) {
  return (
    <button
      {...button}
      type="button"
      aria-label={label}
      title={label}
      className="flex size-10 items-center justify-center rounded-full text-muted hover:bg-sand hover:text-ink disabled:opacity-35"
    >
      <Icon drawing={drawing} className="size-5" />
    </button>
  );
}

/** A short note in a row, such as how many problems it has. */
export function RowNote({ danger = false, children }: { danger?: boolean; children: ReactNode }) {
  return (
    <span
      className={`shrink-0 rounded-full px-2.5 py-0.5 text-sm font-medium ${
        danger ? "bg-clay-soft text-danger" : "bg-sand text-muted"
      }`}
    >
      {children}
    </span>
  );
}
