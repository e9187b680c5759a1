import { Check as CheckMark, CircleDashed } from "lucide";
import { Link } from "react-router";
import { useSite } from "../../config/use-site.ts";
import { Icon } from "../../ui/icon.ts";
import { LoadFailure } from "../../ui/load-state.tsx";
import { countRecoveryCodes } from "../account/account.ts";
import { RecoveryCodes } from "../account/recovery-codes.tsx";
import { ButtonLink, TextLink } from "../button.tsx";
import { checkedTables, isForServer, readReport } from "../checks/run-checks.ts";
import { ServerNotes } from "../checks/server-notes.tsx";
import { type LiveQuery, useLiveQuery } from "../live-query.ts";
import { PageFrame } from "../manage-frame.tsx";
import { homePage, Preview } from "../settings/preview.tsx";
import { type StepState, type StepStates, steps } from "./steps.ts";

/** The words after a step's title. Steps in other states are still to do. */
const stateNames: Partial<Record<StepState, string>> = {
  waiting: "Waits for your server",
  done: "Done",
};

export function SetupEnd({ states }: { states: StepStates }) {
  const site = useSite();
  const {
    value: report,
    failures,
    retry,
  } = useLiveQuery({ key: ["the checks of the site"], read: readReport, tables: checkedTables });
  const own = report?.checks.filter((check) => !isForServer(check));
  const isComplete = steps.every(({ id }) => stateNames[states[id]]);
  return (
    <PageFrame
      isWide
      heading={isComplete ? "Your site is ready" : "Set up your site"}
      lead={
        isComplete
          ? `${states.mail === "waiting" ? "Your part is done" : "All steps are done"}. Visitors see your own firm now.`
          : "That was the last step. What you skipped stays here until you come back."
      }
    >
      <div className="mt-5 flex flex-wrap gap-3">
        <ButtonLink to="/" look="primary" size="normal" className="max-sm:w-full">
          Look at your site
        </ButtonLink>
        <ButtonLink to="/manage" size="normal" className="max-sm:w-full">
          Go to Home
        </ButtonLink>
      </div>
      <div className="mt-8 grid gap-10 min-[75rem]:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]">
        <section
          aria-label="Your new home page"
          className="flex h-[34rem] flex-col rounded-lg border border-line bg-sand p-4 min-[75rem]:sticky min-[75rem]:top-8 min-[75rem]:h-[min(44rem,100dvh-4rem)]"
        >
          <Preview pages={[homePage]} site={site} />
        </section>
        <div>
          <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
            {steps.map(({ id, title }) => {
              const done = states[id] === "done";
              return (
                <li key={id}>
                  <Link
                    to={`?step=${id}`}
                    className="flex min-h-12 items-center gap-3 px-4 py-2 hover:text-evergreen focus-visible:-outline-offset-3"
                  >
                    <Icon
                      drawing={done ? CheckMark : CircleDashed}
                      className={`size-5 shrink-0 ${done ? "text-evergreen" : "text-clay"}`}
                    />
                    <span className="flex-1 font-medium">{title}</span>
                    <span className="text-sm text-muted">{stateNames[states[id]] ?? "To do"}</span>
                  </Link>
                </li>
              );
            })}
          </ul>
          <CodesPart />
          <h2 className="mt-8 text-xl">Before you go live</h2>
          <p className="mt-2">
            Your message and the services have texts to start with, which speak in your name. Read
            them, and change what is not true of you.
          </p>
          {failures > 0 ? (
            <LoadFailure what="The checks of your site" onRetry={retry} className="mt-3" />
          ) : !own ? (
            <p role="status" className="mt-3 text-muted">
              Checking your site...
            </p>
          ) : own.length === 0 ? (
            <p className="mt-3">The checks of your site found nothing for you to fix.</p>
          ) : (
            <ul className="mt-3 list-disc space-y-2 pl-5">
              {own.map(({ id, text, fixAt }) => (
                <li key={id}>
                  <TextLink to={fixAt}>{text}</TextLink>
                </li>
              ))}
            </ul>
          )}
          {report && <ServerNotes checks={report.checks} />}
        </div>
      </div>
    </PageFrame>
  );
}

const codesQuery: LiveQuery<number> = {
  key: ["recovery codes"],
  read: countRecoveryCodes,
  tables: [],
};

function CodesPart() {
  const { value: left } = useLiveQuery(codesQuery);
  if (left === undefined) return null;
  return (
    <>
      <h2 className="mt-8 text-xl">If you forget your password</h2>
      <p className="mt-2">
        {left > 0
          ? "One of your recovery codes lets you in again, without an email and without anybody's help."
          : "Make recovery codes and print them: one of them lets you in again, without an email and without anybody's help."}
      </p>
      <RecoveryCodes left={left} />
    </>
  );
}
