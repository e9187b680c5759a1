import { Suspense } from "react";
import { lazyPart } from "../loading/lazy-part.tsx";
import { LoadFailure } from "../ui/load-state.tsx";
import { LoadingSession } from "./auth-form.tsx";
import type { SecondStepProps } from "./second-step.tsx";

export function SecondStep(props: SecondStepProps) {
  return (
    <Suspense fallback={<LoadingSession />}>
      <Part {...props} />
    </Suspense>
  );
}

const Part = lazyPart<SecondStepProps>(
  () => import("./second-step.tsx"),
  ({ onRetry }) => <LoadFailure what="This page" onRetry={onRetry} className="wrap py-16" />,
);
