import type { Editor } from "@tiptap/react";
import { type FormEvent, useId, useState } from "react";
import { createPortal } from "react-dom";
import { messageOf } from "../../../supabase/functions/_shared/message-of.ts";
import { useSite } from "../../config/use-site.ts";
import type { Client } from "../../supabase/client-context.ts";
import { Dialog, useOpenDialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Button } from "../button.tsx";
import { DialogActions } from "../confirm-dialog.tsx";
import { maxFileMegabytes, uploadPdf } from "../images/image-storage.ts";
import { useLiveQuery } from "../live-query.ts";
import { toHref } from "./content-links.ts";

async function readPosts(client: Client) {
  const posts = client
    .from("posts")
    .select("slug, title")
    .order("created_at", { ascending: false });
  return (await posts.range(0, 999).throwOnError()).data;
}

interface LinkDialogProps {
  editor: Editor;
  onClose: () => void;
}

/** Asks where the selected words lead. Opens when it is rendered. */
export function LinkDialog({ editor, onClose }: LinkDialogProps) {
  const dialog = useOpenDialog();
  const id = useId();
  const { menu, ownPages, services } = useSite();
  const { value: posts = [] } = useLiveQuery({ key: ["posts to link"], read: readPosts });
  const former: string = editor.getAttributes("link").href ?? "";
  const [address, setAddress] = useState(former);
  const [problem, setProblem] = useState<string>();
  const [file, setFile] = useState<{ name: string; path: string }>();
  const [fileProblem, setFileProblem] = useState<string>();
  const [upload, setUpload] = useState<{ percent: number; stop: AbortController }>();
  const pages = [
    ...[...menu, ...ownPages].map(({ path, label }) => ({ path, name: label })),
    ...services.map(({ slug, title }) => ({ path: `/services/${slug}`, name: title })),
    ...posts.map(({ slug, title }) => ({ path: `/blog/${slug}`, name: title })),
    ...(file ? [file] : []),
  ];

  async function attach(chosen: File | undefined) {
    upload?.stop.abort();
    if (!chosen) return;
    setFileProblem(undefined);
    const stop = new AbortController();
    const { signal } = stop;
    const onProgress = (percent: number) => setUpload({ percent, stop });
    onProgress(0);
    try {
      const path = await uploadPdf(chosen, { onProgress, signal });
      setFile({ path, name: `${chosen.name.replace(/\.pdf$/i, "")} (PDF)` });
      setAddress(path);
      setProblem(undefined);
    } catch (error) {
      if (signal.aborted) return;
      setFileProblem(messageOf(error));
    }
    setUpload(undefined);
  }

  function apply(event: FormEvent) {
    event.preventDefault();
    // React also sends events to the form of the post, which renders the dialog.
    event.stopPropagation();
    const typed = address.trim().toLowerCase();
    const page = pages.find(({ path, name }) => path === typed || name.toLowerCase() === typed);
    const href = page?.path ?? toHref(address, window.location.origin);
    if (!href) return setProblem("Choose a page, or paste an address such as https://example.com.");
    dialog.current?.close();
    const chain = editor.chain().extendMarkRange("link");
    if (former || !editor.state.selection.empty) chain.setMark("link", { href }).run();
    else {
      const text = page?.name ?? address.trim();
      chain.insertContent({ type: "text", text, marks: [{ type: "link", attrs: { href } }] }).run();
    }
    // At once: the command of Tiptap waits for the next frame, and a key could be lost.
    editor.view.focus();
  }

  function close() {
    upload?.stop.abort();
    onClose();
  }

  function remove() {
    dialog.current?.close();
    editor.chain().focus().extendMarkRange("link").unsetMark("link").run();
  }

  // A form cannot be inside another form.
  return createPortal(
    <Dialog ref={dialog} title={former ? "Change the link" : "Add a link"} onClose={close}>
      <form noValidate onSubmit={apply} className="mt-5">
        <TextField
          label="Address, or the name of a page or post"
          value={address}
          error={problem}
          list={`${id}-pages`}
          autoCapitalize="none"
          onChange={(event) => setAddress(event.target.value)}
        />
        <datalist id={`${id}-pages`}>
          {pages.map(({ path, name }) => (
            <option key={path} value={path}>
              {name}
            </option>
          ))}
        </datalist>
        <div className="mt-5">
          <TextField
            label={`Or attach a PDF of at most ${maxFileMegabytes} MB`}
            type="file"
            accept="application/pdf,.pdf"
            error={fileProblem}
            onChange={({ target: { files } }) => attach(files?.[0])}
          />
        </div>
        <p role="status" className="mt-1.5 min-h-[1lh] text-sm text-muted">
          {`${upload ? `Uploading: ${upload.percent}%` : ""}${file?.path === address ? `Attached: ${file.name}` : ""}`}
        </p>
        <DialogActions dialog={dialog} className="mt-3">
          {former && (
            <Button look="quietDanger" onClick={remove}>
              Remove link
            </Button>
          )}
          <Button look="primary" type="submit" disabled={upload !== undefined}>
            {former ? "Change" : "Add link"}
          </Button>
        </DialogActions>
      </form>
    </Dialog>,
    document.body,
  );
}
