import { useContext } from "react";
import { Link } from "react-router";
import type { Role } from "../../../supabase/functions/_shared/roles.ts";
import { useAuth } from "../../auth/auth-provider.tsx";
import { useSite } from "../../config/use-site.ts";
import { Icon } from "../../ui/icon.ts";
import { ButtonLink } from "../button.tsx";
import { PageContext } from "../manage-frame.tsx";
import { Section } from "../page-parts.tsx";
import { VisitsPanel } from "../visits/visits-panel.tsx";
import { Attention } from "./attention-list.tsx";
import { setupLabel, useNeedsSetup } from "./setup-line.tsx";
import { TwoStepReminder } from "./two-step-reminder.tsx";

export default function Overview() {
  const { role, name, user } = useAuth();
  return (
    <div className="wrap min-h-[60vh] py-8 sm:py-12">
      <h1 className="text-2xl wrap-anywhere">{`Welcome back, ${name ?? user?.email}`}</h1>
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
    </div>
  );
}

function Content({ role }: { role: Role }) {
  const needsSetup = useNeedsSetup() && role === "owner";
  return (
    <>
      {needsSetup && <SetupBanner />}
      <Attention role={role} hasSetupBanner={needsSetup} />
      {role === "owner" && !needsSetup && <TwoStepReminder />}
      <PageLinks />
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

function PageLinks() {
  const { links } = useContext(PageContext);
  return (
    <Section title="Your site" className="mt-10">
      <ul className="mt-4 grid gap-3 sm:grid-cols-2 sm:gap-4 lg:grid-cols-3">
        {links.map(
          ({ to, label, card }) =>
            card && (
              <li
                key={to}
                // The last card fills the rest of its row.
                className="relative flex gap-4 rounded-lg border border-line bg-surface p-4 transition-colors hover:border-evergreen sm:p-5 sm:max-lg:last:odd:col-span-2 lg:last:nth-[3n+1]:col-span-3 lg:last:nth-[3n+2]:col-span-2"
              >
                <Icon drawing={card.icon} className="mt-1 size-5 shrink-0 text-evergreen" />
                <div className="min-w-0 flex-1">
                  <h3 className="font-sans text-base font-semibold">
                    <Link to={to} className="card-link">
                      {label}
                    </Link>
                  </h3>
                  <p className="mt-0.5 text-sm text-muted">{card.text}</p>
                  {card.create && (
                    <ButtonLink to={card.create.to} className="relative z-10 mt-3">
                      {card.create.label}
                    </ButtonLink>
                  )}
                </div>
              </li>
            ),
        )}
      </ul>
    </Section>
  );
}
