import { useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { useAuth } from "../../auth/auth-provider.tsx";
import { useSite } from "../../config/use-site.ts";
import { lazyPart } from "../../loading/lazy-part.tsx";
import { FormFailure } from "../../ui/form-errors.tsx";
import { LoadFailure } from "../../ui/load-state.tsx";
import { Button } from "../button.tsx";
import { LeaveGuard } from "../confirm-dialog.tsx";
import { useLinkProblems } from "../content/content-links.ts";
import { textToBlocks } from "../content/marked-blocks.ts";
import { isOffline } from "../describe-failure.ts";
import { formatMoment, formatSchedule } from "../format-moment.ts";
import { PageTemplates } from "../pages/page-templates.tsx";
import { ApprovalPanel } from "../versions/approval.tsx";
import { OtherWindows } from "../versions/conflict.tsx";
import { DraftStatus } from "../versions/draft-status.tsx";
import { History } from "../versions/history.tsx";
import { FeaturedImageField } from "./featured-image-field.tsx";
import { PostActionsBar } from "./post-actions.tsx";
import { usePostApproval } from "./post-approval.ts";
import { PostFields } from "./post-fields.tsx";
import { describeMissing, type PostState, postLimits } from "./post-schema.ts";
import { PreviewLink } from "./preview-link.tsx";
import { type OpenedPost, thingOf } from "./stored-posts.ts";
import {
  type FeaturedImage,
  useFeaturedImage,
  useReportMissingImage,
} from "./use-featured-image.ts";
import { usePostActions } from "./use-post-actions.ts";
import { usePostEditor } from "./use-post-editor.ts";

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
  const [isScheduling, setIsScheduling] = useState(false);
  const [isUploading, setUploading] = useState(false);
  const linkProblems = useLinkProblems(draft.content);
  const heading = useRef<HTMLHeadingElement>(null);
  const { row, kind } = opened;
  const scheduledFor = opened.state === "scheduled" && row ? row.published_date : null;
  const isPublic = !closed.includes(kind.home);
  const path = isPublic && opened.state === "published" && row ? kind.folder + row.slug : null;

  const isEmpty = opened.state === "draft" && !draft.title && draft.content.length === 0;
  useReportMissingImage(editor, actions.reportMissingImage);
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus]);
  useEffect(() => {
    if (state.savedAt) onStored?.();
  }, [state.savedAt, onStored]);

  function submit() {
    if (approval?.mustSubmit) void actions.submit();
    else if (opened.state === "published") void actions.save();
    else void actions.publish();
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
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <h1
          ref={heading}
          id="page-heading"
          tabIndex={-1}
          className="text-2xl outline-none md:text-3xl"
        >
          {kind.editorTitles[opened.state]}
        </h1>
        {scheduledFor && (
          <div
            className={`mt-6 flex flex-wrap items-center justify-between gap-3 rounded-md p-4 ${opened.failure ? "bg-clay-soft" : "bg-sage"}`}
          >
            <div>
              <p className="font-medium">
                {`Scheduled for ${formatSchedule(scheduledFor, contact.timeZone)}`}
              </p>
              {opened.failure && (
                <p className="mt-1 font-medium text-danger wrap-anywhere">
                  {`Not published: ${opened.failure}. It is tried again every hour. Change what is wrong, then publish the post or choose another time.`}
                </p>
              )}
            </div>
            <div className="flex flex-wrap gap-3">
              <Button disabled={submitting} onClick={openSchedule}>
                Change time…
              </Button>
              <Button disabled={submitting} onClick={actions.unschedule}>
                Unschedule
              </Button>
            </div>
          </div>
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
        {kind.name === "page" && isEmpty && (
          <PageTemplates
            onChoose={({ title, slug, text }) =>
              change({ title, slug, content: textToBlocks(text) })
            }
          />
        )}
        <PostFields
          draft={draft}
          kind={kind}
          disabled={submitting}
          ownName={opened.state === "published" ? null : ownName}
          image={<FeaturedImageField image={image} disabled={submitting} onFail={actions.fail} />}
          content={{
            onChange: (content) => change({ content }),
            onUploading: setUploading,
            onTitle: takeTitle,
          }}
          onChange={change}
        />
        {linkProblems.length > 0 && (
          <div role="status" className="mt-8 rounded-md bg-clay-soft p-4">
            <p className="font-semibold">Before you publish</p>
            <ul className="mt-1 list-disc pl-5 wrap-anywhere">
              {linkProblems.map((problem) => (
                <li key={problem}>{problem}</li>
              ))}
            </ul>
          </div>
        )}
        {isPublic && (opened.state === "scheduled" || state.status !== "unchanged") && (
          <PreviewLink
            thing={opened}
            canLetApprove={approval?.isOwner ?? false}
            onBeforeCreate={() => session.flush()}
          />
        )}
        <History
          thing={thingOf(opened)}
          format={editor.format}
          heading="History"
          empty="Nothing was saved yet. Each version that you save, schedule or publish is kept here."
          current={draft}
          loadedFor={actions.keptAt}
          onRestore={actions.restore}
        />
        <div className="mt-8 empty:hidden">
          <FormFailure text={actions.failure} />
        </div>
        <PostActionsBar
          {...{ actions, editor, approval }}
          blockedBy={isUploading ? textUploading : blockedBy(opened, image, draft.imageUrl)}
          status={
            <DraftStatus
              state={state}
              subject={kind.names}
              saved={`Saved ${state.savedAt && formatMoment(state.savedAt, contact.timeZone)}`}
              failed={isOffline(state.error) ? keptOffline : undefined}
            />
          }
          onCancel={() => navigate(path ?? (isPublic ? kind.home : kind.list))}
          onSchedule={openSchedule}
          onSaveSchedule={() => scheduledFor && void actions.schedule(scheduledFor)}
        />
      </form>
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
const keptOffline = "offline. It is kept in this browser and tried again.";
