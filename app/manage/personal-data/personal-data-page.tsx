import { type FormEvent, useRef, useState } from "react";
import { z } from "zod";
import { dayIn } from "../../../supabase/functions/_shared/licenses.ts";
import { keysOf } from "../../../supabase/functions/_shared/object-keys.ts";
import { useSite } from "../../config/use-site.ts";
import { fieldText } from "../../forms/field-text.ts";
import type { Client } from "../../supabase/client-context.ts";
import { buttonClass } from "../../ui/button-class.ts";
import { TextField } from "../../ui/field.tsx";
import { Button } from "../button.tsx";
import { DeleteButton } from "../delete-button.tsx";
import { formatMoment } from "../format-moment.ts";
import { listClass } from "../list-toolbar.tsx";
import { useReload } from "../live-query.ts";
import { PageFrame } from "../manage-frame.tsx";
import { Badge, Choice } from "../page-parts.tsx";
import { useAction } from "../use-action.ts";
import { describeErasure, type EntryKind, entryKinds } from "./erasure.ts";
import { type PrivacyRequest, readRequests } from "./privacy-requests.ts";
import { writeReadableCopy } from "./readable-copy.ts";
import { KeptItems, RequestLog } from "./request-log.tsx";

const kinds: Readonly<Record<EntryKind, string>> = {
  message: "Message",
  request: "Link for a testimonial",
  testimonial: "Testimonial",
  publish: "Consent to publish a testimonial",
  calls: "Consent to calls and texts",
  withdrawal: "Withdrawn consent",
};
const states = {
  deleted: "Deleted",
  spam: "Spam",
  used: "Used",
  public: "On the site",
  hidden: "Not on the site",
  archived: "In the archive",
  calls: "To calls and texts",
  publish: "To publish a testimonial",
};

const foundSchema = z.object({
  email: z.string(),
  entries: z.array(
    z.object({
      kind: z.enum(entryKinds),
      state: z.nullable(z.enum(keysOf(states))),
      at: z.string(),
      text: z.nullable(z.string()),
      kept_until: z.nullable(z.string()),
      /** Whether an owner asked to erase it. */
      is_erased: z.boolean(),
      data: z.unknown(),
      /** Why the firm may have to keep the message. */
      record: z.nullable(z.string()),
    }),
  ),
});
type FoundPerson = z.infer<typeof foundSchema>;

async function findPerson(client: Client, email: string): Promise<FoundPerson> {
  return foundSchema.parse((await client.rpc("find_person", { email }).throwOnError()).data);
}

interface Erasure {
  email: string;
  received_on: string;
  /** The ids of messages that stay. */
  keep: string[];
}

/** @throws an Error that says whether nothing was erased, or nobody knows */
async function erasePerson(client: Client, erasure: Erasure): Promise<FoundPerson> {
  const { data, error } = await client.rpc("erase_person", erasure);
  if (!error) return foundSchema.parse(data);
  // The database answers with a code, after which nothing has changed.
  throw new Error(
    /^([\dA-Z]{5}|PGRST\d+)$/.test(error.code)
      ? `Nothing was erased. ${error.message}`
      : "The site did not answer, so the data may or may not be erased. Find the address again to see what is left.",
  );
}

export default function PersonalDataPage() {
  const { isRunning, run } = useAction();
  const [found, setFound] = useState<FoundPerson>();

  function find(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const email = fieldText(new FormData(event.currentTarget), "email");
    run(async (client) => setFound(await findPerson(client, email)), null, {
      title: "Search Failed",
      description: "Could not search. Please try again.",
    });
  }

  return (
    <PageFrame>
      <form onSubmit={find} className="mt-5 flex max-w-xl flex-wrap items-end gap-3">
        <div className="min-w-0 flex-1 basis-64">
          {/* Not of the type email, with which browsers change letters of a domain. */}
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
        Not found here: testimonials left without an address, people with an account, and people who
        approved posts. Your own mailbox is not searched, and backups contain deleted data until
        they are deleted themselves.
      </p>
      {found && <Found key={found.email} found={found} onErased={setFound} />}
      <RequestLog />
    </PageFrame>
  );
}

const messageSchema = z.object({ id: z.string() });

/** The day on which the firm received the request of the person. */
function useReceivedDay() {
  const { timeZone } = useSite().contact;
  const today = dayIn(timeZone, Date.now());
  const [received, setReceived] = useState(today);
  const field = (
    <TextField
      label="Request received on"
      type="date"
      max={today}
      value={received}
      onChange={({ target }) => setReceived(target.value || today)}
    />
  );
  return { received, field };
}

interface FoundProps {
  found: FoundPerson;
  onErased: (rest: FoundPerson) => void;
}

function Found({ found, onErased }: FoundProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { email, entries } = found;
  const { received, field } = useReceivedDay();
  const records = entries.flatMap(({ kind, record, text, at, data }) =>
    kind === "message" && record ? [{ record, text, at, id: messageSchema.parse(data).id }] : [],
  );
  const [released, setReleased] = useState<readonly string[]>([]);
  const reload = useReload();
  const { isRunning, run } = useAction();
  const record = async (client: Client) => {
    await client.rpc("record_copy", { email, received_on: received }).throwOnError();
    await reload();
  };
  const notRecorded = { title: "The request was not added to the list" };
  const { firm, contact } = useSite();
  const file = `personal-data-${new Date().toISOString().slice(0, 10)}`;
  const readable = writeReadableCopy({
    ...{ email, firm: firm.name, timeZone: contact.timeZone },
    entries: entries.map((entry) => ({
      ...entry,
      name: kinds[entry.kind],
      state: entry.state ? states[entry.state] : "",
    })),
  });
  const [outcome, setOutcome] = useState<{ erased: string; request: PrivacyRequest | undefined }>();
  const canErase = entries.some(({ is_erased }) => !is_erased);
  const count = entries.length === 1 ? "1 entry" : `${entries.length} entries`;
  return (
    <section aria-labelledby="found" className="mt-8">
      <h2 id="found" ref={heading} tabIndex={-1} className="text-2xl outline-none wrap-anywhere">
        {email}
      </h2>
      <p role="status" className="mt-2 text-muted">
        {entries.length === 0
          ? "Nothing is stored about this address."
          : canErase
            ? `${count}, newest first.`
            : `${count}. The rest is erased.`}
      </p>
      {outcome && (
        <div role="note" className="mt-4 max-w-2xl rounded-md bg-sage p-4">
          <p className="font-semibold">{outcome.erased}</p>
          {outcome.request && <KeptItems request={outcome.request} />}
        </div>
      )}
      {entries.length === 0 && !outcome && (
        <>
          <p className="mt-4 max-w-2xl">
            Did the person ask for a copy or an erasure? Say that there is nothing, and add the
            request to the list below.
          </p>
          <div className="mt-4 max-w-xs">{field}</div>
          <Button
            className="mt-4"
            disabled={isRunning}
            onClick={() =>
              run(
                record,
                { title: "Added", description: "The list has the request and its date." },
                notRecorded,
              )
            }
          >
            Add to the list
          </Button>
        </>
      )}
      {entries.length > 0 && (
        <>
          <ul className={`mt-4 ${listClass}`}>
            {entries.map((entry, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list is only replaced as a whole.
              <EntryItem key={index} entry={entry} />
            ))}
          </ul>
          <div className="mt-6 max-w-xs">{field}</div>
          <div className="mt-4 flex flex-wrap gap-3">
            <a
              download={`${file}.html`}
              href={`data:text/html;charset=utf-8,${encodeURIComponent(readable.toWellFormed())}`}
              className={buttonClass("primary", "small")}
              onClick={() => run(record, null, notRecorded)}
            >
              Copy to send or print
            </a>
            <a
              download={`${file}.json`}
              href={`data:application/json;charset=utf-8,${encodeURIComponent(JSON.stringify(found, null, 2))}`}
              className={buttonClass("secondary", "small")}
            >
              Data file (JSON)
            </a>
            {canErase && (
              <DeleteButton
                label="Erase"
                what="person"
                title="Erase this data?"
                text="Messages with their notes, links and testimonials are deleted, and nothing of them is mailed any more. Of testimonials that were not public, the words and the stars stay without the name. What must be kept is erased when its time is over. This cannot be undone."
                confirm="Erase"
                success={{
                  title: "Request Done",
                  description: "The page says what was erased, and what was kept and why.",
                }}
                failure={{ title: "Erasing Failed" }}
                onDelete={async (client) => {
                  const ids = records.map(({ id }) => id);
                  const keep = ids.filter((id) => !released.includes(id));
                  const rest = await erasePerson(client, { email, received_on: received, keep });
                  const [request] = await readRequests(client, 0).catch(() => []);
                  setOutcome({ erased: describeErasure(entries, rest.entries), request });
                  onErased(rest);
                  void reload();
                }}
                onDeleted={() => heading.current?.focus()}
              >
                {records.length > 0 && (
                  <fieldset className="mt-4">
                    <legend className="font-semibold">
                      Your firm may have to keep these messages
                    </legend>
                    {records.map(({ id, record, text, at }) => (
                      <Choice
                        key={id}
                        type="checkbox"
                        checked={!released.includes(id)}
                        onChange={({ target }) =>
                          setReleased(
                            target.checked
                              ? released.filter((other) => other !== id)
                              : [...released, id],
                          )
                        }
                      >
                        <span className="min-w-0 py-1 wrap-anywhere">
                          {`Keep the one of ${formatMoment(at, contact.timeZone)}: “${(text ?? "").slice(0, 80)}”. ${record}`}
                        </span>
                      </Choice>
                    ))}
                  </fieldset>
                )}
              </DeleteButton>
            )}
          </div>
          <p className="mt-3 text-sm text-muted">Both files are without your private notes.</p>
        </>
      )}
    </section>
  );
}

function EntryItem({ entry }: { entry: FoundPerson["entries"][number] }) {
  const { timeZone } = useSite().contact;
  const { kind, state, at, text, kept_until, is_erased } = entry;
  return (
    <li className="px-4 py-3">
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <span className="font-semibold">{kinds[kind]}</span>
        {state && <Badge>{states[state]}</Badge>}
        <time dateTime={at} className="text-sm text-muted">
          {formatMoment(at, timeZone)}
        </time>
      </p>
      {text && <p className="mt-1 line-clamp-6 max-w-prose wrap-anywhere">{text}</p>}
      {kept_until && (
        <p className="mt-2 text-sm text-muted">
          {`${is_erased ? "Kept" : "If erased, kept"} until ${new Date(kept_until).toLocaleDateString("en-US", { timeZone, dateStyle: "medium" })}: ${
            kind === "calls" || state === "calls"
              ? "it proves whether calls and texts were allowed."
              : "what was public stays in the archive of advertising."
          }`}
        </p>
      )}
    </li>
  );
}
