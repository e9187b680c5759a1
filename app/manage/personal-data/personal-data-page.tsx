import { type FormEvent, useRef, useState } from "react";
import { z } from "zod";
import { keysOf } from "../../../supabase/functions/_shared/object-keys.ts";
import { useSite } from "../../config/use-site.ts";
import { fieldText } from "../../forms/field-text.ts";
import type { Client } from "../../supabase/client-context.ts";
import { buttonClass } from "../../ui/button-class.ts";
import { TextField } from "../../ui/field.tsx";
import { Button } from "../button.tsx";
import { DeleteButton } from "../delete-button.tsx";
import { formatMoment } from "../format-moment.ts";
import { PageFrame } from "../manage-frame.tsx";
import { Badge } from "../page-parts.tsx";
import { useAction } from "../use-action.ts";
import { writeReadableCopy } from "./readable-copy.ts";

const kinds = {
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
      kind: z.enum(keysOf(kinds)),
      state: z.nullable(z.enum(keysOf(states))),
      at: z.string(),
      text: z.nullable(z.string()),
      kept_until: z.nullable(z.string()),
      /** Whether an owner asked to erase it. */
      is_erased: z.boolean(),
      data: z.unknown(),
    }),
  ),
});
type FoundPerson = z.infer<typeof foundSchema>;

async function ask(client: Client, name: "find_person" | "erase_person", email: string) {
  const { data } = await client.rpc(name, { email }).throwOnError();
  return foundSchema.parse(data);
}

export default function PersonalDataPage() {
  const { isRunning, run } = useAction();
  const [found, setFound] = useState<FoundPerson>();

  function find(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const email = fieldText(new FormData(event.currentTarget), "email");
    run(async (client) => setFound(await ask(client, "find_person", email)), null, {
      title: "Search Failed",
      description: "Could not search. Please try again.",
    });
  }

  return (
    <PageFrame>
      <form onSubmit={find} className="mt-6 flex max-w-xl flex-wrap items-end gap-3">
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
    </PageFrame>
  );
}

interface FoundProps {
  found: FoundPerson;
  onErased: (rest: FoundPerson) => void;
}

function Found({ found, onErased }: FoundProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { email, entries } = found;
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
      {entries.length > 0 && (
        <>
          <ul className="mt-4 divide-y divide-line rounded-lg border border-line bg-surface shadow-card">
            {entries.map((entry, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list is only replaced as a whole.
              <EntryItem key={index} entry={entry} />
            ))}
          </ul>
          <div className="mt-6 flex flex-wrap gap-3">
            <a
              download={`${file}.html`}
              href={`data:text/html;charset=utf-8,${encodeURIComponent(readable.toWellFormed())}`}
              className={buttonClass("primary", "small")}
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
                text="Messages with their notes, links and testimonials are deleted, and nothing of them is mailed any more. What must be kept is erased at its end. This cannot be undone."
                confirm="Erase"
                success={{
                  title: "Data Erased",
                  description: "What must be kept is listed with its end.",
                }}
                failure={{
                  title: "Erasure Failed",
                  description: "Nothing was erased. Please try again.",
                }}
                onDelete={async (client) => onErased(await ask(client, "erase_person", email))}
                onDeleted={() => heading.current?.focus()}
              />
            )}
          </div>
        </>
      )}
    </section>
  );
}

function EntryItem({ entry }: { entry: FoundPerson["entries"][number] }) {
  const { timeZone } = useSite().contact;
  const { kind, state, at, text, kept_until, is_erased } = entry;
  return (
    <li className="p-4 sm:px-6">
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <span className="font-semibold">{kinds[kind]}</span>
        {state && <Badge look="good">{states[state]}</Badge>}
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
