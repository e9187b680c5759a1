import { type FormEvent, useRef, useState } from "react";
import { useSite } from "../../config/use-site.ts";
import { fieldText } from "../../forms/use-form-submit.ts";
import { buttonClass } from "../../ui/button.ts";
import { TextField } from "../../ui/field.tsx";
import { Button } from "../button.tsx";
import { DeleteButton } from "../delete-button.tsx";
import { formatMoment } from "../format-moment.ts";
import { PageFrame } from "../manage-frame.tsx";
import { useAction } from "../use-action.ts";
import { entriesOf, type FoundPerson, foundSchema } from "./personal-data.ts";

export default function PersonalDataPage() {
  const { isRunning, run } = useAction();
  const [found, setFound] = useState<FoundPerson>();

  function find(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const email = fieldText(new FormData(event.currentTarget), "email");
    run(
      async (client) => {
        const { data } = await client.rpc("find_person", { email }).throwOnError();
        setFound(foundSchema.parse(data));
      },
      null,
      { title: "Search Failed", description: "Could not search. Please try again." },
    );
  }

  return (
    <PageFrame>
      <form onSubmit={find} className="mt-6 flex max-w-xl flex-wrap items-end gap-3">
        <div className="min-w-0 flex-1 basis-64">
          {/* Not of the type email, which changes addresses with other letters. */}
          <TextField
            label="Email Address"
            name="email"
            inputMode="email"
            autoComplete="off"
            required
          />
        </div>
        <Button look="primary" size="normal" type="submit" aria-disabled={isRunning}>
          {isRunning ? "Searching..." : "Find"}
        </Button>
      </form>
      <p className="mt-4 max-w-2xl text-sm text-muted">
        Not found here: reviews left without an address, people with an account, and people who
        approved posts. Erasing does not reach emails in your mailbox, and backups contain the data
        until you delete them.
      </p>
      {found && <Result key={found.email} found={found} onErased={setFound} />}
    </PageFrame>
  );
}

interface ResultProps {
  found: FoundPerson;
  onErased: (rest: FoundPerson) => void;
}

function Result({ found, onErased }: ResultProps) {
  const { timeZone } = useSite().contact;
  const heading = useRef<HTMLHeadingElement>(null);
  const { email } = found;
  const entries = entriesOf(found);
  const kept = entries.filter(({ keptUntil }) => keptUntil);
  const isDone = entries.every(({ isErased, state }) => isErased && state !== "On the site");
  const ends = kept.map(({ what, keptUntil, reason }) => {
    return `${what}: until ${formatMoment(keptUntil ?? "", timeZone)}. ${reason}`;
  });
  return (
    <section aria-labelledby="found" className="mt-8">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h2
          id="found"
          ref={heading}
          tabIndex={-1}
          className="min-w-0 text-2xl outline-none [overflow-wrap:anywhere]"
        >
          {email}
        </h2>
        {entries.length > 0 && (
          <div className="flex flex-wrap gap-2">
            <a
              download={`personal-data-${new Date().toISOString().slice(0, 10)}.json`}
              href={`data:application/json;charset=utf-8,${encodeURIComponent(JSON.stringify(found, null, 2))}`}
              className={buttonClass("secondary", "small")}
            >
              Export
            </a>
            {!isDone && (
              <DeleteButton
                label="Erase"
                what="person"
                title="Erase this person's data?"
                text={[
                  "This cannot be undone. Messages, notes and links are deleted, and a review leaves the site. Mails that wait to be sent are not sent.",
                  ...(ends.length > 0
                    ? ["These are kept and then erased by themselves:", ...ends]
                    : []),
                ].join(" ")}
                confirm="Erase"
                success={{
                  title: "Data Erased",
                  description: "What must be kept is listed with its end.",
                }}
                failure={{
                  title: "Erasure Failed",
                  description: "Nothing was erased. Please try again.",
                }}
                onDelete={async (client) => {
                  const { data } = await client.rpc("erase_person", { email }).throwOnError();
                  onErased(foundSchema.parse(data));
                }}
                onDeleted={() => heading.current?.focus()}
              />
            )}
          </div>
        )}
      </div>
      <p role="status" className="mt-2 text-muted">
        {entries.length === 0 && "Nothing is stored about this address."}
        {entries.length > 0 &&
          (isDone
            ? "Everything is erased except for what must be kept, which is erased by itself."
            : `${entries.length === 1 ? "1 entry is" : `${entries.length} entries are`} stored.`)}
      </p>
      {entries.length > 0 && (
        <ul className="mt-4 divide-y divide-line rounded-lg border border-line bg-surface shadow-card">
          {entries.map(({ key, what, state, since, text, keptUntil, reason, isErased }) => (
            <li key={key} className="p-4 sm:px-6">
              <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
                <span className="font-semibold">{what}</span>
                {state && (
                  <span className="rounded-full bg-sage px-2.5 py-0.5 text-xs font-semibold">
                    {state}
                  </span>
                )}
                {since && (
                  <time dateTime={since} className="text-sm text-muted">
                    {formatMoment(since, timeZone)}
                  </time>
                )}
              </p>
              {text && (
                <p className="mt-1 line-clamp-3 max-w-prose [overflow-wrap:anywhere]">{text}</p>
              )}
              {keptUntil && (
                <p className="mt-2 text-sm text-muted">
                  {isErased ? "Kept until" : "If erased, kept until"}{" "}
                  {formatMoment(keptUntil, timeZone)}. {reason}
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
