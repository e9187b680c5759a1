import { useState } from "react";
import { isDuplicate } from "../../../supabase/functions/_shared/api-errors.ts";
import { useSite } from "../../config/use-site.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import type { Client } from "../../supabase/client-context.ts";
import { TextField } from "../../ui/field.tsx";
import { Button, CopyButton } from "../button.tsx";
import { codeOf, describeFailure } from "../describe-failure.ts";
import { formatMoment } from "../format-moment.ts";
import { replaceValue, useLiveQuery } from "../live-query.ts";
import { Choice, Section } from "../page-parts.tsx";
import type { PostThing } from "./stored-posts.ts";

interface Link {
  token: string;
  expires_at: string;
  may_approve: boolean;
}

const columns = "token, expires_at, may_approve";

/** The link of a post; null when there is none or it has expired. @throws the backend's error */
async function readLink(client: Client, { id, kind }: PostThing): Promise<Link | null> {
  const query = client.from("previews").select(columns).eq("kind", kind.name).eq("thing", id);
  const { data } = await query.maybeSingle().throwOnError();
  return data && Date.parse(data.expires_at) > Date.now() ? data : null;
}

/** Creates a link, or returns the one that another window created. @throws the backend's error */
async function createLink(client: Client, thing: PostThing): Promise<Link> {
  return (await readLink(client, thing)) ?? replaceLink(client, thing, false);
}

async function replaceLink(client: Client, thing: PostThing, may_approve: boolean): Promise<Link> {
  await revokeLink(client, thing);
  const row = { kind: thing.kind.name, thing: thing.id, may_approve };
  const insert = client.from("previews").insert(row);
  return (await insert.select(columns).single().throwOnError()).data;
}

async function revokeLink(client: Client, { id, kind }: PostThing): Promise<null> {
  const links = client.from("previews").delete().eq("kind", kind.name);
  await links.eq("thing", id).throwOnError();
  return null;
}

export type Preview = ReturnType<typeof usePreview>;

/** @param onBeforeCreate stores the draft, which the link shows, and returns whether it is stored */
export function usePreview(thing: PostThing, onBeforeCreate: () => Promise<boolean>) {
  const key = ["the preview link", thing.id];
  const { value: link, failures } = useLiveQuery({
    key,
    read: (client) => readLink(client, thing),
    tables: ["content_states"],
  });
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();

  async function change(act: (client: Client) => Promise<Link | null>): Promise<Link | null> {
    setBusy(true);
    setFailure(undefined);
    try {
      const changed = await act(await getBrowserClient());
      replaceValue(key, changed);
      return changed;
    } catch (error) {
      console.error("Changing the preview link failed", error);
      const reason = isDuplicate(codeOf(error))
        ? "an owner made a link with which a reviewer may approve. Only owners see it."
        : describeFailure(error, "previews", "Try again.");
      setFailure(`Not done: ${reason}`);
      return null;
    } finally {
      setBusy(false);
    }
  }

  function create() {
    return change(async (client) => {
      if (!(await onBeforeCreate())) throw new TypeError("Failed to fetch: the draft is not saved");
      return createLink(client, thing);
    });
  }

  return {
    thing,
    link,
    isKnown: link !== undefined || failures > 0,
    busy,
    failure,
    create,
    revoke: () => change((client) => revokeLink(client, thing)),
    letApprove: (may: boolean) => change((client) => replaceLink(client, thing, may)),
    /** Shows the newest draft in a tab, which stays the same one. */
    async open() {
      // In the event of the press: browsers block what opens later.
      const tab = window.open("", `preview-${thing.id}`);
      const created = await create();
      if (created) tab?.location.replace(addressOf(created));
      else tab?.close();
    },
  };
}

function addressOf({ token }: Link): string {
  return `${window.location.origin}/blog/preview/${token}`;
}

interface PreviewLinkProps {
  preview: Preview;
  canLetApprove: boolean;
}

export function PreviewLink({ preview, canLetApprove }: PreviewLinkProps) {
  const { link, isKnown, busy, create, revoke, letApprove } = preview;
  const { timeZone } = useSite().contact;
  const url = link && addressOf(link);
  return (
    <Section title="Preview link" headingClass="text-sm font-semibold">
      <p className="mt-1 text-sm text-muted">
        {link
          ? `Whoever has this link reads the newest draft${link.may_approve ? " and may approve it" : ""}, without an account. It ends ${formatMoment(link.expires_at, timeZone)}, or when this is published.`
          : "Shows this draft to somebody without an account, for 14 days, until it is published or until you revoke the link."}
      </p>
      {url && (
        <div className="mt-3">
          <TextField label="Link" value={url} readOnly onFocus={(event) => event.target.select()} />
        </div>
      )}
      {link && canLetApprove && (
        <Choice
          type="checkbox"
          className="mt-3"
          checked={link.may_approve}
          disabled={busy}
          onChange={() => letApprove(!link.may_approve)}
        >
          This reviewer may approve (makes a new link)
        </Choice>
      )}
      <div className="mt-3 flex flex-wrap gap-3">
        {url ? (
          <>
            <CopyButton text={url} />
            <Button look="quietDanger" disabled={busy} onClick={revoke}>
              Revoke link
            </Button>
          </>
        ) : (
          <Button disabled={busy || !isKnown} onClick={create}>
            Create preview link
          </Button>
        )}
      </div>
    </Section>
  );
}
