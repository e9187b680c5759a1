import { type ComponentProps, useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { useAuth } from "../../auth/auth-provider.tsx";
import { useSite } from "../../config/use-site.ts";
import { lazyPart } from "../../loading/lazy-part.tsx";
import { Dialog, useOpenDialog } from "../../ui/dialog.tsx";
import { LoadFailure } from "../../ui/load-state.tsx";
import { Button } from "../button.tsx";
import { DialogActions, LeaveGuard } from "../confirm-dialog.tsx";
import { selectInContent } from "../content/content-field.tsx";
import { useLinkProblems } from "../content/content-links.ts";
import { textToBlocks } from "../content/marked-blocks.ts";
import { Section } from "../page-parts.tsx";
import { PageTemplates } from "../pages/page-templates.tsx";
import { ApprovalPanel } from "../versions/approval.tsx";
import { FollowedList, OtherWindows } from "../versions/conflict.tsx";
import { History } from "../versions/history.tsx";
import { FeaturedImageField } from "./featured-image-field.tsx";
import { usePostApproval } from "./post-approval.ts";
import { Label, type MainAction, mainActionOf, PostBar } from "./post-bar.tsx";
import { PostSettings, PostText, panelPart } from "./post-fields.tsx";
import {
  describeMissing,
  type PostDraft,
  type PostState,
  placeholdersIn,
  postLimits,
} from "./post-schema.ts";
import { PreviewLink, usePreview } from "./preview-link.tsx";
import { type OpenedPost, thingOf } from "./stored-posts.ts";
import {
  type FeaturedImage,
  useFeaturedImage,
  useReportMissingImage,
} from "./use-featured-image.ts";
import { usePostActions } from "./use-post-actions.ts";
import { type PostEditorState, usePostEditor } from "./use-post-editor.ts";
import "./post-editor.css";

const ScheduleDialog = lazyPart(
  () => import("./schedule-dialog.tsx"),
  ({ onRetry }) => <LoadFailure what="The schedule" onRetry={onRetry} className="mt-5" />,
);

interface PostEditorProps {
  /** What is stored, as long as the post stays in the state in which it was opened. */
  opened: OpenedPost;
  newState: PostState | null;
  reread: () => Promise<OpenedPost | null>;
  /** Called when the control that had the focus was removed. */
  takesFocus: boolean;
  /** Called when the draft is stored, so that the address can name it. */
  onStored?: () => void;
  onReopen: () => void;
}

export function PostEditor(props: PostEditorProps) {
  const { opened, newState, reread, takesFocus, onStored, onReopen } = props;
  const { adviser, contact, closed } = useSite();
  const { name } = useAuth();
  const ownName = name ?? adviser.name;
  const navigate = useNavigate();
  const editor = usePostEditor(opened, ownName);
  const { draft, state, session, change } = editor;
  const image = useFeaturedImage(editor);
  const actions = usePostActions({ editor, image, author: ownName, newState, reread, onReopen });
  const submitting = actions.running !== null;
  const approval = usePostApproval(editor, image.isWaiting, !submitting);
  const preview = usePreview(opened, () => session.flush());
  const [isScheduling, setIsScheduling] = useState(false);
  const [isConfirming, setConfirming] = useState(false);
  const [isUploading, setUploading] = useState(false);
  const linkProblems = useLinkProblems(draft.content);
  const placeholders = placeholdersIn(draft.content);
  const heading = useRef<HTMLHeadingElement>(null);
  const settings = useRef<HTMLDivElement>(null);
  const { row, kind } = opened;
  const scheduledFor = opened.state === "scheduled" && row ? row.published_date : null;
  const isPublic = !closed.includes(kind.home);
  const path = isPublic && opened.state === "published" && row ? kind.folder + row.slug : null;
  const isChanged = state.status !== "unchanged";
  const main = mainActionOf(opened, approval);

  const isEmpty = opened.state === "draft" && !draft.title && draft.content.length === 0;
  const offersTemplates = kind.name === "page" && isEmpty;
  useReportMissingImage(editor, actions.reportMissingImage);
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus]);
  useEffect(() => {
    if (state.savedAt) onStored?.();
  }, [state.savedAt, onStored]);

  function submit() {
    if (main.action !== "schedule") void actions[main.action]();
    else if (scheduledFor) void actions.schedule(scheduledFor);
  }

  function openSchedule() {
    const missing = describeMissing(draft);
    if (missing) actions.fail(missing);
    else setIsScheduling(true);
  }

  /** @returns whether the post had no title */
  function takeTitle(title: string): boolean {
    if (editor.current().title.trim()) return false;
    change({ title: [...title].slice(0, postLimits.title).join("") });
    return true;
  }

  function openPreview() {
    if (isChanged || !path) void preview.open();
    else window.open(path, `preview-${opened.id}`);
  }

  const canBePreviewed = isPublic && (isChanged || opened.state === "scheduled");
  const block = isUploading ? textUploading : blockedBy(opened, image, draft.imageUrl);
  const fields = { draft, kind, disabled: submitting, errors: actions.errors, onChange: change };
  return (
    <>
      <LeaveGuard
        hasUnsavedChanges={() => {
          if (actions.settled.current) return false;
          const { status } = session.getState();
          void session.flush();
          return image.isWaiting || image.isUploading || isUploading || isUnsaved(status);
        }}
        title={image.isWaiting ? "Leave without saving?" : "Leave before this is saved?"}
        text={
          image.isWaiting
            ? `The image that you chose is stored when you save the ${kind.name}. Leaving discards it; what you typed is kept as a draft.`
            : `What you changed is not on the server yet. This browser keeps your text and saves it when you open the ${kind.name} again.`
        }
        confirm="Leave"
        onLeave={() => {
          actions.settled.current = true;
        }}
      />
      <form
        noValidate
        className={`post-editor bg-surface ${kind.inBlog ? "in-blog" : ""} ${offersTemplates ? "is-empty" : ""}`}
        onSubmit={(event) => {
          event.preventDefault();
          if (state.followed.length > 0) setConfirming(true);
          else submit();
        }}
      >
        <PostBar
          {...{ heading, actions, editor, main }}
          isBlocked={block !== undefined}
          isWaiting={approval?.state === "submitted"}
          previewFailure={preview.failure}
          onPreview={canBePreviewed || path ? openPreview : undefined}
          onCancel={() => navigate(path ?? (isPublic ? kind.home : kind.list))}
          onSchedule={openSchedule}
          onDeleted={() => navigate(isPublic ? kind.home : kind.list)}
        />
        <div className="lg:grid lg:grid-cols-[minmax(0,1fr)_21rem]">
          <div className="min-w-0 px-4 pt-6 pb-10 sm:px-8 sm:pt-8">
            <div className="mx-auto max-w-[44rem]">
              {block && (
                <p className="mb-4 text-sm text-muted">
                  <button
                    type="button"
                    className="min-h-6 text-left underline underline-offset-4 hover:text-ink"
                    onClick={() =>
                      settings.current?.querySelector<HTMLElement>("button, input")?.focus()
                    }
                  >
                    {block}
                  </button>
                </p>
              )}
              {opened.failure && (
                <p className="mb-6 rounded-md bg-clay-soft p-4 font-medium text-danger wrap-anywhere">
                  {`Not published: ${opened.failure}. It is tried again every hour. Change what is wrong, then publish the post or choose another time.`}
                </p>
              )}
              {approval && (
                <ApprovalPanel
                  approval={approval}
                  name={kind.name}
                  isBusy={submitting}
                  onDecide={actions.decide}
                />
              )}
              <OtherWindows {...editor} />
              <PostText
                {...fields}
                content={{
                  onChange: (content) => change({ content }),
                  onUploading: setUploading,
                  onTitle: takeTitle,
                }}
              />
              {offersTemplates && (
                <PageTemplates
                  onChoose={({ title, slug, text }) =>
                    change({ title, slug, content: textToBlocks(text) })
                  }
                />
              )}
            </div>
          </div>
          <div className="border-line bg-paper max-lg:border-t lg:border-l">
            <div ref={settings} className="post-panel max-lg:mx-auto max-lg:max-w-[48rem]">
              <Corrections placeholders={placeholders} linkProblems={linkProblems} />
              <PostSettings
                {...fields}
                ownName={opened.state === "published" ? null : ownName}
                image={
                  <FeaturedImageField image={image} disabled={submitting} onFail={actions.fail} />
                }
              />
              {canBePreviewed && (
                <div className={panelPart}>
                  <PreviewLink preview={preview} canLetApprove={approval?.isOwner ?? false} />
                </div>
              )}
              <History
                thing={thingOf(opened)}
                format={editor.format}
                heading="History"
                empty="Nothing was saved yet. Each version that you save, schedule or publish is kept here."
                current={draft}
                loadedFor={actions.keptAt}
                onRestore={actions.restore}
                className="px-4 py-3 sm:px-8 lg:px-5"
              />
            </div>
          </div>
        </div>
      </form>
      {isConfirming && (
        <ConfirmFollowed
          {...editor}
          main={main}
          onConfirm={submit}
          onClose={() => setConfirming(false)}
        />
      )}
      {isScheduling && (
        <ScheduleDialog
          timeZone={contact.timeZone}
          scheduledFor={scheduledFor}
          onSchedule={actions.schedule}
          onClose={() => setIsScheduling(false)}
        />
      )}
    </>
  );
}

interface CorrectionsProps {
  placeholders: readonly string[];
  linkProblems: readonly string[];
}

/** What to correct in the text, before the post is published. */
function Corrections({ placeholders, linkProblems }: CorrectionsProps) {
  return (
    <div role="status">
      {placeholders.length + linkProblems.length > 0 && (
        <Section
          title="Before you publish"
          className="border-b border-line bg-clay-soft px-4 py-5 text-sm sm:px-8 lg:px-5"
          headingClass="text-sm font-semibold"
        >
          {placeholders.length > 0 && (
            <>
              <p className="mt-1">Fill in or remove:</p>
              <ul className="mt-1 max-h-64 overflow-y-auto">
                {placeholders.map((words, index) => {
                  const at = placeholders.slice(0, index).filter((each) => each === words).length;
                  return (
                    <li key={`${words} ${at}`}>
                      <button
                        type="button"
                        className="flex min-h-8 w-full items-center text-left underline underline-offset-4"
                        onClick={() => selectInContent(words, at)}
                      >
                        <span className="truncate">{words}</span>
                      </button>
                    </li>
                  );
                })}
              </ul>
            </>
          )}
          <ul className="mt-1 list-disc pl-5 wrap-anywhere empty:hidden">
            {linkProblems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </Section>
      )}
    </div>
  );
}

interface ConfirmFollowedProps extends ComponentProps<typeof FollowedList<PostDraft>> {
  session: PostEditorState["session"];
  main: MainAction;
  onConfirm: () => void;
  onClose: () => void;
}

/** Names what another window or device stored, and what would get public with what was typed here. */
function ConfirmFollowed({ session, main, onConfirm, onClose, ...followed }: ConfirmFollowedProps) {
  const dialog = useOpenDialog();
  return (
    <Dialog ref={dialog} title="Changed on another device as well" onClose={onClose}>
      <p className="mt-2">These changes are included:</p>
      <FollowedList {...followed} />
      <DialogActions dialog={dialog} cancel="Keep editing" className="mt-6">
        <Button
          look="primary"
          onClick={() => {
            dialog.current?.close();
            session.dismissFollowed();
            onConfirm();
          }}
        >
          <Label of={main} />
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function isUnsaved(status: string): boolean {
  return status === "failed" || status === "conflict";
}

function blockedBy(
  { state, kind }: OpenedPost,
  image: FeaturedImage,
  imageUrl: string | null,
): string | undefined {
  if (state === "published" || !kind.inBlog) return;
  if (image.isUploading) return "You can publish as soon as the image is uploaded.";
  if (!imageUrl) return "To publish the post, add a featured image.";
}

const textUploading = "Wait until the images in the text are uploaded, or remove them.";
