import { useState } from "react";
import { Link } from "react-router";
import { useAuth } from "../../auth/auth-provider.tsx";
import type { Role } from "../../auth/roles.ts";
import { useSite } from "../../config/use-site.ts";
import { buttonClass } from "../../ui/button.ts";
import { isSetupUnfinished } from "../setup/steps.ts";
import { loadVisits } from "../visits/visits.ts";
import VisitsPanel from "../visits/visits-panel.tsx";
import { Attention } from "./attention-list.tsx";
import { PageLinks } from "./page-links.tsx";

/** The start page of the people who manage the site: what needs attention, and the way to everything else. */
export default function Overview() {
  const { role, name: ownName } = useAuth();
  const { adviser } = useSite();
  const name = ownName ?? (role === "owner" ? adviser.firstName || adviser.name : "");
  return (
    <div className="wrap min-h-[60vh] py-8 sm:py-12">
      <h1 className="text-2xl [overflow-wrap:anywhere]">
        {name ? `Welcome back, ${name}` : "Welcome back"}
      </h1>
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
      <PageLinks role={role} />
      {role === "owner" && <VisitsSection />}
    </>
  );
}

function VisitsSection() {
  const { countsVisits } = useSite();
  const [visits] = useState(() => loadVisits(30));
  return (
    <section aria-labelledby="visits-title" className="mt-10">
      <h2 id="visits-title" className="text-xl">
        Visits in 30 days
      </h2>
      <div className="mt-4">
        <VisitsPanel visits={visits} period={30} isOn={countsVisits} Heading="h3" />
      </div>
    </section>
  );
}

function useNeedsSetup(): boolean {
  const { isDefault } = useSite();
  return isDefault || isSetupUnfinished();
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
          Your firm, your name, how to reach you, your licenses: six short steps, about ten minutes.
          You can stop at any step and go on later.
        </p>
      </div>
      <Link to="/manage/setup" className={`${buttonClass("light", "small")} mt-4 shrink-0 sm:mt-0`}>
        {isSetupUnfinished() ? "Go on with the setup" : "Start the setup"}
      </Link>
    </section>
  );
}
