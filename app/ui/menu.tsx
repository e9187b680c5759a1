import { Ellipsis } from "lucide";
import {
  type ComponentProps,
  createContext,
  type KeyboardEvent,
  type ReactNode,
  useContext,
  useId,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { Link } from "react-router";
import { Icon } from "./icon.ts";

/** Closes the menu, which returns the focus to its button. */
const CloseContext = createContext(() => {});

interface MoreMenuProps {
  /** What the actions are for, such as the title of the row. Only screen readers read it. */
  of: string;
  children: ReactNode;
}

/** The button '⋯' with the actions that are used less often. */
export function MoreMenu({ of, children }: MoreMenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={id}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        className="inline-flex size-10 shrink-0 items-center justify-center rounded-md text-muted transition-colors hover:bg-sand hover:text-ink aria-expanded:bg-sand aria-expanded:text-ink"
      >
        <Icon drawing={Ellipsis} className="size-5" />
        <span className="sr-only">{`More actions for ${of}`}</span>
      </button>
      <div
        ref={popup}
        id={id}
        popover="auto"
        role="menu"
        aria-label={isOpen ? `More actions for ${of}` : undefined}
        onBeforeToggle={({ newState }) => {
          if (newState !== "open") return;
          flushSync(() => setOpen(true));
          // It is shown after this event, and painted after the next frame has begun.
          requestAnimationFrame(() => open(button.current, popup.current));
        }}
        // After the browser has returned the focus, which it does only from an item that is still there.
        onToggle={({ newState }) => setOpen(newState === "open")}
        onKeyDown={(event) => {
          if (event.key === "Tab") popup.current?.hidePopover();
          else moveBy(event);
        }}
        className="absolute inset-auto m-0 max-h-[calc(100dvh-1rem)] max-w-72 min-w-48 overflow-y-auto rounded-lg border border-line bg-surface p-1 text-left text-sm text-ink shadow-lift"
      >
        <CloseContext value={() => popup.current?.hidePopover()}>{isOpen && children}</CloseContext>
      </div>
    </>
  );
}

/** The distance from the edges of the window, in pixels. */
const margin = 8;

/** Places the menu below its button, or above where there is more room, and moves the focus to its first item. */
function open(button: HTMLElement | null, popup: HTMLElement | null): void {
  if (!button || !popup) return;
  const { top, bottom, right } = button.getBoundingClientRect();
  const { offsetWidth, offsetHeight } = popup;
  const end = document.documentElement.clientWidth - margin - offsetWidth;
  const isBelow = bottom + offsetHeight + margin <= window.innerHeight || top < offsetHeight;
  popup.style.left = `${Math.max(margin, Math.min(right - offsetWidth, end)) + window.scrollX}px`;
  popup.style.top = `${(isBelow ? bottom + 4 : top - 4 - offsetHeight) + window.scrollY}px`;
  itemsOf(popup)[0]?.focus({ preventScroll: true });
}

function itemsOf(popup: Element): HTMLElement[] {
  return [...popup.querySelectorAll<HTMLElement>("[role^=menuitem]:enabled, a[role=menuitem]")];
}

/** Arrows, Home, End, and the first letters of items, as in other menus. */
function moveBy(event: KeyboardEvent<HTMLElement>): void {
  const { key, currentTarget } = event;
  const items = itemsOf(currentTarget);
  const at = items.findIndex((item) => item.matches(":focus"));
  const later = [...items.slice(at + 1), ...items.slice(0, at + 1)];
  const next = {
    ArrowDown: later[0],
    ArrowUp: items.at(at - 1),
    Home: items[0],
    End: items.at(-1),
  }[key];
  const startsWithKey = (item: HTMLElement) =>
    item.textContent.toLowerCase().startsWith(key.toLowerCase());
  const target = next ?? (/^\S$/.test(key) ? later.find(startsWithKey) : undefined);
  // A link is pressed with Enter alone.
  if (key === " " && document.activeElement instanceof HTMLAnchorElement) {
    document.activeElement.click();
  } else if (target) {
    target.focus();
  } else {
    return;
  }
  event.preventDefault();
}

const itemClass =
  "flex min-h-10 w-full items-center gap-2.5 rounded-md px-3 py-1.5 text-left font-medium wrap-anywhere hover:bg-sand focus:bg-sand focus-visible:-outline-offset-2 disabled:opacity-50 disabled:hover:bg-transparent";

interface MenuItemProps {
  look?: "plain" | "danger";
  disabled?: boolean;
  onClick: () => void;
  children: ReactNode;
}

export function MenuItem({ look = "plain", disabled = false, onClick, children }: MenuItemProps) {
  const close = useContext(CloseContext);
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      disabled={disabled}
      onClick={() => {
        // First, so that a dialog that the action opens returns the focus to the button of the menu.
        close();
        onClick();
      }}
      className={`${itemClass} ${look === "danger" ? "text-danger" : ""}`}
    >
      {children}
    </button>
  );
}

export function MenuLink({ children, ...link }: Omit<ComponentProps<typeof Link>, "className">) {
  const close = useContext(CloseContext);
  return (
    <Link onClick={close} {...link} role="menuitem" tabIndex={-1} className={itemClass}>
      {children}
    </Link>
  );
}

interface MenuChoiceProps {
  label: string;
  value: string;
  options: Iterable<readonly [value: string, text: string]>;
  disabled: boolean;
  onChoose: (value: string) => void;
}

/** One of several values, of which the current one has a mark. */
export function MenuChoice({ label, value, options, disabled, onChoose }: MenuChoiceProps) {
  const close = useContext(CloseContext);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is no group of a menu.
    <div role="group" aria-label={label}>
      {[...options].map(([each, text]) => (
        <button
          key={each}
          type="button"
          role="menuitemradio"
          aria-checked={each === value}
          tabIndex={-1}
          disabled={disabled}
          onClick={() => {
            close();
            onChoose(each);
          }}
          className={`group ${itemClass}`}
        >
          <span className="mx-1 size-2 rounded-full group-aria-checked:bg-clay" />
          <span>{text}</span>
        </button>
      ))}
    </div>
  );
}

export function MenuSeparator() {
  return <hr className="mx-3 my-1 border-line" />;
}
