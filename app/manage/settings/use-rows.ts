import { useRef, useState } from "react";
import { flushSync } from "react-dom";

interface RowsOptions<Row> {
  rows: readonly Row[];
  onChange: (rows: Row[]) => void;
  /** The name of a row for screen readers. */
  nameOf: (row: Row, index: number) => string;
}

/**
 * A list whose rows are added, removed and moved: keeps the identity of rows, moves the focus to what replaces
 * the pressed button, and says what changed.
 *
 * Set `list` on the element that contains the rows. The buttons that move a row have `data-move="up"` and
 * `data-move="down"`. The control with `data-row-focus` receives the focus after the removal of a neighbor.
 */
export function useRows<Row>({ rows, onChange, nameOf }: RowsOptions<Row>) {
  const list = useRef<HTMLOListElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const lastKey = useRef(0);
  const keys = useRef<number[]>([]);
  const [announcement, setAnnouncement] = useState("");

  // Rows can also change from outside, as when an earlier version is restored.
  while (keys.current.length < rows.length) keys.current.push(++lastKey.current);
  keys.current.length = rows.length;

  /** Renders before moving the focus. */
  function apply(change: () => void, text: string): void {
    flushSync(() => {
      setAnnouncement(text);
      change();
    });
  }

  function focus(index: number, selector: string): void {
    list.current?.children[index]?.querySelector<HTMLElement>(selector)?.focus();
  }

  return {
    list,
    addButton,
    keys: keys.current,
    announcement,
    announce: setAnnouncement,

    /** @param change replaces `onChange` when adding the row changes more than the list */
    add(row: Row, change = (added: Row) => onChange([...rows, added])): void {
      const index = rows.length;
      apply(() => change(row), `${nameOf(row, index)} added. ${index + 1} in all.`);
      focus(index, "input, textarea");
    },

    /** @param change replaces `onChange` when removing the row changes more than the list */
    remove(index: number, change = () => onChange(rows.toSpliced(index, 1))): void {
      const row = rows[index];
      if (row === undefined) return;
      const left = rows.length - 1;
      keys.current.splice(index, 1);
      apply(change, `${nameOf(row, index)} removed. ${left} left.`);
      if (left === 0) addButton.current?.focus();
      else focus(Math.min(index, left - 1), "[data-row-focus]");
    },

    move(index: number, by: 1 | -1): void {
      const row = rows[index];
      const to = index + by;
      if (row === undefined || to < 0 || to >= rows.length) return;
      const [key = 0] = keys.current.splice(index, 1);
      keys.current.splice(to, 0, key);
      apply(
        () => onChange(rows.toSpliced(index, 1).toSpliced(to, 0, row)),
        `${nameOf(row, to)} moved to place ${to + 1} of ${rows.length}.`,
      );
      // The pressed button is disabled at an end of the list.
      const isAtEnd = to === 0 || to === rows.length - 1;
      focus(to, `[data-move="${(by === 1) === isAtEnd ? "up" : "down"}"]`);
    },
  };
}
