import type { Check, SiteFacts } from "./check.ts";
import { checkContent } from "./content-checks.ts";
import { checkOperation } from "./operation-checks.ts";

/** All checks that found something, errors first. */
export function runChecks(facts: SiteFacts): Check[] {
  const checks = [...checkOperation(facts), ...checkContent(facts)];
  return checks.toSorted((a, b) => Number(b.severity === "error") - Number(a.severity === "error"));
}
