import { Menu } from "@base-ui/react/menu";
import { Ellipsis, type IconNode } from "lucide";
import { type ComponentProps, createContext, type ReactNode, useContext, useRef } from "react";
import { Link } from "react-router";
import { Icon } from "../ui/icon.ts";

/** Focuses the button of the menu. */
const FocusContext = createContext(() => {});

interface MoreMenuProps {
  /** What the actions are for, such as the title of the row. Only screen readers read it. */
  of: string;
  icon?: IconNode;
  /** The button's text in place of 'More actions'. */
  label?: string;
  className?: string;
  children: ReactNode;
}

/** The button '⋯' with the actions that are used less often. */
export function MoreMenu(props: MoreMenuProps) {
  const { of, icon = Ellipsis, label = "More actions", className = "", children } = props;
  const trigger = useRef<HTMLButtonElement | null>(null);
  /** Has the colors of the owner's area and is inside a landmark. No ancestor clips it. */
  const container = useRef<HTMLElement | null>(null);
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger
        ref={(button: HTMLButtonElement | null) => {
          trigger.current = button;
          container.current = button?.closest<HTMLElement>("main, [data-manage]") ?? null;
        }}
        className={`inline-flex size-10 shrink-0 items-center justify-center rounded-md text-muted transition-colors hover:bg-sand hover:text-ink data-popup-open:bg-sand data-popup-open:text-ink ${className}`}
      >
        <Icon drawing={icon} className="size-5" />
        <span className="sr-only">{`${label} for ${of}`}</span>
      </Menu.Trigger>
      <Menu.Portal container={container}>
        <Menu.Positioner align="end" sideOffset={4} collisionPadding={8} className="z-40">
          <Menu.Popup className="max-h-(--available-height) max-w-72 min-w-48 overflow-y-auto rounded-lg border border-line bg-surface p-1 text-sm text-ink shadow-lift outline-none">
            <FocusContext value={() => trigger.current?.focus()}>{children}</FocusContext>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

const itemClass =
  "flex min-h-10 w-full cursor-pointer items-center gap-2.5 rounded-md px-3 py-1.5 text-left font-medium wrap-anywhere outline-none select-none data-disabled:cursor-default data-disabled:opacity-50 data-highlighted:bg-sand";

interface MenuItemProps {
  look?: "plain" | "danger";
  disabled?: boolean;
  onClick: () => void;
  children: ReactNode;
}

export function MenuItem({ look = "plain", disabled = false, onClick, children }: MenuItemProps) {
  const focusTrigger = useContext(FocusContext);
  return (
    <Menu.Item
      disabled={disabled}
      onClick={() => {
        // First, so that a dialog that the action opens returns the focus to the button, not to an item that is gone.
        focusTrigger();
        onClick();
      }}
      className={`${itemClass} ${look === "danger" ? "text-danger data-highlighted:bg-clay-soft" : ""}`}
    >
      {children}
    </Menu.Item>
  );
}

export function MenuLink({ children, ...link }: Omit<ComponentProps<typeof Link>, "className">) {
  return (
    <Menu.LinkItem closeOnClick render={<Link {...link} />} className={itemClass}>
      {children}
    </Menu.LinkItem>
  );
}

interface MenuChoiceProps {
  label: string;
  value: string;
  options: Iterable<readonly [value: string, text: string]>;
  onChoose: (value: string) => void;
}

/** One of several values, of which the current one has a mark. */
export function MenuChoice({ label, value, options, onChoose }: MenuChoiceProps) {
  return (
    <Menu.RadioGroup value={value} onValueChange={onChoose} aria-label={label}>
      {[...options].map(([each, text]) => (
        <Menu.RadioItem key={each} value={each} closeOnClick className={itemClass}>
          <span className="flex size-4 shrink-0 items-center justify-center">
            <Menu.RadioItemIndicator className="size-2 rounded-full bg-clay" />
          </span>
          <span>{text}</span>
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  );
}

export function MenuSeparator() {
  return <Menu.Separator className="mx-3 my-1 border-t border-line" />;
}
