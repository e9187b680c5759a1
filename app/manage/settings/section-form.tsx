import { useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { Site } from "../../config/public-site.ts";
import { sectionSchemas } from "../../config/site-schema.ts";
import { unreadFields } from "../../config/unfinished-texts.ts";
import { ErrorSummary } from "../../ui/form-errors.tsx";
import { LeaveGuard } from "../confirm-dialog.tsx";
import { focusHeading } from "../manage-frame.tsx";
import { OtherWindows } from "../versions/conflict.tsx";
import { FieldList, groupsOf } from "./field-control.tsx";
import { FormContext, idOf } from "./field-frame.tsx";
import { fieldAt, fieldsOf, infoOf } from "./fields.ts";
import { isWithin } from "./problems.ts";
import { StarterNotice } from "./rows-field.tsx";
import type { SectionDraft } from "./use-section-draft.ts";

interface SectionFormProps {
  draft: SectionDraft;
  /** Shows only the fields that this step of the setup asks for, and those that prevent publishing. */
  step?: true | "look";
  /** The site with the draft. */
  site?: Site;
}

export function LeaveGuardOf({ drafts }: { drafts: readonly SectionDraft[] }) {
  const isWaiting = drafts.some((draft) => draft.isWaiting);
  return (
    <LeaveGuard
      hasUnsavedChanges={() => {
        // Starts the saves before the next page reads the drafts, which waits for them.
        for (const { session } of drafts) void session.flush();
        return (
          isWaiting || drafts.some(({ state }) => ["failed", "conflict"].includes(state.status))
        );
      }}
      title={isWaiting ? "Leave before this is published?" : "Leave before this is saved?"}
      text={
        isWaiting
          ? "There is no connection, so your changes are not on your site yet. If you leave now, they stay a draft."
          : "What you changed is not on the server yet. This browser keeps it and saves it when you open this form again."
      }
      confirm="Leave"
    />
  );
}

export function SectionForm({ draft, step, site }: SectionFormProps) {
  const { section, start, state, problems, wasChecked, change, markRead } = draft;
  const { document } = state;
  const { visited, visit } = useVisited();
  const paths = Object.keys(problems);
  const shown = paths.filter((path) => wasChecked || visited.has(path));
  const all = fieldsOf(sectionSchemas[section]);
  const fields = all.filter(
    ({ name, info }) =>
      !step || info.first === step || (wasChecked && paths.some((path) => isWithin(path, name))),
  );
  const unread = unreadFields(section, document);
  const object = { path: "", value: document, onChange: change };
  return (
    <FormContext
      value={{
        site,
        document,
        start,
        change,
        markRead,
        isUnread: (path) => unread.has(path),
        problemAt: (path) => (shown.includes(path) ? problems[path] : undefined),
        countProblems: (parts) =>
          shown.filter((path) => parts.some((part) => isWithin(path, part))).length,
        visit,
      }}
    >
      <OtherWindows {...draft} />
      {/* Not a form: everything is saved while typing, and the dialogs in it have forms of their own. */}
      <div className="space-y-12">
        {unread.size > 0 && !step && (
          <StarterNotice
            of={infoOf(section).label}
            onRead={() => {
              flushSync(() => void markRead({ ...document, starter: false }));
              // The pressed button is gone.
              focusHeading();
            }}
          />
        )}
        {wasChecked && paths.length > 0 && (
          <ErrorSummary
            fields={paths.map((path) => ({
              id: idOf(path),
              label: fieldAt(section, path)?.name ?? path,
            }))}
          />
        )}
        {step ? (
          <div className="space-y-6">
            <FieldList {...object} fields={fields} />
          </div>
        ) : (
          groupsOf(fields).map((group) => (
            <div key={group.title}>
              {/* Not what the page's heading says already. */}
              {group.title !== infoOf(section).label && (
                <h2 className="mb-5 border-b border-line pb-2 text-xl">{group.title}</h2>
              )}
              <div className="space-y-6">
                <FieldList {...object} fields={group.fields} />
              </div>
            </div>
          ))
        )}
      </div>
    </FormContext>
  );
}

/**
 * The fields that the owner has left. Those left by pressing a button of the mouse are added after the click: a problem
 * that appears above the pressed control would move it away from the pointer, and the browser would not click it.
 */
function useVisited() {
  const [visited, setVisited] = useState<ReadonlySet<string>>(new Set());
  const isPressed = useRef(false);
  const left = useRef<string[]>([]);

  function showLeft() {
    const paths = left.current.splice(0);
    if (paths.length > 0) setVisited((before) => new Set([...before, ...paths]));
  }

  useEffect(() => {
    const listening = new AbortController();
    // Dragged text or images send no mouseup.
    for (const event of ["mousedown", "mouseup", "dragend"]) {
      const options = { capture: true, signal: listening.signal };
      window.addEventListener(event, onPointer, options);
    }
    function onPointer({ type }: Event) {
      isPressed.current = type === "mousedown";
      // The click follows in the same task.
      if (!isPressed.current) setTimeout(showLeft);
    }
    return () => listening.abort();
  });

  function visit(path: string) {
    left.current.push(path);
    if (!isPressed.current) showLeft();
  }

  return { visited, visit };
}
