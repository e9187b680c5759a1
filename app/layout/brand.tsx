import { site } from "../config/site.ts";

/** The logo and the name of the firm. */
export function Brand({ inverse = false }: { inverse?: boolean }) {
  const [ground, lane, door] = inverse
    ? ["fill-cream", "fill-deep", "fill-lamp"]
    : ["fill-evergreen", "fill-paper", "fill-lamp dark:fill-clay"];
  return (
    <span className="inline-flex items-center gap-3">
      <svg viewBox="0 0 40 40" aria-hidden="true" className="size-9 shrink-0">
        <rect width="40" height="40" rx="10" className={ground} />
        <path d="M10 20 20 10l10 10v10H10Z" className={lane} />
        <path d="M18 22h4v8h-4z" className={door} />
        <path d="M18 30h4l6 10H12z" className={lane} />
      </svg>
      <span className="pt-1 font-serif text-xl font-medium tracking-tight whitespace-nowrap">
        {site.brand}
      </span>
    </span>
  );
}
