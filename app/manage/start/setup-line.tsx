import { ArrowRight } from "lucide";
import { Link } from "react-router";
import { useSite } from "../../config/use-site.ts";
import { Icon } from "../../ui/icon.ts";
import { isSetupUnfinished } from "../setup/steps.ts";

/** Whether the site is not set up, or the setup was started in this browser and not finished. */
export function useNeedsSetup(): boolean {
  const { isDefault } = useSite();
  return isDefault || isSetupUnfinished();
}

export function setupLabel(): string {
  return isSetupUnfinished() ? "Go on with the setup" : "Start the setup";
}

/** Leads an owner to the setup while it is open. Stands in the space above the page's heading, which it does not move. */
export function SetupLine() {
  if (!useNeedsSetup()) return null;
  return (
    <p className="absolute inset-x-0 bottom-full mb-3 flex items-center justify-between gap-6 rounded-md bg-sage px-4 md:mb-8">
      <span className="max-sm:sr-only">
        {isSetupUnfinished()
          ? "Your site is not set up completely."
          : "Your site is not set up yet."}
      </span>
      <Link
        to="/manage/setup"
        className="inline-flex min-h-11 items-center gap-2 font-semibold text-evergreen underline underline-offset-4"
      >
        <span>{setupLabel()}</span>
        <Icon drawing={ArrowRight} className="size-4" />
      </Link>
    </p>
  );
}
