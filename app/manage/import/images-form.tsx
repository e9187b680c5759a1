import { type FormEvent, useEffect, useState } from "react";
import { Link } from "react-router";
import { maxImageMegabytes } from "../../config/image-address.ts";
import { getBrowserClient } from "../../supabase/browser-client.ts";
import { TextField } from "../../ui/field.tsx";
import { describeFailure } from "../describe-failure.ts";
import { Choice } from "../page-parts.tsx";
import { kinds } from "../posts/kinds.ts";
import { createImageFinder, createNameTest, openImageFiles } from "./image-files.ts";
import {
  createImageFetcher,
  hostsOf,
  type ImageRun,
  importImages,
  type PostImages,
  StoppedRun,
} from "./import-images.ts";
import { RunControls } from "./run-controls.tsx";

/** Adds the images of the imported posts to their drafts, from the sites that the owner confirms and from her own files. */
export function ImagesForm({ posts }: { posts: readonly PostImages[] }) {
  const [run, setRun] = useState<ImageRun | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [running, setRunning] = useState<AbortController | null>(null);
  useEffect(() => () => running?.abort(), [running]);
  const [hosts] = useState(() => hostsOf(posts));
  const total = hosts.reduce((sum, { count }) => sum + count, 0);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (running) return running.abort();
    const stop = new AbortController();
    const form = new FormData(event.currentTarget);
    setFailure(null);
    setRun(null);
    setRunning(stop);
    try {
      await add(form, stop.signal);
    } catch (error) {
      if (stop.signal.aborted) return;
      console.error("Adding images stopped", error);
      const reason = describeFailure(error, "posts", "Try again.");
      setFailure(error instanceof StoppedRun ? error.message : `The images stopped: ${reason}`);
    } finally {
      setRunning(null);
    }
  }

  async function add(form: FormData, signal: AbortSignal) {
    const client = await getBrowserClient();
    const confirmed = form.getAll("host").map(String);
    const fetchImage = createImageFetcher(client, confirmed, form.has("http"));
    const findImage = createImageFinder(await openFiles(form));
    await importImages(posts, {
      ...{ client, signal, onProgress: setRun },
      async getImage(address) {
        const file = findImage(address);
        if (file) return file;
        const host = new URL(address).hostname.replace(/^www\./, "");
        if (confirmed.includes(host)) return fetchImage(address);
        throw new Error("It is not among the chosen files, and its site is not chosen.");
      },
    });
  }

  /** @throws StoppedRun */
  async function openFiles(form: FormData) {
    const chosen = [...form.getAll("files"), ...form.getAll("folder")];
    const files = chosen.filter((file) => file instanceof File && file.size > 0) as File[];
    const isNamed = createNameTest(addressesOf(posts));
    try {
      return await openImageFiles(files, isNamed, maxImageMegabytes * 1024 * 1024);
    } catch (error) {
      throw new StoppedRun(error instanceof Error ? error.message : "The files cannot be read.");
    }
  }

  if (total === 0) return null;
  return (
    <section className="mt-10 max-w-2xl border-t border-line pt-8">
      <h2 className="text-2xl">Images</h2>
      <p className="mt-3">
        {`${total === 1 ? "1 image of these posts is" : `${total} images of these posts are`} on another site. Until you add ${total === 1 ? "it" : "them"}, the drafts have links in the place of images.`}
      </p>
      <form noValidate onSubmit={submit} className="mt-6 space-y-4">
        <fieldset>
          <legend className="text-sm font-semibold">Fetch them from these sites</legend>
          {hosts.map(({ host, count }) => (
            <Choice key={host} type="checkbox" name="host" value={host} defaultChecked>
              <span className="wrap-anywhere">
                {`${host}, ${count === 1 ? "1 image" : `${count} images`}`}
              </span>
            </Choice>
          ))}
          {hosts.some(({ isPlain }) => isPlain) && (
            <Choice type="checkbox" name="http">
              Also from sites without a secure connection (http)
            </Choice>
          )}
        </fieldset>
        <TextField
          label="Or image files, or a .zip file, if a site is gone"
          name="files"
          type="file"
          multiple
          accept=".jpg,.jpeg,.png,.gif,.webp,.zip"
        />
        <TextField
          label="Or a folder of images"
          name="folder"
          type="file"
          multiple
          // Its type is not known.
          {...{ webkitdirectory: "" }}
        />
        <RunControls
          failure={failure}
          isRunning={running !== null}
          progress={{
            label: "Adding images",
            done: run?.done ?? 0,
            total: posts.length,
            text: `${run?.done ?? 0} of ${posts.length} posts, ${run?.added ?? 0} images`,
          }}
          start="Add images to the drafts"
        />
      </form>
      <div role="status" className="wrap-anywhere">
        {run && !running && <RunSummary run={run} isWhole={run.done === posts.length} />}
      </div>
    </section>
  );
}

function addressesOf(posts: readonly PostImages[]): string[] {
  return posts.flatMap(({ featured, images }) => [
    ...(featured ? [featured.address] : []),
    ...images.map(({ address }) => address),
  ]);
}

function RunSummary({ run, isWhole }: { run: ImageRun; isWhole: boolean }) {
  const { added, failures, withoutDraft } = run;
  return (
    <>
      <h3 className="mt-8 text-xl">{added === 1 ? "1 image added" : `${added} images added`}</h3>
      {!isWhole && <p className="mt-3">Stopped. Add the images again to continue.</p>}
      {isWhole && failures.length === 0 && added === 0 && (
        <p className="mt-3">The drafts have all their images.</p>
      )}
      {withoutDraft.length > 0 && (
        <p className="mt-3">
          {`Published or deleted meanwhile, and left as they are: ${withoutDraft.map(({ title }) => title || "Untitled").join(", ")}.`}
        </p>
      )}
      {failures.length > 0 && (
        <p className="mt-3">
          {`${failures.length === 1 ? "1 image" : `${failures.length} images`} could not be added. Each stays a link. You can try again, or choose the files.`}
        </p>
      )}
      <ul className="mt-6 divide-y divide-line border-y border-line empty:hidden">
        {failures.map(({ address, reason, post }) => (
          <li key={address} className="space-y-1 py-4">
            <Link
              to={`${kinds[post.isPage ? "page" : "post"].create}?draft=${post.id}`}
              target="_blank"
              rel="noreferrer"
              className="font-semibold underline underline-offset-4"
            >
              {post.title || "Untitled"}
            </Link>
            <p>{reason}</p>
            <a
              href={address}
              target="_blank"
              rel="noreferrer"
              className="block py-1 text-sm text-muted underline underline-offset-4"
            >
              {address}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
