import { useSendsMail } from "../../config/use-site.ts";
import { ButtonLink } from "../button.tsx";
import { useLiveQuery } from "../live-query.ts";
import { settingsQuery } from "../settings/settings-store.ts";
import { answeredSections, readProgress, stepStates, steps } from "../setup/steps.ts";
import { setupLabel } from "./setup-line.tsx";
import { Progress } from "./to-do.tsx";

/** Leads to the setup while it is open, with how far it is. */
export function SetupPanel() {
  const sendsMail = useSendsMail();
  const { value: stored, failures } = useLiveQuery(settingsQuery);
  const states =
    stored &&
    stepStates({
      published: answeredSections(stored.published),
      drafts: new Set(Object.keys(stored.drafts)),
      ...readProgress(),
      sendsMail,
    });
  const done = steps.filter(({ id }) => states?.[id] === "done").length;
  return (
    <section
      aria-labelledby="setup-title"
      className="mt-6 rounded-lg border border-line bg-surface p-5 shadow-card sm:flex sm:items-center sm:justify-between sm:gap-8 sm:p-6"
    >
      <div>
        <h2 id="setup-title" className="text-2xl">
          Set up your site
        </h2>
        <p className="mt-1.5 max-w-prose text-muted">
          {`Your firm, your name, how to reach you: ${steps.length} short steps, about ten minutes. You can stop at any step and go on later.`}
        </p>
        {/* As high before it is known. */}
        <div className="mt-3 min-h-5.25 text-sm text-muted">
          {states ? (
            <Progress done={done} all={steps.length} />
          ) : (
            failures > 0 && "How far you are could not be loaded."
          )}
        </div>
      </div>
      <ButtonLink
        to="/manage/setup"
        look="primary"
        size="normal"
        className="mt-4 shrink-0 max-sm:w-full sm:mt-0"
      >
        {setupLabel()}
      </ButtonLink>
    </section>
  );
}
