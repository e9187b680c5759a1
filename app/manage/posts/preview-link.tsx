import { useState } from "react";
import { isDuplicate } from "../../../supabase/functions/_shared/api-errors.ts";
import { useSite } from "../../config/use-site.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import type { Client } from "../../supabase/client-context.ts";
import { buttonClass } from "../../ui/button-class.ts";
import { TextField } from "../../ui/field.tsx";
import { Button, CopyButton } from "../button.tsx";
import { codeOf, describeFailure } from "../describe-failure.ts";
import { formatMoment } from "../format-moment.ts";
import { replaceValue, useLiveQuery } from "../live-query.ts";
import { Alert, Choice, Section } from "../page-parts.tsx";
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

interface PreviewLinkProps {
  thing: PostThing;
  canLetApprove: boolean;
  /** Stores the draft, which the link shows. @returns whether it is stored */
  onBeforeCreate: () => Promise<boolean>;
}

export function PreviewLink({ thing, canLetApprove, onBeforeCreate }: PreviewLinkProps) {
  const { timeZone } = useSite().contact;
  const key = ["the preview link", thing.id];
  const { value: link, failures } = useLiveQuery({
    key,
    read: (client) => readLink(client, thing),
    tables: ["content_states"],
  });
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const url = link && `${window.location.origin}/blog/preview/${link.token}`;

  async function change(act: (client: Client) => Promise<Link | null>) {
    setBusy(true);
    setFailure(undefined);
    try {
      replaceValue(key, await act(await getBrowserClient()));
    } catch (error) {
      console.error("Changing the preview link failed", error);
      setFailure(
        isDuplicate(codeOf(error))
          ? "an owner made a link with which a reviewer may approve. Only owners see it."
          : describeFailure(error, "previews", "Try again."),
      );
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

  return (
    <Section
      title="Preview link"
      className="mt-8 rounded-md border border-line p-4"
      headingClass="text-base font-semibold"
    >
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
          onChange={() => change((client) => replaceLink(client, thing, !link.may_approve))}
        >
          This reviewer may approve (makes a new link)
        </Choice>
      )}
      <Alert text={failure && `Not done: ${failure}`} />
      <div className="mt-3 flex flex-wrap gap-3">
        {url ? (
          <>
            <CopyButton text={url} />
            <a
              href={url}
              target="_blank"
              rel="noopener"
              className={buttonClass("secondary", "small")}
            >
              Open preview<span className="sr-only"> (opens in a new tab)</span>
            </a>
            <Button
              look="quietDanger"
              disabled={busy}
              onClick={() => change((client) => revokeLink(client, thing))}
            >
              Revoke link
            </Button>
          </>
        ) : (
          <Button disabled={busy || (link === undefined && failures === 0)} onClick={create}>
            Create preview link
          </Button>
        )}
      </div>
    </Section>
  );
}
