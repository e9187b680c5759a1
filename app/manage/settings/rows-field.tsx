import { ArrowDown, ArrowUp, ChevronDown, type IconNode, Plus, X } from "lucide";
import { type ComponentProps, type ReactNode, useId, useState } from "react";
import { Icon } from "../../ui/icon.ts";
import { Button } from "../button.tsx";
import { Badge } from "../page-parts.tsx";
import { FieldGroup, type FieldProps, idOf, Problem, useForm } from "./field-frame.tsx";
import { elementOf, fieldsOf, limitOf, shapeLike } from "./fields.ts";
import { useRows } from "./use-rows.ts";

interface RowsFieldProps extends FieldProps<readonly unknown[]> {
  children: (row: {
    name: string;
    path: string;
    value: unknown;
    onChange: (value: unknown) => void;
  }) => ReactNode;
}

export function RowsField({ schema, info, path, value: rows, onChange, children }: RowsFieldProps) {
  const { problemAt, visit } = useForm();
  const { entry = "", collapsible = false } = info;
  const element = elementOf(schema);
  const [first] = fieldsOf(element);
  const nameOf = (row: unknown, index: number) =>
    String((collapsible && first && Object(row)[first.name]) || `${entry} ${index + 1}`);
  const { list, addButton, keys, announcement, add, remove, move } = useRows({
    rows,
    onChange,
    nameOf,
  });
  const [hasAdded, setAdded] = useState(false);
  const max = limitOf(schema);
  return (
    <FieldGroup info={info} path={path} hint={max === null ? "" : ` At most ${max}.`}>
      <ol ref={list} className="mt-2 space-y-3 empty:hidden">
        {rows.map((row, index) => {
          const name = nameOf(row, index);
          const rowPath = `${path}[${index}]`;
          return (
            <RowItem
              key={keys[index] ?? index}
              name={name}
              path={rowPath}
              index={index}
              count={rows.length}
              collapsible={collapsible}
              openAtFirst={hasAdded && index === rows.length - 1}
              onMove={(by) => move(index, by)}
              actions={
                <RowButton
                  data-row-focus={collapsible ? undefined : ""}
                  label={`Remove ${name}`}
                  drawing={X}
                  onClick={() => {
                    remove(index);
                    visit(path);
                  }}
                />
              }
            >
              {children({
                name,
                path: rowPath,
                value: row,
                onChange: (changed) => onChange(rows.with(index, changed)),
              })}
            </RowItem>
          );
        })}
      </ol>
      <Problem id={`${idOf(path)}-problem`} text={problemAt(path)} />
      <Button
        className="mt-3"
        ref={addButton}
        disabled={max !== null && rows.length >= max}
        onClick={() => {
          setAdded(true);
          add(shapeLike(element, undefined));
        }}
      >
        <Icon drawing={Plus} className="size-4" />
        <span>{`Add ${entry.toLowerCase()}`}</span>
      </Button>
      <p role="status" className="sr-only">
        {announcement}
      </p>
    </FieldGroup>
  );
}

/** Parts of a page, in the order of the value. Those that it lacks come last; for the usual order it is empty. */
export function OrderField({ info, path, value, onChange }: FieldProps<readonly unknown[]>) {
  const { choices = {} } = info;
  const usual = Object.keys(choices);
  const rows = [...new Set([...value.map(String), ...usual])];
  const nameOf = (part: string) => choices[part] ?? part;
  const { list, announcement, move } = useRows({
    rows,
    onChange: (order) => onChange(String(order) === String(usual) ? [] : order),
    nameOf,
  });
  return (
    <FieldGroup info={info} path={path}>
      <ol ref={list} className="mt-2 space-y-2">
        {rows.map((part, index) => (
          <RowItem
            key={part}
            name={nameOf(part)}
            path={`${path}[${index}]`}
            index={index}
            count={rows.length}
            onMove={(by) => move(index, by)}
          />
        ))}
      </ol>
      <p role="status" className="sr-only">
        {announcement}
      </p>
    </FieldGroup>
  );
}

interface RowItemProps {
  name: string;
  path: string;
  index: number;
  count: number;
  /** Whether the row opens and closes, as for rows with many controls. */
  collapsible?: boolean;
  openAtFirst?: boolean;
  onMove: (by: 1 | -1) => void;
  icon?: ReactNode;
  /** Content after the name, such as "Hidden". */
  notes?: ReactNode;
  actions?: ReactNode;
  /** Also moves the row, so that phones leave the two buttons out, for longer names. */
  menu?: ReactNode;
  children?: ReactNode;
}

export function RowItem(props: RowItemProps) {
  const { name, path, index, count, collapsible, onMove, icon, notes, actions, menu, children } =
    props;
  const [open, setOpen] = useState(props.openAtFirst === true || !collapsible);
  const panelId = useId();
  const head = (
    <>
      {icon}
      <span className="flex min-w-0 flex-wrap gap-x-3 gap-y-1 py-1.5">
        <span>{name}</span>
        {notes}
        {collapsible && <ProblemNote paths={[path]} />}
      </span>
    </>
  );
  return (
    <li data-field={idOf(path)} className="rounded-md border border-line bg-surface px-4 py-1">
      <div className="flex flex-wrap items-center justify-between gap-x-2">
        {collapsible ? (
          <button
            type="button"
            data-row-focus=""
            aria-expanded={open}
            aria-controls={panelId}
            onClick={() => setOpen(!open)}
            className="flex min-h-11 min-w-40 flex-1 items-center gap-3 text-left font-semibold"
          >
            <Icon
              drawing={ChevronDown}
              className={`size-5 shrink-0 text-muted ${open ? "" : "-rotate-90"}`}
            />
            {head}
          </button>
        ) : (
          <p
            className={`flex min-h-11 min-w-0 items-center gap-3 text-sm ${children ? "text-muted" : "font-medium"}`}
          >
            {head}
          </p>
        )}
        <div className="-mr-2 ml-auto flex">
          <RowButton
            className={menu ? "max-sm:hidden" : ""}
            data-move="up"
            label={`Move ${name} up`}
            drawing={ArrowUp}
            disabled={index === 0}
            onClick={() => onMove(-1)}
          />
          <RowButton
            className={menu ? "max-sm:hidden" : ""}
            data-move="down"
            label={`Move ${name} down`}
            drawing={ArrowDown}
            disabled={index === count - 1}
            onClick={() => onMove(1)}
          />
          {actions}
          {menu}
        </div>
      </div>
      <div id={panelId} className={open ? "space-y-4 pb-3 empty:hidden" : ""}>
        {open && children}
      </div>
    </li>
  );
}

interface RowButtonProps extends Omit<ComponentProps<"button">, "children"> {
  label: string;
  drawing: IconNode;
  "data-move"?: "up" | "down";
  "data-row-focus"?: string;
}

function RowButton({ label, drawing, className = "", ...button }: RowButtonProps) {
  return (
    <button
      {...button}
      type="button"
      aria-label={label}
      title={label}
      className={`flex size-10 items-center justify-center rounded-md text-muted hover:bg-sand hover:text-ink disabled:opacity-35 ${className}`}
    >
      <Icon drawing={drawing} className="size-5" />
    </button>
  );
}

/** The number of problems in a row or part, which may be closed. */
export function ProblemNote({ paths }: { paths: readonly string[] }) {
  const count = useForm().countProblems(paths);
  return count > 0 ? <Badge look="warning">{`${count} to correct`}</Badge> : null;
}

export function StarterNote() {
  return <Badge>Not read yet</Badge>;
}

/** Starting texts are marked until the owner says that she read them: a new title changes none of their promises. */
export function StarterNotice({ of, onRead }: { of: string; onRead: () => void }) {
  return (
    <div className="rounded-md bg-clay-soft p-4">
      <p className="font-semibold">Some of these texts came with your site.</p>
      <p className="mt-1 text-sm">
        They speak in your name, also about what you do and how you are paid. Read them, and change
        what is not true of you.
      </p>
      <Button className="mt-3" of={`of ${of}`} onClick={onRead}>
        I have read all texts
      </Button>
    </div>
  );
}
