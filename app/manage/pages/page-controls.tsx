import { ArrowDown, ArrowUp } from "lucide";
import { Icon } from "../../ui/icon.ts";
import { Button } from "../button.tsx";
import { SelectField } from "../page-parts.tsx";
import { useAction } from "../use-action.ts";

interface PageControlsProps {
  id: string;
  title: string;
  place: string | null;
  hidden: boolean;
  /** The pages of the same place before and after it. */
  before: { id: string } | undefined;
  after: { id: string } | undefined;
  onChanged: () => void;
}

const places = { menu: "In the menu", footer: "In the footer", none: "Not linked" };
const failure = { title: "The page was not changed" };

/** Where a published page is linked, its order, and whether visitors see it. Each change is public at once. */
export function PageControls(props: PageControlsProps) {
  const { id, title, place, hidden, before, after, onChanged } = props;
  const { isRunning, run } = useAction();

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
      <SelectField
        inline
        label={`Where ${title} is linked`}
        value={place ?? "none"}
        disabled={isRunning}
        options={Object.entries(places)}
        onChange={(event) => change({ place: event.target.value })}
      />
      <Button disabled={isRunning || !before} onClick={() => swapWith(before?.id)}>
        <Icon drawing={ArrowUp} className="size-4" />
        <span className="sr-only">{`Move ${title} up`}</span>
      </Button>
      <Button disabled={isRunning || !after} onClick={() => swapWith(after?.id)}>
        <Icon drawing={ArrowDown} className="size-4" />
        <span className="sr-only">{`Move ${title} down`}</span>
      </Button>
      <Button of={title} disabled={isRunning} onClick={() => change({ hidden: !hidden })}>
        {hidden ? "Show" : "Hide"}
      </Button>
    </>
  );
}
