// Copies of the backups in a bucket of another service.
import { type FormEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { type BucketForm, bucketSchema } from "../../config/bucket.ts";
import { useSite } from "../../config/use-site.ts";
import { fieldText } from "../../forms/field-text.ts";
import type { FormErrors } from "../../forms/use-form-submit.ts";
import { TextField } from "../../ui/field.tsx";
import { showToast } from "../../ui/toast.ts";
import { SignInAgain } from "../account/sign-in-again.tsx";
import { Button } from "../button.tsx";
import { formatMoment } from "../format-moment.ts";
import { Disclosure } from "../page-parts.tsx";
import { useAction } from "../use-action.ts";
import { type BackupList, changeBucket, testBucket } from "./backups.ts";

export function BucketPart({ list: { bucket, copy } }: { list: BackupList }) {
  const { timeZone } = useSite().contact;
  const { isRunning, run } = useAction();
  const [problems, setProblems] = useState<FormErrors>({});
  /** Null turns the copies off. */
  const [entered, setEntered] = useState<BucketForm | null>(null);
  /** What the last test said. */
  const [outcome, setOutcome] = useState<{ problem: string | null }>();
  const dialog = useRef<HTMLDialogElement>(null);
  const secret = useRef<HTMLInputElement>(null);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const element = event.currentTarget;
    const typed = new FormData(element);
    const names = ["endpoint", "region", "bucket", "keyId", "secret"] as const;
    const form = Object.fromEntries(names.map((name) => [name, fieldText(typed, name)]));
    const { data, error } = bucketSchema.safeParse(form);
    const found: FormErrors = Object.fromEntries(
      (error?.issues ?? []).map(({ path, message }) => [path[0], message]),
    );
    if (!bucket && !form.secret) found.secret = "Please enter the secret access key.";
    // Render the error before moving focus, so screen readers announce it with the field.
    flushSync(() => setProblems(found));
    element.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    if (data && !found.secret) confirm(data);
  }

  function confirm(form: BucketForm | null) {
    setEntered(form);
    setOutcome(undefined);
    dialog.current?.showModal();
  }

  function test() {
    void run(async (client) => setOutcome({ problem: await testBucket(client) }), null, {
      title: "The test failed",
    });
  }

  const note = !bucket
    ? "Off"
    : !copy
      ? "The first copy is made tonight"
      : copy.problem
        ? `The last copy failed ${formatMoment(copy.at, timeZone)}`
        : `Last copy: ${formatMoment(copy.at, timeZone)}`;
  return (
    <Disclosure
      title="Copies elsewhere"
      note={note}
      className="mt-6 rounded-lg border border-line bg-surface px-4 open:pb-6 sm:px-5"
    >
      <p className="max-w-2xl text-muted">
        After each backup, the site can copy it to a bucket of a storage service that works like
        Amazon S3. Whoever can read the bucket can read everything in it, so keep it private. The
        service shows you what to enter here when you create a bucket and a key for it.
      </p>
      {bucket && copy?.problem && (
        <p className="mt-3 font-medium text-danger">{`${copy.problem}.`}</p>
      )}
      <form onSubmit={submit} className="mt-4 max-w-xl space-y-4" noValidate>
        <TextField
          label="Address of the service"
          name="endpoint"
          type="url"
          placeholder="https://s3.us-east-1.amazonaws.com"
          defaultValue={bucket?.endpoint}
          error={problems.endpoint}
        />
        <TextField
          label="Bucket"
          name="bucket"
          defaultValue={bucket?.bucket}
          error={problems.bucket}
          {...plain}
        />
        <TextField
          label="Region (optional)"
          name="region"
          placeholder="us-east-1"
          defaultValue={bucket?.region}
          error={problems.region}
          {...plain}
        />
        <TextField
          label="Access key ID"
          name="keyId"
          defaultValue={bucket?.keyId}
          error={problems.keyId}
          {...plain}
        />
        <TextField
          ref={secret}
          label="Secret access key"
          name="secret"
          type="password"
          placeholder={bucket ? "Stored. Leave this empty to keep it" : undefined}
          error={problems.secret}
          {...plain}
        />
        <div className="flex flex-wrap gap-3">
          <Button type="submit">Save</Button>
          {bucket && (
            <Button aria-disabled={isRunning} onClick={test}>
              {isRunning ? "Testing..." : "Test"}
            </Button>
          )}
          {bucket && (
            <Button look="quietDanger" onClick={() => confirm(null)}>
              Turn off
            </Button>
          )}
        </div>
        <p role="status" className={outcome?.problem ? "font-medium text-danger" : ""}>
          {outcome && (outcome.problem ?? "The bucket works: a file was stored, read and deleted.")}
        </p>
      </form>
      <SignInAgain
        ref={dialog}
        title={entered ? "Copy all backups to this bucket?" : "Turn off the copies?"}
        text={
          entered
            ? "The copies have everything, so please enter your password."
            : "Copies that are in the bucket stay there."
        }
        confirm={entered ? "Save" : "Turn off"}
        onSignedIn={async (client) => {
          await changeBucket(client, entered);
          if (secret.current) secret.current.value = "";
          const title = entered ? "Bucket saved" : "Copies are off";
          showToast({ tone: "success", title, ...(entered && { description: "Test it now." }) });
        }}
      />
    </Disclosure>
  );
}

const plain = { autoComplete: "off", autoCapitalize: "none", spellCheck: false } as const;
