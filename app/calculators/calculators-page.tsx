import { siteContext } from "../config/request-context.ts";
import { siteOf, useSite } from "../config/use-site.ts";
import { type About, breadcrumbs } from "../seo/json-ld.ts";
import { pageMeta } from "../seo/page-meta.ts";
import { buttonClass } from "../ui/button-class.ts";
import { ConsultationLink } from "../ui/consultation-link.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { readPostedForm } from "../ui/posted-form.ts";
import type { Route } from "./+types/calculators-page";
import { parseCalculatorForm } from "./calculator-form.ts";
import { LifeInsuranceCalculator } from "./life-insurance-calculator.tsx";
import { RetirementCalculator } from "./retirement-calculator.tsx";

/** Handles a calculator's form without JavaScript. */
export async function action({ request, context }: Route.ActionArgs) {
  const { calculators } = context.get(siteContext).site;
  return parseCalculatorForm(await readPostedForm(request), calculators);
}

export function meta({ matches }: Route.MetaArgs) {
  const { calculators } = siteOf(matches).pages;
  return pageMeta({ matches }, { ...calculators, path: "/savings-calculator" });
}

export function structuredData(about: About) {
  return [breadcrumbs(about, ["Savings Calculator", "/savings-calculator"])];
}

export default function CalculatorsPage({ actionData }: Route.ComponentProps) {
  const { hidden, calculatorsButton } = useSite().pages;
  const hasCoverage = !hidden.includes("lifeInsuranceCalculator");
  const hasRetirement = !hidden.includes("retirementCalculator");
  const both = hasCoverage && hasRetirement;
  return (
    <div
      className={`wrap section ${both ? "" : "lg:grid lg:grid-cols-[minmax(0,42rem)_minmax(0,1fr)] lg:items-start lg:gap-x-16"}`}
    >
      <div className="col-span-full">
        <PageHeading
          title="Savings Calculator"
          lead={`${both ? "Rough estimates" : "A rough estimate"} to start from. Nothing you enter is stored.`}
        />
        <noscript>
          <p className="mt-3 text-muted">
            Without JavaScript our server works the sums out. It keeps none of your numbers.
          </p>
        </noscript>
      </div>
      <div
        className={
          both
            ? "mt-12 grid grid-cols-1 items-start gap-6 lg:grid-cols-2 lg:grid-rows-[auto_1fr] lg:gap-8 print:block"
            : "contents"
        }
      >
        {hasCoverage && (
          <div className={both ? "" : "mt-12"}>
            <LifeInsuranceCalculator posted={actionData?.coverage} />
          </div>
        )}
        {hasRetirement && (
          <div className={both ? "lg:row-span-2" : "mt-12"}>
            <RetirementCalculator posted={actionData?.retirement} />
          </div>
        )}
        <div className={`border-y border-line py-8 ${both ? "" : "mt-12 lg:sticky lg:top-28"}`}>
          <p className="max-w-2xl">
            {both
              ? "These tools give estimates only. They assume constant figures, leave out taxes and inflation, and are not advice or a promise of any result."
              : "This tool gives an estimate only. It assumes constant figures, leaves out taxes and inflation, and is not advice or a promise of any result."}
          </p>
          <ConsultationLink className={`${buttonClass("primary")} mt-6`}>
            {calculatorsButton}
          </ConsultationLink>
        </div>
      </div>
    </div>
  );
}
