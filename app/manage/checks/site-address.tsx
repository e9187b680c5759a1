// The public address of the site, which an owner confirms where SITE_URL is not set.
import { type FormEvent, useRef, useState } from "react";
import { z } from "zod";
import { messageOf } from "../../../supabase/functions/_shared/message-of.ts";
import { isLoopbackUrl } from "../../config/checks/checks.ts";
import { setSiteOutdated } from "../../config/refresh-site.ts";
import { fieldText } from "../../forms/field-text.ts";
import type { Client } from "../../supabase/client-context.ts";
import { TextField } from "../../ui/field.tsx";
import { LoadFailure } from "../../ui/load-state.tsx";
import { SignInAgain } from "../account/sign-in-again.tsx";
import { askServer } from "../ask-server.ts";
import { Button } from "../button.tsx";
import { type LiveQuery, replaceValue, useLiveQuery } from "../live-query.ts";
import { Section } from "../page-parts.tsx";

const addressSchema = z.object({
  /** Null while nobody has set or confirmed one. */
  address: z.nullable(z.string()),
  source: z.nullable(z.enum(["environment", "confirmed"])),
  mayConfirm: z.boolean(),
});
type Address = z.infer<typeof addressSchema>;

const path = "/manage/address.json";
const addressQuery: LiveQuery<Address> = {
  key: ["the address of the site"],
  read: async (client) => addressSchema.parse(await askServer(client, path)),
  tables: ["public_site_settings"],
};

/** Checks an address and stores it. @throws an Error that says why the site is not reached under it */
async function confirmAddress(client: Client, address: string): Promise<Address> {
  return addressSchema.parse(await askServer(client, path, { address }));
}

export function SiteAddress() {
  const { value, failures, retry } = useLiveQuery(addressQuery);
  return (
    <Section
      title="Web address"
      headingClass="font-sans text-lg font-semibold"
      className="rounded-lg border border-line bg-surface p-5 sm:p-6"
    >
      {failures > 0 ? (
        <LoadFailure what="The address" onRetry={retry} />
      ) : value === undefined ? (
        <p role="status" className="mt-2 min-h-40 text-muted sm:min-h-36">
          Loading the address...
        </p>
      ) : (
        <>
          {value.address && (
            <p className="mt-2 text-lg font-medium wrap-anywhere">
              <span>{value.address}</span>
            </p>
          )}
          {value.source === "environment" ? (
            <p className="mt-1 text-muted">Set by the server (SITE_URL).</p>
          ) : value.mayConfirm ? (
            <AddressForm current={value.address} />
          ) : (
            <p className="mt-2 max-w-2xl text-muted">
              The person who runs your server sets it (SITE_URL).
            </p>
          )}
        </>
      )}
    </Section>
  );
}

function AddressForm({ current }: { current: string | null }) {
  const [typed, setTyped] = useState("");
  const [isAsking, setAsking] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [confirmed, setConfirmed] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const dialog = useRef<HTMLDialogElement>(null);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setTyped(fieldText(new FormData(event.currentTarget), "address"));
    setProblem(undefined);
    setConfirmed(null);
    setAsking(true);
    // When the dialog closes, the focus returns to where it was: the answer is at the field.
    field.current?.focus();
    dialog.current?.showModal();
  }

  async function confirm(client: Client) {
    try {
      const stored = await confirmAddress(client, typed);
      replaceValue(addressQuery.key, stored);
      setConfirmed(stored.address);
      if (field.current) field.current.value = "";
      setSiteOutdated(true);
    } catch (error) {
      // The password was right, so the dialog closes. Until then, the error is rendered, and read with the field.
      setProblem(messageOf(error));
    }
  }

  return (
    <>
      <p className="mt-1 max-w-2xl text-muted">
        {current
          ? "Search results and the links in your emails lead here. If your site moves, confirm its new address."
          : "What visitors type to open your site. Search results and the links in your emails need it."}
      </p>
      <form onSubmit={submit} noValidate className="mt-4 max-w-xl">
        <TextField
          ref={field}
          label={current ? "New address" : "Address of your site"}
          name="address"
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="www.example.com"
          defaultValue={suggestion(current)}
          {...(problem && { error: problem })}
        />
        <Button type="submit" look="primary" className="mt-4">
          Check and use
        </Button>
        <p role="status" className="mt-4 font-medium wrap-anywhere empty:hidden">
          {/* Behind the open dialog, nobody would hear it. */}
          {!isAsking && confirmed && `Your site answers at ${confirmed}. All links lead there now.`}
        </p>
        {confirmed && confirmed !== window.location.origin && (
          <a
            href={`${confirmed}/manage`}
            className="mt-2 inline-block py-1 underline underline-offset-4"
          >
            Go on there
          </a>
        )}
      </form>
      <SignInAgain
        ref={dialog}
        title="Use this address?"
        text="Links in emails lead there, also those that set a password. So please enter your password. The check takes a few seconds."
        confirm="Check and use"
        onSignedIn={confirm}
        onClose={() => setAsking(false)}
      />
    </>
  );
}

/** Where the owner is now, if visitors could be there, too. */
function suggestion(current: string | null): string | undefined {
  const { origin, host } = window.location;
  return origin === current || isLoopbackUrl(origin) ? undefined : host;
}
