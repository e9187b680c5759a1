import { type FormEvent, Fragment, useEffect, useState } from "react";
import { Link } from "react-router";
import { isRefused } from "../../../supabase/functions/_shared/api-errors.ts";
import { messageOf } from "../../../supabase/functions/_shared/message-of.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import { wellFormedJson } from "../../supabase/well-formed-json.ts";
import { TextField } from "../../ui/field.tsx";
import { describeFailure } from "../describe-failure.ts";
import { PageFrame } from "../manage-frame.tsx";
import { kinds } from "../posts/kinds.ts";
import { searchPath } from "../posts/managed-posts.ts";
import { ImagesForm } from "./images-form.tsx";
import type { PostImages } from "./import-images.ts";
import { type ReadPost, readExport } from "./read-export.ts";
import { RunControls } from "./run-controls.tsx";

const maxBytes = 30_000_000;
const otherFile =
  "This is not an export of WordPress, Squarespace or Blogger, and not an RSS or Atom file. Other programs have a feed, which you can save as a file.";
const packedFile = "This file is packed. Unpack it, and choose the .xml or .atom file in it.";
const tooLarge =
  "The file is larger than 30 MB. Export fewer posts at a time, for example by year.";

interface Progress {
  total: number;
  added: number;
  known: number;
  rejected: ReadPost[];
  /** Added, but not the same as the original. */
  changed: ReadPost[];
  others: string;
  missing: string;
  /** The posts that are here with their images, also those that were imported before. */
  posts: PostImages[];
}

/** Makes drafts of the posts and pages in a file, one by one. A post that was imported before is not imported again. */
export default function ImportPage() {
  const [progress, setProgress] = useState<Progress | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [running, setRunning] = useState<AbortController | null>(null);
  const done = progress ? progress.added + progress.known + progress.rejected.length : 0;
  useEffect(() => () => running?.abort(), [running]);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (running) return running.abort();
    setProgress(null);
    const file = new FormData(event.currentTarget).get("file");
    if (!(file instanceof File) || file.size === 0) return setFailure("Choose a file first.");
    if (file.size > maxBytes) return setFailure(tooLarge);
    // Without https, browsers compute no hashes, from which the ids are made.
    if (!window.isSecureContext)
      return setFailure(
        "Open the site at its address with https:// first. The import does not work without.",
      );
    const stop = new AbortController();
    setFailure(null);
    setRunning(stop);
    try {
      await importFile(file, stop.signal);
    } catch (error) {
      console.error("The import stopped", error);
      setFailure(`The import stopped: ${describeFailure(error, "posts", "Try again.")}`);
    } finally {
      setRunning(null);
    }
  }

  async function importFile(file: File, signal: AbortSignal) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const content = readExport(bytes);
    if (!content) return setFailure(isPacked(bytes) ? packedFile : otherFile);
    const client = await getBrowserClient();
    const { items, read, others, missing } = content;
    const now: Progress = {
      total: items.length,
      added: 0,
      known: 0,
      rejected: [],
      changed: [],
      others,
      missing,
      posts: [],
    };
    setProgress({ ...now });
    for (const item of items) {
      if (signal.aborted) return;
      const found = await read(item);
      if (!found.problem) {
        const post = wellFormedJson(JSON.stringify(found.post));
        const { data: isNew, error, status } = await client.rpc("import_post", { post });
        // The database refuses the values of this post. A lost connection ends the import.
        if (error && status !== 413 && !isRefused(error.code)) throw error;
        if (error) found.problem = messageOf(error);
        else if (isNew) now.added++;
        else now.known++;
        if (isNew && found.notes.length > 0) now.changed.push(found);
        if (!error) now.posts.push(imagesOf(found));
      }
      if (found.problem) now.rejected.push(found);
      setProgress({ ...now });
    }
  }

  return (
    <PageFrame>
      <ul className="mt-6 max-w-2xl list-disc space-y-1.5 pl-6 marker:text-clay">
        <li>WordPress: Tools, Export, All content. Unpack a .zip file first.</li>
        <li>Squarespace: Settings, Import and export, Export, WordPress.</li>
        <li>Blogger: Settings, Manage blog, Back up content.</li>
        <li>Others: open the address of the RSS or Atom feed, and save it as a file.</li>
      </ul>
      <form noValidate onSubmit={submit} className="mt-8 max-w-2xl space-y-4">
        <TextField label="Export file" name="file" type="file" accept=".xml,.rss,.atom" />
        <RunControls
          failure={failure}
          isRunning={running !== null}
          progress={
            progress && {
              label: "Importing",
              done,
              total: progress.total,
              text: `${done} of ${progress.total}`,
            }
          }
          start="Import posts"
        />
      </form>
      <div role="status" className="max-w-2xl wrap-anywhere">
        {progress && !running && <Summary progress={progress} done={done} />}
      </div>
      {progress && !running && <ImagesForm posts={progress.posts.filter(hasImages)} />}
    </PageFrame>
  );
}

/** Whether a file is a .zip or .gz file, by its first bytes. */
function isPacked([first, second]: Uint8Array): boolean {
  return (first === 0x50 && second === 0x4b) || (first === 0x1f && second === 0x8b);
}

function hasImages({ featured, images }: PostImages): boolean {
  return featured !== null || images.length > 0;
}

function imagesOf({ post, featured, images }: ReadPost): PostImages {
  return { id: post.id, title: post.title, isPage: post.is_page, featured, images };
}

function Summary({ progress, done }: { progress: Progress; done: number }) {
  const { total, added, known, rejected, changed, others, missing } = progress;
  const link = "underline underline-offset-4";
  // The summary is shown only once.
  const newTab = { target: "_blank", rel: "noreferrer" };
  return (
    <>
      <h2 className="mt-10 border-t border-line pt-8 text-2xl">
        {added === 1 ? "1 draft added" : `${added} drafts added`}
      </h2>
      {done < total && (
        <p className="mt-3">{`Stopped after ${done} of ${total} posts. Import the same file again to continue.`}</p>
      )}
      {known > 0 && <p className="mt-3">{`Imported before, and not added again: ${known}.`}</p>}
      {missing && <p className="mt-3 font-semibold">{missing}</p>}
      {others && <p className="mt-3">{`Not posts, and not imported: ${others}.`}</p>}
      {added > 0 && (
        <p className="mt-3">
          Nothing is public yet. A post that was public keeps its date, and its former address will
          lead to it on this site, unless the list below says otherwise. Show the drafts of{" "}
          {[kinds.post, kinds.page].map((kind, index) => (
            <Fragment key={kind.name}>
              <span>{index > 0 && " and "}</span>
              <Link
                to={searchPath({ filter: "draft", query: "", month: "", kind })}
                className={link}
              >
                {kind.names}
              </Link>
            </Fragment>
          ))}
        </p>
      )}
      <ul className="mt-6 divide-y divide-line border-y border-line empty:hidden">
        {[...rejected, ...changed].map((found) => (
          <li key={found.post.id} className="space-y-1 py-4">
            {found.problem ? (
              <p className="font-semibold">{`Not imported: ${found.post.title || "Untitled"}`}</p>
            ) : (
              <Link
                to={`${kinds[found.post.is_page ? "page" : "post"].create}?draft=${found.post.id}`}
                {...newTab}
                className={`font-semibold ${link}`}
              >
                {found.post.title || "Untitled"}
              </Link>
            )}
            {(found.problem ? [found.problem] : found.notes).map((note) => (
              <p key={note}>{note}</p>
            ))}
          </li>
        ))}
      </ul>
    </>
  );
}
