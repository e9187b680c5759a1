import { ArrowLeft, CircleAlert, Eye, X } from "lucide";
import { type ReactNode, type Ref, useRef } from "react";
import { Link } from "react-router";
import { useSite } from "../../config/use-site.ts";
import { Icon } from "../../ui/icon.ts";
import { MenuItem, MenuSeparator, MoreMenu } from "../../ui/menu.tsx";
import { Button } from "../button.tsx";
import { ConfirmDialog } from "../confirm-dialog.tsx";
import { describeFailure, isOffline } from "../describe-failure.ts";
import { formatMoment, formatRecent } from "../format-moment.ts";
import type { Approval } from "../versions/approval.tsx";
import { DeletePostDialog } from "./owner-controls.tsx";
import { UnpublishDialog } from "./unpublish-dialog.tsx";
import type { PostActions } from "./use-post-actions.ts";
import type { PostEditorState } from "./use-post-editor.ts";

interface PostBarProps {
  heading: Ref<HTMLHeadingElement>;
  actions: PostActions;
  editor: PostEditorState;
  isBlocked: boolean;
  /** Whether what the form shows was submitted. */
  isWaiting: boolean;
  main: MainAction;
  /** Why the preview was not shown. */
  previewFailure: string | undefined;
  /** Undefined while there is nothing to show. */
  onPreview: (() => void) | undefined;
  onCancel: () => void;
  onSchedule: () => void;
  onDeleted: () => void;
}

export interface MainAction {
  action: "submit" | "save" | "schedule" | "publish";
  /** Phones show the first word. */
  label: readonly [first: string, others: string];
  doing: string;
  /** Whether approval allows it now. */
  isAllowed: boolean;
  /** Whether this account may also ask for approval, which it does not need. */
  mayAsk: boolean;
}

export function mainActionOf(
  { kind, state }: PostEditorState["opened"],
  approval: Approval | null | undefined,
): MainAction {
  const isAllowed = approval !== undefined;
  if (approval?.mustSubmit) {
    return {
      ...{ action: "submit", label: ["Ask", " for approval"], doing: "Asking..." },
      ...{ isAllowed: approval.state !== "submitted", mayAsk: false },
    };
  }
  const rights = { isAllowed, mayAsk: approval?.maySubmit ?? false };
  if (state === "published") {
    return { action: "save", label: ["Save", " Changes"], doing: "Saving...", ...rights };
  }
  return state === "scheduled"
    ? { action: "schedule", label: ["Save", " schedule"], doing: "Saving...", ...rights }
    : {
        ...{ action: "publish", label: ["Publish", ` ${kind.title}`], doing: "Publishing..." },
        ...rights,
      };
}

/** Stays in view: where the post belongs, its state, and what can be done with it. */
export function PostBar(props: PostBarProps) {
  const { heading, actions, editor, isBlocked, main, onPreview, onCancel } = props;
  const { opened, state } = editor;
  const { kind } = opened;
  const { running } = actions;
  const isBusy = running !== null || state.status === "conflict";
  const isUnchanged = opened.state === "scheduled" && state.status === "unchanged";
  return (
    <div className="post-bar sticky z-20 border-b border-line bg-surface">
      <div className="flex h-14 items-center gap-1.5 px-2 sm:gap-2 sm:px-4">
        <Link
          to={kind.list}
          className="inline-flex min-h-10 shrink-0 items-center gap-1.5 rounded-md px-2 text-sm font-medium text-muted hover:bg-sand hover:text-ink max-sm:hidden"
        >
          <Icon drawing={ArrowLeft} className="size-4.5" />
          <span>{`${kind.title}s`}</span>
        </Link>
        <div className="min-w-0 flex-1 sm:border-l sm:border-line sm:pl-3">
          <h1
            ref={heading}
            id="page-heading"
            tabIndex={-1}
            className="truncate text-sm leading-tight outline-none max-sm:sr-only"
          >
            {kind.editorTitles[opened.state]}
          </h1>
          <State {...editor} />
        </div>
        <button
          type="button"
          disabled={running !== null}
          onClick={onCancel}
          className={`${quietButton} max-sm:order-first`}
        >
          <Icon drawing={X} className="size-5 sm:hidden" />
          <span className="max-sm:sr-only">Cancel</span>
        </button>
        <button
          type="button"
          disabled={!onPreview || isBusy}
          onClick={onPreview}
          className={quietButton}
        >
          <Icon drawing={Eye} className="size-5 sm:hidden" />
          <span className="max-sm:sr-only">Preview</span>
          <span className="sr-only"> (opens in a new tab)</span>
        </button>
        <Button
          look="primary"
          type="submit"
          className="shrink-0 max-sm:px-3"
          disabled={isBusy || isBlocked || isUnchanged || !main.isAllowed}
        >
          {running === main.action ? main.doing : <Label of={main} />}
        </Button>
        <OtherActions {...props} isBusy={isBusy} />
      </div>
      <Failures {...props} />
    </div>
  );
}

const quietButton =
  "inline-flex min-h-10 min-w-10 shrink-0 items-center justify-center rounded-md px-2 text-sm font-medium text-muted hover:bg-sand hover:text-ink disabled:opacity-60 sm:px-3";

export function Label({ of: { label } }: { of: MainAction }): ReactNode {
  const [first, others] = label;
  return (
    <span className="whitespace-pre">
      <span>{first}</span>
      <span className="max-sm:sr-only">{others}</span>
    </span>
  );
}

/** What visitors see of it, and whether what is typed is saved. */
function State({ opened, state: { status, savedAt } }: PostEditorState) {
  const { timeZone } = useSite().contact;
  const isBad = status === "failed" || status === "conflict";
  const texts = {
    draft: "Draft",
    published: "Changes not yet public",
    scheduled: "Changes not yet scheduled",
  };
  const unchanged = {
    draft: "Draft",
    published: "Published",
    scheduled: `Scheduled for ${opened.row && formatMoment(opened.row.published_date, timeZone)}`,
  };
  return (
    <p
      className={`flex items-center gap-1.5 text-sm leading-tight max-sm:text-xs ${isBad ? "font-medium text-danger" : "text-muted"}`}
    >
      {isBad && <Icon drawing={CircleAlert} className="size-4 shrink-0" />}
      <span className="line-clamp-3 sm:line-clamp-1">
        {isBad
          ? "Not saved"
          : status === "waiting" || status === "saving"
            ? "Saving…"
            : status === "saved" && savedAt
              ? `${texts[opened.state]}, saved ${formatRecent(savedAt, timeZone)}`
              : unchanged[opened.state]}
      </span>
    </p>
  );
}

/** Why the last action failed, and why what is typed is not saved. */
function Failures({ actions, previewFailure, editor: { opened, state } }: PostBarProps) {
  const texts = [
    actions.failure,
    previewFailure,
    state.status === "failed" && `Not saved: ${describeUnsaved(state.error, opened.kind.names)}`,
  ].filter(Boolean);
  if (texts.length === 0) return null;
  return (
    <div
      role="alert"
      className="post-failure space-y-1 border-t border-line bg-clay-soft px-4 py-2 text-sm font-medium text-danger"
    >
      {texts.map((text) => (
        <p key={String(text)}>{text}</p>
      ))}
    </div>
  );
}

function describeUnsaved(error: unknown, subject: string): string {
  return isOffline(error)
    ? "offline. It is kept in this browser and tried again."
    : describeFailure(error, subject, "It is tried again.");
}

/** What is done less often. */
function OtherActions(props: PostBarProps & { isBusy: boolean }) {
  const { actions, editor, isBlocked, isBusy, main, isWaiting } = props;
  const { opened, draft, start } = editor;
  const { kind, state } = opened;
  const isChanged = editor.state.status !== "unchanged";
  const needsNoApproval = main.action !== "submit";
  const discarded = useRef<HTMLDialogElement>(null);
  const what = state === "draft" ? "draft" : "changes";
  const deleted = useRef<HTMLDialogElement>(null);
  const ended = useRef<HTMLDialogElement>(null);
  return (
    <>
      <MoreMenu of={draft.title || start.title || `the ${kind.name}`}>
        {state === "scheduled" && needsNoApproval && (
          <MenuItem
            disabled={isBusy || isBlocked || !main.isAllowed}
            onClick={() => void actions.publish()}
          >
            Publish now
          </MenuItem>
        )}
        {state !== "published" && kind.inBlog && needsNoApproval && (
          <MenuItem disabled={isBusy || !main.isAllowed} onClick={props.onSchedule}>
            {state === "draft" ? "Schedule…" : "Change time…"}
          </MenuItem>
        )}
        {state === "scheduled" && (
          <MenuItem disabled={isBusy} onClick={() => void actions.unschedule()}>
            Unschedule
          </MenuItem>
        )}
        {main.mayAsk && (
          <MenuItem
            disabled={isBusy || isBlocked || isWaiting}
            onClick={() => void actions.submit()}
          >
            Ask for approval
          </MenuItem>
        )}
        <MenuItem disabled={isBusy || !isChanged} onClick={() => void actions.keepVersion()}>
          {state === "draft" ? "Save draft" : "Save as a version"}
        </MenuItem>
        {state === "published" && kind.inBlog && (
          <MenuItem disabled={isBusy} onClick={() => ended.current?.showModal()}>
            Unpublish…
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem
          look="danger"
          disabled={isBusy || !isChanged}
          onClick={() => discarded.current?.showModal()}
        >
          {`Discard ${what}`}
        </MenuItem>
        {state === "published" && (
          <MenuItem look="danger" disabled={isBusy} onClick={() => deleted.current?.showModal()}>
            {`Delete ${kind.name}`}
          </MenuItem>
        )}
      </MoreMenu>
      <DeletePostDialog
        ref={deleted}
        {...{ id: opened.id, kind, state }}
        onDeleted={() => {
          actions.settled.current = true;
          props.onDeleted();
        }}
      />
      <UnpublishDialog ref={ended} onConfirm={() => void actions.unpublish()} />
      <ConfirmDialog
        ref={discarded}
        title={`Discard ${state === "draft" ? "this draft" : "your changes"}?`}
        text={
          state === "draft"
            ? "The draft can be restored for 30 days."
            : "The form goes back to what is published or scheduled. The history keeps what you typed."
        }
        confirm={`Discard ${what}`}
        cancel="Keep it"
        onConfirm={() => {
          discarded.current?.close();
          void actions.discard();
        }}
      />
    </>
  );
}
