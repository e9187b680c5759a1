import { formatNumber } from "../ui/slider-field.tsx";

/** Formats whole dollars, such as `$1,250,000`. */
export function formatDollars(amount: number): string {
  const sign = amount <= -0.5 ? "-" : "";
  return `${sign}$${formatNumber(Math.round(Math.abs(amount)))}`;
}
