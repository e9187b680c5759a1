import { useSite } from "../config/use-site.ts";
import { FirmLogo } from "../ui/firm-logo.tsx";

/** Names with more letters are set smaller and may break into lines. */
export const longName = 18;

interface BrandProps {
  inverse?: boolean;
  /** Whether it leaves a line free below the name on wide screens. */
  hasLine?: boolean;
}

/** The firm's logo, or its mark and name. */
export function Brand({ inverse = false, hasLine = false }: BrandProps) {
  const { firm, monogram, hasDark } = useSite();
  const { name, shortName, logo, logoDark } = firm;
  if (logo) {
    const image = <FirmLogo {...{ logo, logoDark, inverse, hasDark, name }} />;
    return hasLine ? <span className="lg:pb-6 lg:[&_img]:max-h-9">{image}</span> : image;
  }
  // Two lines of a long name leave space for it in a smaller size only.
  const line = hasLine ? `lg:pb-5 ${name.length > 24 ? "lg:text-base lg:leading-[1.15]" : ""}` : "";
  return (
    <span className="inline-flex min-w-0 items-center gap-3">
      {monogram !== name && <Mark inverse={inverse} />}
      {shortName && !inverse ? (
        <>
          <span className={`${nameClass(name)} ${line} max-sm:hidden lg:max-xl:hidden`}>
            {name}
          </span>
          <span className={`${nameClass(shortName)} ${line} sm:max-lg:hidden xl:hidden`}>
            {shortName}
          </span>
        </>
      ) : (
        <span className={`${nameClass(name)} ${line}`}>{name}</span>
      )}
    </span>
  );
}

function nameClass({ length }: string): string {
  const shared = "pt-1 font-serif font-medium tracking-tight";
  if (length <= longName) return `${shared} text-xl whitespace-nowrap`;
  const lines = "min-w-0 line-clamp-3 text-balance leading-[1.15]";
  return `${shared} ${lines} ${length > 40 ? "text-sm sm:text-base" : "text-base sm:text-lg sm:leading-tight"}`;
}

function Mark({ inverse }: { inverse: boolean }) {
  const { monogram } = useSite();
  const [ground, lane, door] = inverse
    ? ["fill-cream", "fill-deep", "fill-lamp"]
    : ["fill-evergreen", "fill-paper", "fill-lamp dark:fill-clay"];
  return (
    <svg viewBox="0 0 40 40" aria-hidden="true" className="size-9 shrink-0">
      <rect width="40" height="40" rx="10" className={ground} />
      {monogram === null ? (
        <>
          <path d="M10 20 20 10l10 10v10H10Z" className={lane} />
          <path d="M18 22h4v8h-4z" className={door} />
          <path d="M18 30h4l6 10H12z" className={lane} />
        </>
      ) : (
        <text
          x="20"
          y="27"
          textAnchor="middle"
          className={`${lane} font-serif text-[1.25rem] font-medium`}
        >
          {monogram}
        </text>
      )}
    </svg>
  );
}
