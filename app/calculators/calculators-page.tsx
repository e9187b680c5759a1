import { siteOf } from "../config/use-site.ts";
import { type About, breadcrumbs } from "../seo/json-ld.ts";
import { pageMeta } from "../seo/page-meta.ts";
import { buttonClass } from "../ui/button.ts";
import { ConsultationLink } from "../ui/consultation-link.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { readPostedForm } from "../ui/posted-form.ts";
import type { Route } from "./+types/calculators-page";
import { parseCalculatorForm } from "./calculator-form.ts";
import { LifeInsuranceCalculator } from "./life-insurance-calculator.tsx";
import { RetirementCalculator } from "./retirement-calculator.tsx";

/** Handles a calculator's form without JavaScript. */
export async function action({ request }: Route.ActionArgs) {
  return parseCalculatorForm(await readPostedForm(request));
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(
    { matches },
    {
      title: `Savings Calculator | ${siteOf(matches).firm.name}`,
      description:
        "Estimate how much life insurance your family would need and what your retirement savings could become. Free, private, nothing is stored.",
      path: "/savings-calculator",
    },
  );
}

export function structuredData(about: About) {
  return [breadcrumbs(about, ["Savings Calculator", "/savings-calculator"])];
}

export default function CalculatorsPage({ actionData }: Route.ComponentProps) {
  return (
    <div className="wrap section">
      <PageHeading
        title="Savings calculators"
        lead="Two rough sums to start a conversation with. Nothing you enter leaves this page."
      />
      <noscript>
        <p className="mt-3 text-muted">
          Without JavaScript our server works the sums out. It keeps none of your numbers.
        </p>
      </noscript>
      <div className="mt-12 grid gap-6 lg:grid-cols-2 lg:gap-8 print:block">
        <LifeInsuranceCalculator posted={actionData?.coverage} />
        <RetirementCalculator posted={actionData?.retirement} />
      </div>
      <div className="mt-12 flex flex-wrap items-center justify-between gap-6 border-y border-line py-8">
        <p className="max-w-2xl">
          These tools give estimates only. They assume constant figures, leave out taxes and
          inflation, and are not advice or a promise of any result.
        </p>
        <ConsultationLink
          className={buttonClass("primary")}
          otherwise="Ask for a Free Consultation"
        >
          Schedule a Free Consultation
        </ConsultationLink>
      </div>
    </div>
  );
}
