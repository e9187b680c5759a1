import { FileText, Newspaper } from "lucide";
import { type RefObject, useRef } from "react";
import { Link, useNavigate } from "react-router";
import { imageAddress, isReference } from "../../config/image-address.ts";
import { isClosed, useSite } from "../../config/use-site.ts";
import { Icon } from "../../ui/icon.ts";
import { MenuItem, MenuLink, MenuSeparator, MoreMenu } from "../../ui/menu.tsx";
import { Button } from "../button.tsx";
import { DeleteDialog } from "../delete-button.tsx";
import { ChangedElsewhereError } from "../describe-failure.ts";
import { formatDay, formatMoment } from "../format-moment.ts";
import { Badge } from "../page-parts.tsx";
import { PageMenuItems, places } from "../pages/page-controls.tsx";
import { useAction } from "../use-action.ts";
import { removeDeleted } from "../versions/content-store.ts";
import type { Kind } from "./kinds.ts";
import { editPath, type ManagedPost } from "./managed-posts.ts";
import { DeletePostDialog } from "./owner-controls.tsx";
import { duplicatePost, restorePost, unpublishPost } from "./stored-posts.ts";
import { UnpublishDialog, unpublished } from "./unpublish-dialog.tsx";

interface PostItemProps {
  post: ManagedPost;
  kind: Kind;
  timeZone: string;
  neighbors?: readonly (ManagedPost | undefined)[];
  onMoved?: () => void;
  onChanged: () => void;
}

const states = {
  published: null,
  scheduled: "Scheduled",
  draft: "Draft",
  deleted: "Deleted",
} as const;

/** A row of the list: what it is, its state where that is not the usual one, its date, and what can be done with it. */
export function PostItem(props: PostItemProps) {
  const { post, kind, timeZone, neighbors = [], onMoved, onChanged } = props;
  const { id, state, slug, has_draft, failure, place, hidden } = post;
  const dialog = useRef<HTMLDialogElement>(null);
  const ended = useRef<HTMLDialogElement>(null);
  const action = useAction();
  const navigate = useNavigate();
  const [before, after] = neighbors.map((other) => (other?.place === place ? other : undefined));
  const title = post.title || "Untitled";
  const edit = editPath(kind, post);
  const path = kind.folder + slug;
  const note = kind.inBlog
    ? [post.category, post.author && `By ${post.author}`]
    : [slug && path, place && places[place]];
  const shownState = hidden ? "Hidden" : states[state];
  const ask = () => dialog.current?.showModal();

  const duplicate = () =>
    action.run(
      async (client) => {
        const copy = await duplicatePost(client, { id, kind });
        navigate(`${kind.create}?draft=${copy}`);
      },
      { title: "Duplicated", description: "This is the copy. It is a draft, and not public." },
      { title: `The ${kind.name} was not duplicated` },
    );

  const unpublish = () =>
    action.run(
      async (client) => {
        await unpublishPost(client, id);
        onChanged();
      },
      unpublished,
      { title: "The post is still public" },
    );
  return (
    <li className="grid min-h-14 grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 px-3 py-2 sm:grid-cols-[auto_minmax(0,1fr)_auto_auto] sm:px-4">
      <Thumbnail post={post} kind={kind} />
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
          {state === "deleted" ? (
            <span className="font-medium wrap-anywhere">{title}</span>
          ) : (
            <Link
              to={edit}
              className="line-clamp-2 font-medium text-ink underline-offset-4 wrap-anywhere hover:underline"
            >
              {title}
            </Link>
          )}
          {shownState && <Badge>{shownState}</Badge>}
          {has_draft && state !== "draft" && <Badge look="warning">Unpublished changes</Badge>}
        </p>
        <p
          className={`line-clamp-1 text-sm text-muted wrap-anywhere empty:hidden ${kind.inBlog ? "max-sm:hidden" : ""}`}
        >
          {note.filter(Boolean).join(" · ")}
        </p>
        {failure && (
          <p className="mt-1 text-sm font-medium text-danger wrap-anywhere">
            {`Not published: ${failure}. It is tried again every hour. Open the post to change it, publish it or choose another time.`}
          </p>
        )}
      </div>
      <p className="text-sm text-muted tabular-nums max-sm:col-start-2 max-sm:row-start-2 sm:text-right">
        <span>{failure ? "Was to go public " : prefixes[state]}</span>
        <time dateTime={post.date}>
          {(state === "scheduled" ? formatMoment : formatDay)(post.date, timeZone)}
        </time>
      </p>
      <div className="flex items-center gap-1 max-sm:col-start-3 max-sm:row-span-2 max-sm:row-start-1">
        {state === "deleted" ? (
          <RestoreButton post={post} kind={kind} onRestored={onChanged} />
        ) : (
          <Link
            to={edit}
            className="inline-flex min-h-10 items-center rounded-md px-3 text-sm font-semibold hover:bg-sand max-sm:hidden"
          >
            Edit<span className="sr-only">{` ${title}`}</span>
          </Link>
        )}
        <MoreMenu of={title}>
          {state === "published" && !hidden && <ViewLink path={path} />}
          {place !== null && (
            <>
              <PageMenuItems
                {...{ id, place, hidden, before, after, action }}
                onChanged={() => onMoved?.()}
              />
              <MenuSeparator />
            </>
          )}
          {state !== "deleted" && (
            <>
              <MenuItem disabled={action.isRunning} onClick={duplicate}>
                Duplicate
              </MenuItem>
              {state === "published" && kind.inBlog && (
                <MenuItem disabled={action.isRunning} onClick={() => ended.current?.showModal()}>
                  Unpublish…
                </MenuItem>
              )}
              <MenuSeparator />
            </>
          )}
          <MenuItem look="danger" onClick={ask}>
            {state === "deleted" ? "Delete for good" : "Delete"}
          </MenuItem>
        </MoreMenu>
        {state === "deleted" ? (
          <RemoveDialog ref={dialog} id={id} kind={kind} onRemoved={onChanged} />
        ) : (
          <DeletePostDialog ref={dialog} {...{ id, kind, state }} onDeleted={onChanged} />
        )}
        <UnpublishDialog ref={ended} onConfirm={unpublish} />
      </div>
    </li>
  );
}

function ViewLink({ path }: { path: string }) {
  if (isClosed(useSite(), path)) return null;
  return <MenuLink to={path}>View</MenuLink>;
}

const prefixes = { published: "", scheduled: "Goes public ", draft: "Saved ", deleted: "Deleted " };

function Thumbnail({ post, kind }: Pick<PostItemProps, "post" | "kind">) {
  return (
    <span className="flex size-10 shrink-0 items-center justify-center overflow-clip rounded-md bg-sand text-muted max-sm:row-span-2 max-sm:self-start max-sm:mt-0.5">
      {post.image_url && isReference(post.image_url) ? (
        <img
          src={imageAddress(post.image_url, 320)}
          alt=""
          loading="lazy"
          className="size-full object-cover"
        />
      ) : (
        <Icon drawing={kind.inBlog ? Newspaper : FileText} className="size-4.5" />
      )}
    </span>
  );
}

interface RemoveDialogProps {
  ref: RefObject<HTMLDialogElement | null>;
  /** Null for all deleted samples. */
  id: string | null;
  kind: Kind;
  onRemoved: () => void;
}

export function RemoveDialog({ ref, id, kind, onRemoved }: RemoveDialogProps) {
  const posts = id === null ? "all deleted sample posts" : `this ${kind.name}`;
  return (
    <DeleteDialog
      ref={ref}
      what={kind.name}
      text={`This action cannot be undone. This will permanently delete ${posts}. What visitors could read stays in the archive.`}
      success={{
        title: `${kind.title} Deleted`,
        description: "It has been permanently removed.",
      }}
      failure={{ title: "Deletion Failed" }}
      onDelete={(client) => removeDeleted(client, { kind: kind.name, thing: id })}
      onDeleted={onRemoved}
    />
  );
}

interface RestoreButtonProps {
  post: ManagedPost;
  kind: Kind;
  onRestored: () => void;
}

function RestoreButton({ post, kind, onRestored }: RestoreButtonProps) {
  const { isRunning, run } = useAction();

  function restore() {
    return run(
      async (client) => {
        await restorePost(client, { id: post.id, kind }).catch((error) => {
          if (!(error instanceof ChangedElsewhereError)) throw error;
          onRestored();
          throw new Error(
            `The ${kind.name} was restored already, or was deleted more than 30 days ago.`,
          );
        });
        onRestored();
      },
      {
        title: `${kind.title} Restored`,
        description: "It is a draft now, and not public.",
      },
      { title: "Restore Failed" },
    );
  }

  return (
    <Button of={post.title || "Untitled"} disabled={isRunning} onClick={restore}>
      {isRunning ? "Restoring..." : "Restore as draft"}
    </Button>
  );
}
