import { Circle, CircleAlert, CircleCheck } from "lucide";
import { type ReactNode, useId, useState } from "react";
import type { Role } from "../../../supabase/functions/_shared/roles.ts";
import { finishingSteps } from "../../config/checks/checks.ts";
import { useSite } from "../../config/use-site.ts";
import { Icon } from "../../ui/icon.ts";
import { Button, ButtonLink } from "../button.tsx";
import { useLiveQueries } from "../live-query.ts";
import { Placeholder } from "./part.tsx";
import { type Found, findings, kindsFor, tasksOf } from "./tasks.ts";
import { type Finding, queryOf, type Task, useWaiting } from "./waiting.ts";

/** What there is to do. Each kind is read alone, so that a failure does not hide the others. */
export function useTasks(role: Role, needsSetup: boolean) {
  const { closed } = useSite();
  const kinds = kindsFor(role, closed);
  // Each kind has values of its own type, which the list loses.
  const readings = useLiveQueries(
    kinds.map((kind) => queryOf(kind, findings[kind] as Finding<unknown>)),
  );
  const found = Object.fromEntries(kinds.map((kind, at) => [kind, readings[at]?.value])) as Found;
  return {
    ...tasksOf(role, found, needsSetup),
    report: found.report,
    hasFailed: readings.some(({ failures }) => failures > 0),
    isLoading: readings.some(({ value, failures }) => value === undefined && failures === 0),
    retry() {
      for (const { failures, retry } of readings) if (failures > 0) retry();
    },
  };
}

interface ToDoProps {
  tasks: ReturnType<typeof useTasks>;
  /** Whether it shows placeholders alone, because more is read soon. */
  isWaiting: boolean;
}

export function ToDo({ tasks, isWaiting }: ToDoProps) {
  const { doneSteps, hasFailed, isLoading, retry } = tasks;
  const toDo = isWaiting ? [] : tasks.toDo;
  const finishing = isWaiting ? [] : tasks.finishing;
  const { unread = 0 } = useWaiting();
  const isDone = !isLoading && !hasFailed && toDo.length + finishing.length === 0;
  return (
    <>
      {(isLoading || hasFailed || toDo.length > 0 || isDone) && (
        <TaskCard title="To do" tasks={toDo}>
          {isLoading && <Placeholder noun="what there is to do" rows={toDo.length > 0 ? 1 : 3} />}
          {hasFailed && (
            <div
              role="alert"
              className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2 pr-2 pl-4 sm:pr-3 sm:pl-5"
            >
              <p>
                {toDo.length + finishing.length > 0
                  ? "A part of this list could not be loaded."
                  : "This list could not be loaded."}
              </p>
              <Button onClick={retry}>Try again</Button>
            </div>
          )}
          {isDone && (
            <p className="flex min-h-16 items-center gap-3 px-4 py-3 text-muted sm:px-5">
              <Icon drawing={CircleCheck} className="size-5 shrink-0 text-clay" />
              <span>
                {unread > 0
                  ? "Nothing but your new messages. Have a good day."
                  : "Nothing to do. Have a good day."}
              </span>
            </p>
          )}
        </TaskCard>
      )}
      {finishing.length > 0 && (
        <TaskCard
          title="Finish your site"
          lead="Your site is up and running. These few things make it yours."
          note={<Progress done={doneSteps} all={finishingSteps.length} />}
          tasks={finishing}
        />
      )}
    </>
  );
}

interface ProgressProps {
  done: number;
  all: number;
}

export function Progress({ done, all }: ProgressProps) {
  return (
    <span className="flex items-center gap-3 text-sm text-muted">
      <span
        aria-hidden="true"
        className="h-1.5 w-24 overflow-clip rounded-full bg-line max-sm:hidden"
      >
        <span
          className="block h-full rounded-full bg-clay"
          style={{ width: `${(done / all) * 100}%` }}
        />
      </span>
      <span>{`${done} of ${all} done`}</span>
    </span>
  );
}

/** How many tasks are shown before the rest is asked for. */
const shownAtFirst = 6;

interface TaskCardProps {
  title: string;
  lead?: string;
  note?: ReactNode;
  tasks: readonly Task[];
  children?: ReactNode;
}

function TaskCard({ title, lead, note, tasks, children }: TaskCardProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const hidden = tasks.length - shownAtFirst;
  return (
    <section aria-labelledby={id}>
      <div className="flex min-h-7 items-center justify-between gap-4">
        <h2 id={id} className="text-xl">
          {title}
        </h2>
        {note}
      </div>
      {lead && <p className="text-sm text-muted">{lead}</p>}
      <div className="mt-3 divide-y divide-line overflow-clip rounded-lg border border-line bg-surface">
        {tasks.length > 0 && (
          <ul className="divide-y divide-line">
            {(isOpen ? tasks : tasks.slice(0, shownAtFirst)).map((task) => (
              <TaskRow key={task.id} task={task} />
            ))}
          </ul>
        )}
        {hidden > 0 && (
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
            className="flex min-h-11 w-full items-center px-4 text-sm font-medium text-muted hover:text-ink focus-visible:-outline-offset-3 sm:px-5"
          >
            {isOpen ? "Show fewer" : `Show ${hidden} more`}
          </button>
        )}
        {children}
      </div>
    </section>
  );
}

function TaskRow({ task: { text, action, to, isUrgent } }: { task: Task }) {
  return (
    <li className="flex min-h-14 items-center gap-3 py-2 pr-2 pl-4 sm:pr-3 sm:pl-5">
      <Icon
        drawing={isUrgent ? CircleAlert : Circle}
        className={`size-5 shrink-0 ${isUrgent ? "text-danger" : "text-edge"}`}
      />
      <p className="min-w-0 flex-1 leading-snug wrap-anywhere">
        {isUrgent && <span className="sr-only">Urgent: </span>}
        <span>{text}</span>
      </p>
      <ButtonLink to={to} of={text} className="shrink-0 border-line! sm:min-w-24">
        {action}
      </ButtonLink>
    </li>
  );
}
