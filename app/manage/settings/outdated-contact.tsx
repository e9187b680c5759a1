import { Fragment } from "react";
import { isSectionName } from "../../config/site-schema.ts";
import type { Client } from "../../supabase/client-context.ts";
import type { Database } from "../../supabase/database.ts";
import { TextLink } from "../button.tsx";
import { useLiveQuery } from "../live-query.ts";
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
        <p key={value} className="mb-3 rounded-md bg-clay-soft p-3">
          <span className="font-semibold">{`Your site still has ${value}`}</span>
          <span> in </span>
          {places
            .filter((place) => place.value === value)
            .map((place, index) => (
              <Fragment key={place.thing}>
                {index > 0 && <span>, </span>}
                <TextLink to={addressOf(place)}>{nameOf(place)}</TextLink>
              </Fragment>
            ))}
          <span>. Open each one, and change it there.</span>
        </p>
      ))}
    </div>
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
