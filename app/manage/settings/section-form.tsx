import { useCallback, useEffect, useRef, useState } from "react";
import type { SectionName, SiteSettings } from "../../config/site-schema.ts";
import { ErrorSummary } from "../../ui/form-errors.tsx";
import { FormContext, idOf } from "./controls/form-context.ts";
import { groupsOf } from "./fields.ts";
import type { AnyDocument } from "./fit-document.ts";
import { fieldOfPath, type Problems } from "./problems.ts";
import { ServicesEditor } from "./services-editor.tsx";
import { SettingControl } from "./setting-control.tsx";

interface SectionFormProps {
  section: SectionName;
  document: AnyDocument;
  problems: Problems;
  /** Whether every problem is shown, or only those of fields that the owner has left. */
  showAll: boolean;
  onChange: (document: AnyDocument) => void;
}

export function SectionForm(props: SectionFormProps) {
  const { section, document, problems, showAll, onChange } = props;
  const { visited, visit } = useVisited();
  const paths = Object.keys(problems);
  return (
    <FormContext
      value={{
        section,
        document,
        problemAt: (path) => (showAll || visited.has(path) ? problems[path] : undefined),
        visit,
      }}
    >
      {/* Not a form: everything is saved while typing, and the dialogs in it have forms of their own. */}
      <div className="space-y-12">
        {showAll && paths.length > 0 && (
          <ErrorSummary
            fields={paths.map((path) => ({
              id: idOf(path),
              label: fieldOfPath(section, path)?.label ?? path,
            }))}
          />
        )}
        {groupsOf(section).map(({ title, fields }) => (
          <div key={title}>
            <h2 className="border-b border-line pb-2 text-xl">{title}</h2>
            <div className="mt-5 space-y-6">
              {fields.map((field) => (
                <SettingControl
                  key={field.name}
                  field={field}
                  value={document[field.name]}
                  onChange={(value) => onChange({ ...document, [field.name]: value })}
                />
              ))}
              {section === "services" && (
                <div id={idOf("items")} tabIndex={-1} className="outline-none">
                  <ServicesEditor
                    // The document of this section has its shape (fit-document.ts).
                    document={document as SiteSettings["services"]}
                    onChange={(services) => onChange({ ...services })}
                    problems={showAll ? problems : {}}
                  />
                </div>
              )}
            </div>
          </div>
        ))}
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
  const waiting = useRef<string[]>([]);

  const addWaiting = useCallback(() => {
    const paths = waiting.current.splice(0);
    if (paths.length > 0) setVisited((before) => new Set([...before, ...paths]));
  }, []);

  useEffect(() => {
    function onPress() {
      isPressed.current = true;
    }
    function onRelease() {
      isPressed.current = false;
      // The click follows in the same task.
      setTimeout(addWaiting);
    }
    const listening = new AbortController();
    const options = { capture: true, signal: listening.signal };
    window.addEventListener("mousedown", onPress, options);
    window.addEventListener("mouseup", onRelease, options);
    // Dragged text or images send no mouseup.
    window.addEventListener("dragend", onRelease, options);
    return () => listening.abort();
  }, [addWaiting]);

  function visit(path: string) {
    waiting.current.push(path);
    if (!isPressed.current) addWaiting();
  }

  return { visited, visit };
}
