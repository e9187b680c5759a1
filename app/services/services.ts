import {
  type ServiceCatalogueEntry,
  type ServiceSlug,
  serviceCatalogue,
} from "../config/service-catalogue.ts";
import { estatePlanning } from "./content/estate-planning.ts";
import { familyProtection } from "./content/family-protection.ts";
import { highCashValueInsurance } from "./content/high-cash-value-insurance.ts";
import { infiniteBanking } from "./content/infinite-banking.ts";
import { lifeInsurance } from "./content/life-insurance.ts";
import { retirementPlanning } from "./content/retirement-planning.ts";
import type { ServiceContent } from "./content/service-content.ts";
import { taxFreeGrowth } from "./content/tax-free-growth.ts";

export type Service = ServiceCatalogueEntry & ServiceContent;

const contents: Record<ServiceSlug, ServiceContent> = {
  "life-insurance": lifeInsurance,
  "infinite-banking": infiniteBanking,
  "retirement-planning": retirementPlanning,
  "family-protection": familyProtection,
  "tax-free-growth": taxFreeGrowth,
  "high-cash-value-insurance": highCashValueInsurance,
  "estate-planning": estatePlanning,
};

/** The whole text of a service. A page sends one, never all seven: only loaders call this. */
export function findService(slug: string): Service | undefined {
  const entry = serviceCatalogue.find((candidate) => candidate.slug === slug);
  return entry && { ...entry, ...contents[entry.slug] };
}
