import { useRef, useState } from "react";
import { flushSync } from "react-dom";

interface RowsOptions<Row> {
  rows: readonly Row[];
  onChange: (rows: Row[]) => void;
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
  const [shown, setShown] = useState<KeyedRows>({ texts: [], keys: [] });
  const [announcement, setAnnouncement] = useState("");

  const texts = rows.map((row) => JSON.stringify(row));
  // Rows can also change from outside, as when another window changes them.
  if (texts.join("\n") !== shown.texts.join("\n")) setShown({ texts, keys: keysOf(texts, shown) });

  /** Renders before moving the focus. */
  function apply(change: () => void, text: string): void {
    flushSync(() => {
      setAnnouncement(text);
      change();
    });
  }

  /** Focuses the first control that can be: phones hide some. */
  function focus(index: number, selector: string): void {
    const controls = list.current?.children[index]?.querySelectorAll<HTMLElement>(selector);
    [...(controls ?? [])].find((control) => {
      control.focus();
      return control.matches(":focus");
    });
  }

  return {
    list,
    addButton,
    keys: shown.keys,
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
      apply(change, `${nameOf(row, index)} removed. ${left} left.`);
      if (left === 0) addButton.current?.focus();
      else focus(Math.min(index, left - 1), "[data-row-focus]");
    },

    move(index: number, by: 1 | -1): void {
      const row = rows[index];
      const to = index + by;
      if (row === undefined || to < 0 || to >= rows.length) return;
      apply(
        () => onChange(rows.toSpliced(index, 1).toSpliced(to, 0, row)),
        `${nameOf(row, to)} moved to place ${to + 1} of ${rows.length}.`,
      );
      // The pressed button is disabled at an end of the list.
      const isAtEnd = to === 0 || to === rows.length - 1;
      const direction = (by === 1) === isAtEnd ? "up" : "down";
      focus(to, `[data-move=${direction}], [aria-haspopup=menu]`);
    },
  };
}

interface KeyedRows {
  texts: readonly string[];
  keys: readonly number[];
}

/** A key per row: that of the equal row before, else of the row at its place, which was changed. */
export function keysOf(texts: readonly string[], before: KeyedRows): number[] {
  const unused = new Set(before.keys);
  const use = (key: number | undefined) => (key && unused.delete(key) ? key : undefined);
  const same = texts.map((text, index) =>
    text === before.texts[index] ? use(before.keys[index]) : undefined,
  );
  const moved = texts.map(
    (text, index) =>
      same[index] ??
      use(before.keys.find((key, place) => unused.has(key) && before.texts[place] === text)),
  );
  let last = Math.max(0, ...before.keys);
  return moved.map((key, index) => key ?? use(before.keys[index]) ?? ++last);
}
