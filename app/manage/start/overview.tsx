import type { Role } from "../../../supabase/functions/_shared/roles.ts";
import { useAuth } from "../../auth/auth-provider.tsx";
import { useSite } from "../../config/use-site.ts";
import { ButtonLink } from "../button.tsx";
import { PageFrame } from "../manage-frame.tsx";
import { Section } from "../page-parts.tsx";
import { VisitsPanel } from "../visits/visits-panel.tsx";
import { Attention } from "./attention-list.tsx";
import { setupLabel, useNeedsSetup } from "./setup-line.tsx";
import { TwoStepReminder } from "./two-step-reminder.tsx";

export default function Overview() {
  const { role, name, user } = useAuth();
  return (
    <PageFrame heading={`Welcome back, ${name ?? user?.email}`}>
      {role ? (
        <Content role={role} />
      ) : role === null ? (
        <p className="mt-4 text-lg text-muted">
          This account does not manage the site. Ask an owner of the site to invite it.
        </p>
      ) : (
        <p role="status" className="mt-4 text-muted">
          Loading your overview...
        </p>
      )}
    </PageFrame>
  );
}

function Content({ role }: { role: Role }) {
  const needsSetup = useNeedsSetup() && role === "owner";
  return (
    <>
      {needsSetup && <SetupBanner />}
      <Attention role={role} hasSetupBanner={needsSetup} />
      {role === "owner" && !needsSetup && <TwoStepReminder />}
      {role === "owner" && <VisitsSection />}
    </>
  );
}

function VisitsSection() {
  const { countsVisits } = useSite();
  return (
    <Section title="Visits in 30 days" className="mt-10">
      <div className="mt-4">
        <VisitsPanel period={30} isOn={countsVisits} Heading="h3" />
      </div>
    </Section>
  );
}

function SetupBanner() {
  return (
    <section
      aria-labelledby="setup-title"
      className="on-deep mt-6 rounded-lg bg-deep p-5 text-mist sm:flex sm:items-center sm:justify-between sm:gap-8 sm:p-6"
    >
      <div>
        <h2 id="setup-title" className="text-xl text-cream">
          Set up your site
        </h2>
        <p className="mt-1.5 text-sm">
          Your firm, your name, how to reach you, your licenses: eight short steps, about ten
          minutes. You can stop at any step and go on later.
        </p>
      </div>
      <ButtonLink to="/manage/setup" look="light" className="mt-4 shrink-0 sm:mt-0">
        {setupLabel()}
      </ButtonLink>
    </section>
  );
}
