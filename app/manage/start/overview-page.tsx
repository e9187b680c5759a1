import { siteOf } from "../../config/use-site.ts";
import { lazyPart } from "../../loading/lazy-part.tsx";
import { LoadFailure } from "../../ui/load-state.tsx";
import type { Route } from "./+types/overview-page";

// Loaded separately, so that a visitor who opens this address does not load its code.
const Overview = lazyPart(
  () => import("./overview.tsx"),
  ({ onRetry }) => (
    <div className="wrap min-h-[60vh] py-12">
      <h1 className="text-3xl">Manage your site</h1>
      <LoadFailure what="This page" onRetry={onRetry} className="mt-8" />
    </div>
  ),
);

export function meta({ matches }: Route.MetaArgs) {
  return [
    { title: `Manage | ${siteOf(matches).firm.name}` },
    { name: "robots", content: "noindex" },
  ];
}

export default function OverviewPage() {
  return <Overview />;
}
