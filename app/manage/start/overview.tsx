import { useEffect, useState } from "react";
import { may, type Role } from "../../../supabase/functions/_shared/roles.ts";
import { useAuth } from "../../auth/auth-provider.tsx";
import { useSite } from "../../config/use-site.ts";
import { CodeUses } from "../account/code-uses.tsx";
import { BackupLine } from "../backups/backup-line.tsx";
import { ButtonLink } from "../button.tsx";
import { ReleaseNote } from "../checks/release-note.tsx";
import { ServerNotes } from "../checks/server-notes.tsx";
import { PageFrame } from "../manage-frame.tsx";
import { Section } from "../page-parts.tsx";
import { greet, longDay } from "./greeting.ts";
import { NewestMessages, RecentVisits, UnfinishedPosts } from "./newest.tsx";
import { useNeedsSetup } from "./setup-line.tsx";
import { SetupPanel } from "./setup-panel.tsx";
import { ToDo, useTasks } from "./to-do.tsx";
import { TwoStepReminder } from "./two-step-reminder.tsx";

export default function Home() {
  const { role, name } = useAuth();
  const { firm, contact, adviser, isDefault } = useSite();
  // An owner without a name of their own is most likely the adviser, once the adviser has another name than the firm.
  const isNamed = role === "owner" && !isDefault && adviser.name !== firm.name;
  const person = name ?? (isNamed ? adviser.firstName || adviser.name : null);
  return (
    <PageFrame heading={greet(person, contact.timeZone)} lead={longDay(contact.timeZone)}>
      {role ? (
        <Content role={role} />
      ) : role === null ? (
        <p className="mt-6 max-w-xl">
          This account does not manage the site. Ask an owner of the site to invite it.
        </p>
      ) : (
        <p role="status" className="mt-6 text-muted">
          Loading your account...
        </p>
      )}
    </PageFrame>
  );
}

function Content({ role }: { role: Role }) {
  const needsSetup = useNeedsSetup() && role === "owner";
  const tasks = useTasks(role, needsSetup);
  // The tasks are as high as they are many, so the rest waits for them, and they for each other.
  const isLate = useIsLate();
  const isWaiting = tasks.isLoading && !isLate;
  return (
    <>
      {role === "owner" && <CodeUses />}
      {needsSetup && <SetupPanel />}
      <div className="mt-8 grid grid-cols-1 gap-8 min-[1100px]:grid-cols-[minmax(0,1.5fr)_minmax(0,1fr)]">
        <div className="flex flex-col gap-8">
          <ToDo tasks={tasks} isWaiting={isWaiting} />
          <div hidden={isWaiting} className="space-y-8 empty:hidden">
            {role === "owner" && !needsSetup && <TwoStepReminder />}
            {may(role, "handle messages") && <NewestMessages />}
          </div>
        </div>
        <div className={`space-y-8 ${isWaiting ? "max-[1099px]:hidden" : ""}`}>
          {may(role, "write posts") && <UnfinishedPosts />}
          {may(role, "manage the site") && <RecentVisits />}
          <QuickLinks role={role} />
        </div>
      </div>
      {!tasks.isLoading && tasks.report && (
        <>
          <ServerNotes checks={tasks.report.checks} />
          {tasks.report.release && <ReleaseNote release={tasks.report.release} />}
        </>
      )}
      {role === "owner" && <BackupLine />}
    </>
  );
}

/** Whether the page has been open for two seconds. */
function useIsLate(): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 2000);
    return () => clearTimeout(timer);
  }, []);
  return isLate;
}

const quickLinks = [
  { task: "write posts", to: "/blog/new", label: "Write a post" },
  { task: "manage the site", to: "/manage/settings/notice", label: "Show a notice" },
  { task: "manage the site", to: "/manage/settings/contact", label: "Change phone or hours" },
  { task: "moderate testimonials", to: "/manage/testimonials/requests", label: "Ask a client" },
] as const;

function QuickLinks({ role }: { role: Role }) {
  return (
    <Section title="Often needed" headingClass="flex min-h-7 items-center text-xl">
      <ul className="mt-3 flex flex-wrap gap-2">
        {quickLinks
          .filter(({ task }) => may(role, task))
          .map(({ to, label }) => (
            <li key={to}>
              <ButtonLink to={to}>{label}</ButtonLink>
            </li>
          ))}
      </ul>
    </Section>
  );
}
