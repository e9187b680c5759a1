import { isSectionName } from "../../config/site-schema.ts";
import type { Client } from "../../supabase/client-context.ts";
import type { Database } from "../../supabase/database.ts";
import { Button, TextLink } from "../button.tsx";
import { useLiveQuery, useReload } from "../live-query.ts";
import { useAction } from "../use-action.ts";
import { infoOf } from "./fields.ts";

type Place = Database["public"]["Functions"]["outdated_contact"]["Returns"][number];

async function listPlaces(client: Client): Promise<Place[]> {
  return (await client.rpc("outdated_contact").throwOnError()).data;
}

/** Where the site still has a former phone number, email address or street. @param loadedFor reads it again when it changes */
export function OutdatedContact({ loadedFor }: { loadedFor: string | null }) {
  const { value: places = [] } = useLiveQuery({
    key: ["former contact data", loadedFor],
    read: listPlaces,
    tables: ["posts", "public_site_settings"],
  });
  const values = [...new Set(places.map(({ value }) => value))];
  return (
    <div role="status" className="max-h-[30dvh] overflow-y-auto text-sm">
      {values.map((value) => (
        <div key={value} className="mb-3 rounded-md bg-clay-soft p-3">
          <p>
            <span className="font-semibold">{`Your site still has ${value}.`}</span>
            <span> Change it there, or say that it is right.</span>
          </p>
          <ul className="mt-1">
            {places
              .filter((place) => place.value === value)
              .map((place) => (
                <PlaceItem key={place.thing} place={place} />
              ))}
          </ul>
        </div>
      ))}
    </div>
  );
}

function PlaceItem({ place }: { place: Place }) {
  const { value, kind, thing } = place;
  const { isRunning, run } = useAction();
  const reload = useReload();
  const name = nameOf(place);

  const keep = (is_right: boolean) => async (client: Client) => {
    await client.rpc("keep_contact", { value, kind, thing, is_right }).throwOnError();
    await reload();
  };
  const failure = { title: "The list was not changed" };
  const undo = () => run(keep(false), null, failure);

  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4">
      <span className="inline-block py-1.5 wrap-anywhere first-letter:uppercase">
        <TextLink to={addressOf(place)}>{name}</TextLink>
      </span>
      <Button
        of={`: ${value} in ${name}`}
        disabled={isRunning}
        onClick={() =>
          run(
            keep(true),
            {
              title: "It stays",
              description: `${value} is not listed any more.`,
              action: { label: "Undo", onAction: undo },
            },
            failure,
          )
        }
      >
        It is right as it is
      </Button>
    </li>
  );
}

function addressOf({ kind, thing, slug }: Place): string {
  if (kind === "section") return `/manage/settings/${thing}`;
  return kind === "page" ? `/manage/pages/${slug}/edit` : `/blog/${slug}/edit`;
}

function nameOf({ kind, thing, title }: Place): string {
  if (kind !== "section") return `the ${kind} “${title}”`;
  return thing && isSectionName(thing) ? infoOf(thing).label : "";
}
