import { MenuChoice, MenuItem, MenuSeparator } from "../../ui/menu.tsx";
import type { useAction } from "../use-action.ts";

interface PageMenuItemsProps {
  id: string;
  place: string;
  hidden: boolean;
  /** The pages of the same place before and after it. */
  before: { id: string } | undefined;
  after: { id: string } | undefined;
  /** Of the row, because a menu removes its items when it closes. */
  action: ReturnType<typeof useAction>;
  onChanged: () => void;
}

/** Where a page is linked. */
export const places: Readonly<Record<string, string>> = {
  menu: "In the menu",
  footer: "In the footer",
  none: "Not linked",
};
const failure = { title: "The page was not changed" };

/** Where a published page is linked, its order, and whether visitors see it. Each change is public at once. */
export function PageMenuItems(props: PageMenuItemsProps) {
  const { id, place, hidden, before, after, action, onChanged } = props;
  const { isRunning, run } = action;

  function change(values: { place?: string; hidden?: boolean }) {
    return run(
      async (client) => {
        await client.from("pages").update(values).eq("id", id).select("id").single().throwOnError();
        onChanged();
      },
      null,
      failure,
    );
  }

  function swapWith(other: string | undefined) {
    if (!other) return;
    return run(
      async (client) => {
        await client.rpc("swap_pages", { one: id, other }).throwOnError();
        onChanged();
      },
      null,
      failure,
    );
  }

  return (
    <>
      <MenuItem disabled={isRunning || !before} onClick={() => swapWith(before?.id)}>
        Move up
      </MenuItem>
      <MenuItem disabled={isRunning || !after} onClick={() => swapWith(after?.id)}>
        Move down
      </MenuItem>
      <MenuItem disabled={isRunning} onClick={() => change({ hidden: !hidden })}>
        {hidden ? "Show" : "Hide"}
      </MenuItem>
      <MenuSeparator />
      <MenuChoice
        label="Where it is linked"
        value={place}
        disabled={isRunning}
        options={Object.entries(places)}
        onChoose={(chosen) => change({ place: chosen })}
      />
    </>
  );
}
