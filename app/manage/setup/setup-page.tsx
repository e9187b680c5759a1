import { siteOf } from "../../config/use-site.ts";
import { lazyPart } from "../../loading/lazy-part.tsx";
import { LoadFailure } from "../../ui/load-state.tsx";
import type { Route } from "./+types/setup-page";
import { steps } from "./steps.ts";

// Loaded separately, so that a visitor who opens this address does not load its code.
const Setup = lazyPart(
  () => import("./setup.tsx"),
  ({ onRetry }) => (
    <div className="wrap min-h-[60vh] py-12">
      <h1 className="text-2xl">Set up your site</h1>
      <LoadFailure what="The setup" onRetry={onRetry} className="mt-8" />
    </div>
  ),
);

export function meta({ matches, location }: Route.MetaArgs) {
  const id = new URLSearchParams(location.search).get("step");
  const step = steps.find((candidate) => candidate.id === id);
  const title = step ? `Set up your site: ${step.title}` : "Set up your site";
  return [
    { title: `${title} | ${siteOf(matches).firm.name}` },
    { name: "robots", content: "noindex" },
  ];
}

export default function SetupPage() {
  return <Setup />;
}
