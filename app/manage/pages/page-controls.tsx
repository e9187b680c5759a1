import { ArrowDown, ArrowUp } from "lucide";
import { Icon } from "../../ui/icon.ts";
import { Button } from "../button.tsx";
import { SelectField } from "../page-parts.tsx";
import { useAction } from "../use-action.ts";

interface Placed {
  id: string;
  position: number | null;
}

interface PageControlsProps extends Placed {
  title: string;
  place: string | null;
  hidden: boolean;
  /** The pages of the same place before and after it. */
  before: Placed | undefined;
  after: Placed | undefined;
  onChanged: () => void;
}

const places = { menu: "In the menu", footer: "In the footer", none: "Not linked" };
const failure = { title: "The page was not changed" };

/** Where a published page is linked, its order, and whether visitors see it. Each change is public at once. */
export function PageControls(props: PageControlsProps) {
  const { id, position, title, place, hidden, before, after, onChanged } = props;
  const { isRunning, run } = useAction();

  function change(
    changes: Record<string, { place?: string; position?: number; hidden?: boolean }>,
  ) {
    return run(
      async (client) => {
        for (const [changed, values] of Object.entries(changes)) {
          await client
            .from("pages")
            .update(values)
            .eq("id", changed)
            .select("id")
            .single()
            .throwOnError();
        }
        onChanged();
      },
      null,
      failure,
    );
  }

  function swap(other: Placed | undefined) {
    if (!other || position === null || other.position === null) return;
    return change({ [id]: { position: other.position }, [other.id]: { position } });
  }

  return (
    <>
      <SelectField
        inline
        label={`Where ${title} is linked`}
        value={place ?? "none"}
        disabled={isRunning}
        options={Object.entries(places)}
        onChange={(event) => change({ [id]: { place: event.target.value } })}
      />
      <Button disabled={isRunning || !before} onClick={() => swap(before)}>
        <Icon drawing={ArrowUp} className="size-4" />
        <span className="sr-only">Move {title} up</span>
      </Button>
      <Button disabled={isRunning || !after} onClick={() => swap(after)}>
        <Icon drawing={ArrowDown} className="size-4" />
        <span className="sr-only">Move {title} down</span>
      </Button>
      <Button of={title} disabled={isRunning} onClick={() => change({ [id]: { hidden: !hidden } })}>
        {hidden ? "Show" : "Hide"}
      </Button>
    </>
  );
}
